import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { conclude } from '../../../runner/cli/io/conclude.ts';
import type { Report } from '../../../runner/report/report.ts';
import { reporterNames } from '../../../runner/reporters/reporters.ts';
import { createScratchFolder, listOutputs } from '../../support/command.ts';
import { runInProcess } from '../../support/in-process-command.ts';
import { createSampleReport } from '../../support/sample-report.ts';

const some = ['run', '--only', 'models/*'];

describe('the job summary of GitHub Actions', () => {
  test('the Markdown report is appended, even if only another reporter is chosen', async () => {
    const cwd = createScratchFolder();
    writeFileSync(join(cwd, 'summary.md'), '# Before\n');
    const env = { GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') };
    const { code, stdout } = await runInProcess([...some, '--reporter', 'tap'], { cwd, env });
    expect(stdout).toMatch(/^TAP version 14\n/);
    expect(readFileSync(join(cwd, 'summary.md'), 'utf8')).toMatch(
      /^# Before\n## ✅ The gateway passed in a selection: /,
    );
    expect(code).toBe(0);
  });

  test('if the summary cannot be written, the command prints an error and exits with 4', async () => {
    const cwd = createScratchFolder();
    const { code, stdout, stderr } = await runInProcess(some, { cwd, env: { GITHUB_STEP_SUMMARY: cwd } });
    expect(stdout).toContain('PASSED in a selection');
    expect(stderr).toContain(`The job summary could not be written to "${cwd}" (EISDIR)`);
    expect(code).toBe(4);
  });
});

test('every reporter writes its file', async () => {
  const cwd = createScratchFolder();
  const chosen = reporterNames.flatMap((name) => ['--reporter', `${name}=${name}`]);
  const { code } = await runInProcess([...some, ...chosen], { cwd });
  expect(listOutputs(cwd)).toEqual([...reporterNames].sort());
  expect(code).toBe(0);
});

test('a defect in one part of the view costs only the reports that show it, and the exit code is 4', async () => {
  const report = await createSampleReport();
  // The first failure has a finding of an unknown kind, so the failed checks cannot be described.
  const spoilt: Report = JSON.parse(JSON.stringify(report).replace(/"kind":"wrong-status"/, '"kind":"odd"'));
  const cwd = createScratchFolder();
  const names = ['html', 'badge', 'json', 'har'] as const;
  const flags = {
    baseline: undefined,
    updateBaseline: false,
    strictShould: false,
    strict: false,
    reporter: [],
    failOn: undefined,
    open: false,
    verbose: false,
  };
  const code = await conclude(
    { report: spoilt, known: () => [] },
    { reporters: names.map((name) => ({ name, file: join(cwd, name) })), baseline: undefined, flags },
  );
  expect(readdirSync(cwd).sort()).toEqual(['badge', 'har']);
  expect(code).toBe(4);
});
