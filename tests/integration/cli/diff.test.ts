import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { CheckReport, Report } from '../../../runner/report/report.ts';
import { createScratchFolder } from '../../support/command.ts';
import { runInProcess } from '../../support/in-process-command.ts';

const folder = createScratchFolder();
beforeAll(async () => {
  const { stdout } = await runInProcess(['run', '--suite', 'models', '--reporter', 'json']);
  const good: Report = JSON.parse(stdout);
  const [first] = good.cases;
  const withOutcome = (
    outcome: 'violates' | 'inconclusive',
    severity: Pick<CheckReport, 'severity'> = {},
  ): Report => ({
    ...good,
    verdict: outcome === 'violates' ? 'violates' : good.verdict,
    cases: good.cases.map((item) => ({
      ...item,
      checks: item.checks.map((check) => (item === first ? { ...check, outcome, ...severity } : check)),
    })),
  });
  const bad = withOutcome('violates', { severity: 'wrong-type' });
  const earlier = {
    ...bad,
    cases: bad.cases.map(({ checks, ...item }) => ({ ...item, obligations: checks })),
  };
  const files = { good, bad, open: withOutcome('inconclusive'), earlier };
  for (const [name, report] of Object.entries(files))
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(report));
});

test.each([
  ['good', 'good', 0, 'No check changed: conforms, as before.'],
  ['good', 'bad', 1, 'Newly violated\n✗ '],
  ['bad', 'good', 0, 'Fixed\n✓ '],
  ['good', 'earlier', 1, 'Newly violated\n✗ '],
  ['good', 'open', 3, 'No longer judged\n? '],
  ['open', 'bad', 3, 'Violated, not judged before\n✗ '],
])('diff from a %s report to a %s report exits with %i', async (was, is, code, text) => {
  const finished = await runInProcess(['diff', `${was}.json`, `${is}.json`], { cwd: folder });
  expect(finished.stdout).toContain(text);
  expect(finished.stderr).toBe('');
  expect(finished.code).toBe(code);
});

test('diff --markdown writes Markdown, with the same exit code', async () => {
  const { code, stdout } = await runInProcess(['diff', 'good.json', 'bad.json', '--markdown'], {
    cwd: folder,
  });
  expect(stdout).toMatch(/^## conforms → violates: \d+ newly violated\n\n### ✗ Newly violated \(\d+\)\n/);
  expect(code).toBe(1);
});

test('diff reports a missing second file', async () => {
  const { code, stderr } = await runInProcess(['diff', 'good.json'], { cwd: folder });
  expect(stderr).toContain('The argument NEW is missing.');
  expect(code).toBe(2);
});
