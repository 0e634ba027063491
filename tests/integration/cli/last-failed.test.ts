import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReferenceServer, faults } from '../../../reference-server/index.ts';
import type { Report } from '../../../runner/report/report.ts';
import { createScratchFolder, type FinishedCommand } from '../../support/command.ts';
import { runInProcess } from '../../support/in-process-command.ts';

const fault = faults.find(({ id }) => id === 'bad-key/beginning-is-enough-for-the-model-list');
type Server = Awaited<ReturnType<typeof createReferenceServer>>;
let faulty: Server;
let good: Server;
beforeAll(async () => {
  faulty = await createReferenceServer(fault?.setup());
  good = await createReferenceServer();
});
afterAll(async () => {
  await faulty.close();
  await good.close();
});

/** Runs the cases of wrong keys for the model list, with the JSON report on stdout. */
async function run(
  cwd: string,
  server: Server,
  ...flags: string[]
): Promise<Pick<FinishedCommand, 'code' | 'stderr'> & { readonly report: Report | undefined }> {
  const { code, stdout, stderr } = await runInProcess(
    ['run', server.url, '--reporter', 'json', ...(flags.length > 0 ? flags : ['--only', selection])],
    { cwd, env: { GATEWAY_API_KEY: server.profile.keys.valid } },
  );
  return { code, stderr, report: stdout === '' ? undefined : JSON.parse(stdout) };
}

const selection = 'auth/rejected-key/operation=models';
const fileIn = (folder: string): string => join(folder, '.conformance', 'last-run.json');
const failedIn = (folder: string): string[] => JSON.parse(readFileSync(fileIn(folder), 'utf8')).failed;
const idsOf = (report: Report | undefined): string[] | undefined => report?.cases.map(({ id }) => id);

describe('--last-failed', () => {
  test('sends the cases that failed, until none is left', async () => {
    const folder = createScratchFolder();
    const first = await run(folder, faulty);
    const failed = first.report?.cases.filter(({ outcome }) => outcome === 'violates').map(({ id }) => id);
    expect(failed).not.toEqual([]);
    expect(failed?.length).toBeLessThan(first.report?.cases.length ?? 0);
    expect(failedIn(folder)).toEqual(failed);
    expect(readFileSync(join(folder, '.conformance', '.gitignore'), 'utf8')).toBe('*\n');

    const again = await run(folder, faulty, '--last-failed');
    expect([again.code, idsOf(again.report)]).toEqual([1, failed]);
    expect(again.report?.suite?.isSelection).toBe(true);

    const other = await run(folder, faulty, '--only', 'auth/good-key/operation=models');
    expect([other.code, failedIn(folder)]).toEqual([0, failed]);

    const fixed = await run(folder, good, '--last-failed');
    expect([fixed.code, idsOf(fixed.report), failedIn(folder)]).toEqual([0, failed, []]);
    expect(fixed.stderr).toContain(`The last run tested ${faulty.url}, not ${good.url}.`);

    const none = await run(folder, good, '--last-failed');
    expect([none.code, none.report]).toEqual([0, undefined]);
    expect(none.stderr).toContain('No case failed in the last run');
  });

  test('forgets the failed cases of another gateway', async () => {
    const folder = createScratchFolder();
    await run(folder, faulty);
    await run(folder, good, '--only', 'auth/good-key/operation=models');
    expect(failedIn(folder)).toEqual([]);
  });

  test('works together with --only, and without cases it sends nothing', async () => {
    const folder = createScratchFolder();
    await run(folder, faulty);
    const [one = ''] = failedIn(folder);
    const narrower = await run(folder, faulty, '--last-failed', '--only', one);
    expect(idsOf(narrower.report)).toEqual([one]);
    const none = await run(folder, faulty, '--last-failed', '--only', 'balance/*');
    expect([none.code, none.report]).toEqual([2, undefined]);
  });

  test('says which cases are not planned', async () => {
    const folder = createScratchFolder();
    await run(folder, faulty);
    const failed = failedIn(folder);
    const last = { target: faulty.url, failed: [...failed, 'auth/former-name'] };
    writeFileSync(fileIn(folder), JSON.stringify(last));
    const { report, stderr } = await run(folder, faulty, '--last-failed');
    expect(idsOf(report)).toEqual(failed);
    expect(stderr).toContain('such as auth/former-name.');
  });

  test.each([
    ['no last run', undefined],
    ['text that is not JSON', '{'],
    ['JSON of another kind', '{ "target": "x", "failed": [1] }'],
  ])('ends with 2 with %s, and a run without it replaces the file', async (_, text) => {
    const folder = createScratchFolder();
    mkdirSync(join(folder, '.conformance'));
    if (text !== undefined) writeFileSync(fileIn(folder), text);
    const { code, stderr } = await run(folder, good, '--last-failed');
    expect([code, stderr]).toEqual([2, expect.stringContaining('--last-failed: .conformance/last-run.json')]);
    await run(folder, good);
    expect(failedIn(folder)).toEqual([]);
  });

  test('of a folder that cannot be written does not matter to other runs', async () => {
    const folder = createScratchFolder();
    writeFileSync(join(folder, '.conformance'), 'a file');
    expect(await run(folder, good)).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining('.conformance'),
    });
    rmSync(join(folder, '.conformance'));
  });
});
