import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { loadSchemas } from '../../../common/schemas.ts';
import type { Comparison } from '../../../runner/compare/comparison.ts';
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
  const files = { good, bad, open: withOutcome('inconclusive') };
  for (const [name, report] of Object.entries(files))
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(report));
});

test.each([
  ['good', 'good', 0, 'No check changed: conforms, as before.'],
  ['good', 'bad', 1, 'newly violated · '],
  ['bad', 'good', 0, '  fixed\n'],
  ['good', 'open', 3, 'no longer judged · '],
  ['open', 'bad', 3, 'violated, not judged before · '],
])('diff from a %s report to a %s report exits with %i', async (was, is, code, text) => {
  const finished = await runInProcess(['diff', `${was}.json`, `${is}.json`], { cwd: folder });
  expect(finished.stdout).toContain(text);
  expect(finished.stderr).toBe('');
  expect(finished.code).toBe(code);
});

test('diff writes the comparison in each format, with the same exit code', async () => {
  const files = ['json', 'html'].flatMap((name) => ['--reporter', `${name}=d.${name}`]);
  const { code, stdout, stderr } = await runInProcess(
    ['diff', 'good.json', 'bad.json', '--reporter', 'markdown', ...files],
    { cwd: folder },
  );
  expect(stdout).toMatch(/^## conforms → violates\\: \d+ newly violated\n\n\| Report \|/);
  expect([code, stderr]).toEqual([1, '']);
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const comparison: Comparison = JSON.parse(read('d.json'));
  expect((await loadSchemas()).problems('comparison', comparison)).toEqual([]);
  expect(comparison.targets.map(({ name, verdict }) => [name, verdict])).toEqual([
    ['before', 'conforms'],
    ['now', 'violates'],
  ]);
  expect(read('d.html')).toContain('Changed requirements');
});

test('diff refuses a reporter that has no comparison, and a file that it cannot write', async () => {
  const junit = await runInProcess(['diff', 'good.json', 'bad.json', '--reporter', 'junit'], { cwd: folder });
  expect(junit.stderr).toContain(
    'The junit report covers only one report. The comparison has the reporters terminal, html, json, markdown.',
  );
  const none = ['diff', 'good.json', 'bad.json', '--reporter', 'html=good.json/d.html'];
  const unwritable = await runInProcess(none, { cwd: folder });
  expect(unwritable.stderr).toContain('d.html');
  expect([junit.code, unwritable.code]).toEqual([2, 4]);
});

test('diff reports a missing second file', async () => {
  const { code, stderr } = await runInProcess(['diff', 'good.json'], { cwd: folder });
  expect(stderr).toContain('Missing argument: NEW.');
  expect(code).toBe(2);
});
