import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createScratchFolder } from '../../support/command.ts';
import { runInProcess } from '../../support/in-process-command.ts';
import { entryOf, errorOf, helloBody } from '../../support/recorded-exchange.ts';

const sent = { authorization: 'Bearer a-key', 'content-type': 'application/json' };
const works = entryOf({ sent, status: 200, answer: { choices: [] } });
const breaks = entryOf({ sent, status: 401, answer: { error: 'no' } });
const entry = { ...works };
const har = (entries: unknown, members: object = { creator: { name: 'recorder', version: '1' } }): string =>
  JSON.stringify({ log: { version: '1.2', ...members, entries } });
const changed = (part: 'request' | 'response', members: object): object => ({
  ...entry,
  [part]: { ...Object(entry)[part], ...members },
});
const without = (part: 'request' | 'response', name: string): object => changed(part, { [name]: undefined });
const line = (value: unknown): string => JSON.stringify(value);
const nested = `${'['.repeat(300)}${']'.repeat(300)}`;
const plain = {
  request: {
    method: 'POST',
    url: 'https://gateway.example/v1/chat/completions',
    headers: sent,
    body: JSON.stringify(helloBody),
  },
  response: { status: 200, headers: { 'content-type': 'application/json' }, body: '{"choices":[]}' },
};

