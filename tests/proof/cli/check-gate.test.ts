import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { createReferenceServer, faults } from '../../../reference-server/index.ts';
import type { Report } from '../../../runner/report/report.ts';
import {
  check,
  entriesOf,
  type FinishedCheck,
  findMitmproxyCapture,
  listFailedIds,
  originOf,
  outcomesById,
} from '../../support/check-command.ts';
import { createScratchFolder } from '../../support/command.ts';
import { runInProcess } from '../../support/in-process-command.ts';
import { startCommand } from '../../support/long-running-command.ts';

const good = findMitmproxyCapture('openai');
const faulty = findMitmproxyCapture('openai-bad-token-called-api-key');
const warned = findMitmproxyCapture('openai-errors-inside-streams');

describe('check exits with 2 and writes nothing for', () => {
  test.each([
    ['no file', [], 'Missing argument: FILE.'],
    ['a missing file', ['none.har'], 'none.har: the file does not exist.'],
    ['a folder', ['.'], '.: the path is a folder.'],
    ['an invalid base URL', [good, '--base-url', 'x'], 'is not a valid URL'],
    ['a missing profile', [good, '--profile', 'none.yaml'], 'none.yaml'],
    ['a flag of another command', [good, '--port', '1'], 'Unknown flag --port'],
    ['an unknown reporter', [good, '--reporter', 'jsn=r'], 'Did you mean'],
  ])('%s', async (_, args, says) => {
    const cwd = createScratchFolder();
    const { code, stdout, stderr } = await runInProcess(['check', ...args, '--reporter', 'json=r.json'], {
      cwd,
    });
    expect(stderr).toContain(says);
    expect([code, stdout, existsSync(join(cwd, 'r.json'))]).toEqual([2, '', false]);
  });
});

describe('check --base-url', () => {
  test('judges only requests below the URL', async () => {
    const { report } = await check({ files: [good, faulty], flags: ['--base-url', originOf(good)] });
    expect(report.target.baseUrl).toBe(originOf(good));
    expect(report.recording?.judged).toBe(entriesOf(good).length);
    expect(listFailedIds(report)).toEqual([]);
  });

  test('judges nothing if the recording is of another gateway, and exits with 3', async () => {
    const { code, report } = await check({ files: [good], flags: ['--base-url', 'http://gateway.example'] });
    expect([code, report.verdict, report.recording?.judged]).toEqual([3, 'inconclusive', 0]);
  });
});

describe('check with a profile', () => {
  const profileOf = async (): Promise<object> => {
    const server = await createReferenceServer();
    await server.close();
    return { ...server.profile, baseUrl: originOf(warned) };
  };

  test('finds a warning that needs known keys and models, and judges more requirements', async () => {
    const without = await check({ files: [warned] });
    expect(listFailedIds(without.report)).toEqual([]);
    const folder = { 'conformance.yaml': stringify(await profileOf()) };
    const { code, report } = await check({ files: [warned], folder });
    expect(listFailedIds(report)).toEqual(['streams/error-before-start']);
    expect(report.requirements.length).toBeGreaterThan(without.report.requirements.length);
    expect(code).toBe(0);
  });

  test('prints the roles of keys', async () => {
    const folder = { 'conformance.yaml': stringify(await profileOf()) };
    const { stdout } = await check({ files: [warned], folder, flags: ['--verbose'] });
    expect(stdout).toContain('authorization: Bearer {{keys.depleted}}');
    expect(stdout).not.toContain('sk-Reference');
  });

  test('exits with 1 after a warning with --strict-should', async () => {
    const folder = { 'conformance.yaml': stringify(await profileOf()) };
    const { code } = await check({ files: [warned], folder, flags: ['--strict-should'] });
    expect(code).toBe(1);
  });
});

