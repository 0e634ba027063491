import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  captureFolder,
  check,
  entriesOf,
  findMitmproxyCapture,
  type HarEntry,
  type HarMessage,
  listFailedIds,
  outcomesById,
} from '../../support/check-command.ts';
import { conformance, createScratchFolder } from '../../support/command.ts';
import { runInProcess } from '../../support/in-process-command.ts';

const good = findMitmproxyCapture('openai');
const faulty = findMitmproxyCapture('openai-bad-token-called-api-key');
const textOf = (file: string): string => readFileSync(file, 'utf8');

/** Returns a HAR entry as the object of an NDJSON line. */
function lineOf({ startedDateTime, time, request, response }: HarEntry): object {
  const headers = ({ headers: all }: HarMessage) =>
    Object.fromEntries(all.map(({ name, value }) => [name, value]));
  const { method, url, postData } = request;
  return {
    startedAt: startedDateTime,
    durationMs: time,
    request: { method, url, headers: headers(request), body: postData?.text },
    response: { status: response.status, headers: headers(response), body: response.content.text },
  };
}

describe('check gives the same result for the same traffic', () => {
  const har = textOf(faulty);
  const lines = entriesOf(faulty);
  const ndjson = (items: readonly unknown[], end = '\n'): string =>
    items.map((item) => JSON.stringify(item) + end).join('');

  test.each<{ about: string; text: string }>([
    { about: 'a HAR on one line', text: JSON.stringify(JSON.parse(har)) },
    { about: 'a HAR with a byte order mark', text: `\uFEFF${har}` },
    { about: 'NDJSON with HAR entries', text: ndjson(lines) },
    { about: 'NDJSON with exchanges', text: ndjson(lines.map(lineOf)) },
    { about: 'NDJSON with empty lines and CRLF', text: `\r\n${ndjson(lines.map(lineOf), '\r\n\r\n')}` },
  ])('in $about', async ({ text }) => {
    const expected = await check({ files: [faulty] });
    const { code, report } = await check({ files: ['x'], folder: { x: text } });
    expect(outcomesById(report)).toEqual(outcomesById(expected.report));
    expect([code, report.recording?.judged]).toEqual([1, lines.length]);
  });

  test('from standard input', async () => {
    const expected = await check({ files: [faulty] });
    const { code, report } = await check({ files: ['-'], stdin: har });
    expect(outcomesById(report)).toEqual(outcomesById(expected.report));
    expect(code).toBe(1);
  });
});

describe('check with several recordings', () => {
  test('merges the results into one report', async () => {
    const { code, report } = await check({ files: [good, faulty] });
    expect(report.recording?.exchanges).toBe(entriesOf(good).length + entriesOf(faulty).length);
    expect(listFailedIds(report)).toEqual(['auth/bad-bearer-token']);
    expect(report.cases.flatMap(({ exchanges }) => exchanges.map(({ id }) => id))[0]).toMatch(
      /\.har entry \d+$/,
    );
    expect(code).toBe(1);
  });

  test('infers from each recording by itself: one without credentials does not affect the next', async () => {
    const sanitized = join(captureFolder, 'devtools/page.har');
    const keyless = {
      request: { method: 'GET', url: 'http://gateway.example/v1/models', headers: { accept: '*/*' } },
      response: { status: 400, headers: {}, body: '{}' },
    };
    const { report } = await check({ files: [sanitized, 'x'], folder: { x: JSON.stringify(keyless) } });
    expect(listFailedIds(report)).toContain('auth/missing-credential');
  });
});

describe('an incomplete or invalid recording', () => {
  const cut = (file: string): string => textOf(file).slice(0, 40_000);

  test.each([
    { about: 'a gateway without violations', file: good, code: 3 },
    { about: 'a gateway with a violation', file: faulty, code: 1 },
  ])('of $about is judged up to its end, with exit code $code', async ({ file, code: expected }) => {
    const { code, stderr, stdout, report } = await check({
      files: ['cut.har'],
      folder: { 'cut.har': cut(file) },
    });
    expect(stderr).toMatch(/cut\.har, after entry \d+: the JSON is incomplete/);
    expect(stdout).toMatch(/! cut\.har, after entry \d+: the JSON is incomplete/);
    expect(stdout).toContain(expected === 3 ? '? INCONCLUSIVE' : '✗ VIOLATES');
    expect(report.recording?.judged).toBeGreaterThan(3);
    expect(report.stopped?.kind).toBe('recording');
    expect(report.verdict).toBe(expected === 3 ? 'inconclusive' : 'violates');
    expect(code).toBe(expected);
  });

  test('does not hide violations in later recordings', async () => {
    const { code, report } = await check({ files: ['cut.har', faulty], folder: { 'cut.har': cut(good) } });
    expect(listFailedIds(report)).toEqual(['auth/bad-bearer-token']);
    expect(code).toBe(1);
  });

  test('names an invalid line without quoting the line, judges the other lines, and exits with 3', async () => {
    const [first, second] = entriesOf(good).map((entry) => JSON.stringify(lineOf(entry)));
    const text = `${first}\n{"key": "sk-secret-secret\n{"a":1}\n${second}\n`;
    const { code, stdout, stderr, report } = await check({ files: ['x'], folder: { x: text } });
    expect(report.recording).toMatchObject({ exchanges: 2, judged: 2 });
    const unread = report.recording?.notJudged.filter(({ reason }) => reason.startsWith('Not '));
    expect(unread).toEqual([
      { reason: 'Not read: the line is not valid JSON', count: 1, example: 'x:2' },
      { reason: 'Not an exchange: `request.method` is missing', count: 1, example: 'x:3' },
    ]);
    expect(stderr).toContain('x:2: the line is not valid JSON');
    expect(stdout + stderr).not.toContain('sk-secret');
    expect([code, report.verdict]).toEqual([3, 'inconclusive']);
  });

  test.each([
    ['is empty', '', 'the recording is empty.'],
    ['is HTML', '<html>', 'the file does not begin with "{".'],
    ['is other JSON', '{\n"a":1}', '`log.entries` is missing or empty.'],
  ])('that %s fails with exit code 2 and writes no report', async (_, text, says) => {
    const cwd = createScratchFolder();
    writeFileSync(join(cwd, 'x'), text);
    const { code, stdout, stderr } = await conformance(['check', 'x', '--reporter', 'json=r.json'], { cwd });
    expect(stderr).toContain(`x: ${says} Expected HAR 1.2, or NDJSON`);
    expect([code, stdout, existsSync(join(cwd, 'r.json'))]).toEqual([2, '', false]);
  });

  test('that does not exist fails with exit code 2, and no other recording is judged', async () => {
    const { code, stdout, stderr } = await conformance(['check', good, 'none.har']);
    expect(stderr).toContain('none.har: the file does not exist.');
    expect([code, stdout]).toEqual([2, '']);
  });

  test('that contains no request of the client fails with exit code 2', async () => {
    const { code, stdout, stderr } = await runInProcess(['check', good, '--client', 'no-such-client']);
    expect(stderr).toContain('has a User-Agent that contains the text of --client.');
    expect([code, stdout]).toEqual([2, '']);
  });
});
