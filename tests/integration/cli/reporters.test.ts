import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reporterNames } from '../../../runner/reporters/reporters.ts';
import { createScratchFolder } from '../../support/command.ts';
import { runInProcess } from '../../support/in-process-command.ts';

const some = ['run', '--only', 'models/*'];

describe('the job summary of GitHub Actions', () => {
  test('the Markdown report is appended, even if only another reporter is chosen', async () => {
    const cwd = createScratchFolder();
    writeFileSync(join(cwd, 'summary.md'), '# Before\n');
    const env = { GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') };
    const { code, stdout } = await runInProcess([...some, '--reporter', 'tap'], { cwd, env });
    expect(stdout).toMatch(/^TAP version 14\n/);
    expect(readFileSync(join(cwd, 'summary.md'), 'utf8')).toMatch(/^# Before\n## ✅ The gateway conforms\n/);
    expect(code).toBe(0);
  });

  test('if the summary cannot be written, the command prints an error and exits with 4', async () => {
    const cwd = createScratchFolder();
    const { code, stdout, stderr } = await runInProcess(some, { cwd, env: { GITHUB_STEP_SUMMARY: cwd } });
    expect(stdout).toContain('CONFORMS');
    expect(stderr).toContain(`The job summary could not be written to "${cwd}" (EISDIR)`);
    expect(code).toBe(4);
  });
});

test('every reporter writes its file', async () => {
  const cwd = createScratchFolder();
  const chosen = reporterNames.flatMap((name) => ['--reporter', `${name}=${name}`]);
  const { code } = await runInProcess([...some, ...chosen], { cwd });
  expect(readdirSync(cwd).sort()).toEqual([...reporterNames].sort());
  expect(code).toBe(0);
});