/** Invalid or unusual recordings: the name of the case, and the content of its file. */
const recordings: Readonly<Record<string, string | Uint8Array>> = {
  'an empty file': '',
  'blank lines': '\n\n  \n',
  'an empty object': '{}',
  'an empty list': '[]',
  'a number': '42',
  'a HAR without entries': har([]),
  'a HAR without a log': '{"log":null}',
  'a HAR whose entries are an object': har({}),
  'an entry that is null': har([null, entry]),
  'an entry that is a text': har(['entry', entry]),
  'an entry without a request': har([{ response: { status: 200 } }, entry]),
  'an entry without a response': har([{ ...entry, response: undefined }, entry]),
  'a response that is null': har([{ ...entry, response: null }]),
  'a status of 0': har([changed('response', { status: 0 })]),
  'a status that is a text': har([changed('response', { status: '200' })]),
  'a status of 999': har([changed('response', { status: 999 })]),
  'a status that is no integer': har([changed('response', { status: 200.5 })]),
  'no method': har([without('request', 'method')]),
  'a method that is a number': har([changed('request', { method: 7 })]),
  'no URL': har([without('request', 'url')]),
  'a URL without a host': har([changed('request', { url: '/v1/models', method: 'GET' })]),
  'an invalid URL': har([changed('request', { url: 'http://[' })]),
  'a URL of another scheme': har([changed('request', { url: 'ftp://gateway.example/v1/models' })]),
  'no request headers': har([without('request', 'headers')]),
  'request headers that are an object': har([changed('request', { headers: { accept: '*/*' } })]),
  'a header without a value': har([changed('request', { headers: [{ name: 'accept' }] })]),
  'no response headers': har([without('response', 'headers')]),
  'no response content': har([without('response', 'content')]),
  'a body in base64': har([
    changed('response', {
      content: { text: Buffer.from('{"choices":[]}').toString('base64'), encoding: 'base64' },
    }),
  ]),
  'a body in an unknown encoding': har([changed('response', { content: { text: 'x', encoding: 'rot13' } })]),
  'a start that is no time': har([{ ...entry, startedDateTime: 'yesterday' }]),
  'no start': har([{ ...entry, startedDateTime: undefined }]),
  'a negative duration': har([{ ...entry, time: -1 }]),
  'a creator that removes credentials': har([breaks], { creator: { name: 'WebInspector', version: '537' } }),
  'a creator after the entries': `{"log":{"entries":[${line(breaks)}],"creator":{"name":"WebInspector","version":"537"}}}`,
  'no creator': har([breaks], {}),
  'a HAR cut off in an entry': har([entry, entry]).slice(0, -80),
  'a HAR cut off between entries': `{"log":{"entries":[${line(entry)},`,
  'a HAR with trailing text': `${har([entry])}\nthe end`,
  'two HARs in one file': `${har([entry])}\n${har([entry])}`,
  'a HAR with a byte order mark': `\uFEFF${har([entry])}`,
  'deep nesting in an entry': har([{ ...entry, _extra: JSON.parse(nested) }]),
  'deep nesting between entries': `{"log":{"_extra":${nested},"entries":[${line(entry)}]}}`,
  'an entry of 2 MiB': har([changed('response', { content: { text: 'x'.repeat(2 ** 21) } })]),
  'NDJSON with line ends of Windows': `${line(plain)}\r\n${line(plain)}\r\n`,
  'NDJSON with blank lines': `${line(plain)}\n\n\n${line(plain)}`,
  'NDJSON with a byte order mark': `\uFEFF${line(plain)}\n`,
  'NDJSON with a line that is cut off': `${line(plain)}\n${line(plain).slice(0, 30)}\n${line(plain)}\n`,
  'NDJSON with a line of another kind': `${line(plain)}\n{"level":"info","msg":"started"}\n`,
  'NDJSON with a log line in text': `starting …\n${line(plain)}\n`,
  'NDJSON with a violation and a line that is cut off': `${line(breaks)}\n{"request":\n`,
  'NDJSON with a body that is an object': line({ ...plain, request: { ...plain.request, body: helloBody } }),
  'NDJSON with an empty body': line({
    ...plain,
    request: { ...plain.request, body: '' },
    response: { ...plain.response, status: 400 },
  }),
  'NDJSON with an error that is an object': line({
    ...plain,
    response: { ...plain.response, status: 400, body: errorOf(400, 'invalid_request_error') },
  }),
  'a list of exchanges': line([plain, plain]),
  'bytes that are not UTF-8': Buffer.concat([
    Buffer.from(line(plain)),
    Buffer.from([0x0a, 0xff, 0xfe, 0x0a]),
  ]),
  'UTF-16': Buffer.from(har([entry]), 'utf16le'),
  'NUL bytes': `${line(plain)}\n\0\0\0\n`,
  'a HAR compressed with gzip': gzipSync(har([entry])),
  'a gzip file that is cut off': gzipSync(har([entry])).subarray(0, -20),
  'a gzip file of something else': gzipSync('hello'),
  'a zip file': Buffer.from('504b0304140000000800', 'hex'),
  'a packet capture': Buffer.from('d4c3b2a1020004000000', 'hex'),
  'a page': '<!doctype html><title>Sign in</title>',
  'a table': 'method,url,status\nGET,/v1/models,200\n',
  'a Postman collection': line({
    info: { _postman_id: 'x', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/' },
    item: [],
  }),
  'a Newman report': line({ collection: {}, run: { executions: [] } }),
  'an Insomnia export': line({ _type: 'export', __export_format: 4, resources: [] }),
  'a Charles session': line([
    {
      status: 'COMPLETE',
      actualPort: 443,
      host: 'gateway.example',
      scheme: 'https',
      request: {},
      response: {},
    },
  ]),
  'a report of this suite': line({
    schemaVersion: 1,
    tool: { name: 'x', version: '1' },
    verdict: 'conforms',
    cases: [],
  }),
};

/**
 * Returns the exit code and the most important output: stderr, the reasons why exchanges were not judged, and the
 * verdict.
 */
async function describeCheck(name: string, content: string | Uint8Array): Promise<string> {
  const cwd = createScratchFolder();
  writeFileSync(join(cwd, 'recording'), content);
  const { code, stdout, stderr } = await runInProcess(['check', 'recording'], { cwd });
  const lines = stdout.split('\n');
  const reasons = lines.filter(
    (text) => /^– +\d/.test(text) && !text.includes('Requirements that no exchange'),
  );
  const verdict = lines.filter((text) => /^[✓✗?≈!] [A-Z]/.test(text));
  const said = [...stderr.split('\n'), ...reasons, ...verdict].filter((text) => text.trim() !== '');
  return [`${name}: exit code ${code}`, ...said.map((text) => `  ${text.trimEnd()}`)].join('\n');
}

test('the messages and exit codes for unusual recordings match odd.txt', { timeout: 120_000 }, async () => {
  const all = Object.entries(recordings);
  expect(all.length).toBeGreaterThan(60);
  const described: string[] = [];
  for (let start = 0; start < all.length; start += 4)
    described.push(
      ...(await Promise.all(
        all.slice(start, start + 4).map(([name, content]) => describeCheck(name, content)),
      )),
    );
  await expect(`${described.join('\n\n')}\n`).toMatchFileSnapshot('odd.txt');
});

test('a folder and a file that does not exist are named', async () => {
  const cwd = createScratchFolder();
  mkdirSync(join(cwd, 'folder'));
  for (const name of ['folder', 'absent']) {
    const { code, stderr } = await runInProcess(['check', name], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining(name)]);
  }
});