describe('check', () => {
  const known =
    'violations:\n  - requirement: auth/bad-bearer-token\n    severity: wrong-type\n    reason: JIRA-1\n';
  const bad = { 'x.ndjson': JSON.stringify({ ...entriesOf(good)[0], request: twoCredentials(good) }) };

  test.each([
    { flags: [], code: 0 },
    { flags: ['--strict-client'], code: 1 },
  ])('exits with $code with $flags if a client sends two credentials', async ({ flags, code }) => {
    const finished = await check({ files: [good, 'x.ndjson'], folder: bad, flags });
    expect(finished.stdout).toMatch(/✗ client\/one-header {2}violated in 1 of/);
    expect(finished.stdout.includes('✗ CLIENT VIOLATES client/one-header')).toBe(code === 1);
    expect(finished.code).toBe(code);
  });

  test('exits with 0 if the baseline expects all violations, and with 1 if the baseline is empty', async () => {
    const folder = { 'known.yaml': known, 'none.yaml': 'violations: []\n' };
    const by = (name: string): Promise<FinishedCheck> =>
      check({ files: [faulty], folder, flags: ['--baseline', name] });
    expect((await by('known.yaml')).code).toBe(0);
    expect((await by('known.yaml')).stdout).toContain('PASSED with ');
    expect((await by('none.yaml')).code).toBe(1);
  });

  test('ignores a baseline entry that matches nothing in this traffic', async () => {
    const folder = { 'known.yaml': known };
    const { code, report } = await check({ files: [good], folder, flags: ['--baseline', 'known.yaml'] });
    expect(report.baseline).toEqual({ file: 'known.yaml', expected: 0, problems: [] });
    expect(code).toBe(0);
  });

  test('writes a baseline with which the same recording passes', async () => {
    const update = ['--baseline', 'known.yaml', '--update-baseline'];
    const { code, stderr, cwd } = await check({ files: [faulty], flags: update });
    expect(stderr).toContain('Updated known.yaml');
    expect(code).toBe(0);
    const folder = { 'known.yaml': readFileSync(join(cwd, 'known.yaml'), 'utf8') };
    expect((await check({ files: [faulty], folder, flags: update.slice(0, 2) })).code).toBe(0);
  });

  test('exits with 4 if a report cannot be written, and with 130 if interrupted', async () => {
    const { code } = await runInProcess(['check', good, '--reporter', 'json=/dev/null/r.json']);
    expect(code).toBe(4);
    const { child, ended, said } = startCommand(['check', '-', '--reporter', 'terminal'], {
      cwd: createScratchFolder(),
    });
    // The text is larger than the buffer of a pipe, so the write ends only when the command reads.
    const text = JSON.stringify(entriesOf(good)[0]) + '\n'.repeat(1024 * 1024);
    await new Promise((resolve) => child.stdin.write(text, resolve));
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(said()).toContain('The check was interrupted.');
  });
});

/** Returns the request of the first entry, with a second credential. */
function twoCredentials(file: string): object {
  const request = entriesOf(file)[0]?.request;
  return {
    ...request,
    headers: [...(request?.headers ?? []), { name: 'x-api-key', value: 'sk-another-key' }],
  };
}

describe('check judges the HAR of a run like the run', () => {
  test.each([{ fault: undefined }, { fault: 'balance/one-status-for-all-400' }])(
    'with the fault $fault',
    async ({ fault }) => {
      const server = await createReferenceServer(faults.find(({ id }) => id === fault)?.setup());
      const cwd = createScratchFolder();
      writeFileSync(join(cwd, 'conformance.yaml'), stringify(server.profile));
      const reporters = ['--reporter', 'har=run.har', '--reporter', 'json=run.json'];
      const run = await runInProcess(['run', ...reporters], { cwd });
      await server.close();
      const ran: Report = JSON.parse(readFileSync(join(cwd, 'run.json'), 'utf8'));
      // `check` runs in another folder, without a profile.
      const { code, report } = await check({ files: [join(cwd, 'run.har')] });
      expect(outcomesById(report)).toEqual(outcomesById(ran));
      expect([code, report.verdict]).toEqual([run.code, ran.verdict]);
      expect(report.recording?.client).toBeUndefined();
    },
  );
});
