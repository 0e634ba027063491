import { expect, test } from 'vitest';
import { collectModelFailures } from '../report/model-failures.ts';
import type { ModelReport, ModelsReport } from '../report/report.ts';
import { formatModelCounts, formatModels, groupModels } from './models.ts';

const passed = {
  planned: 1,
  conforms: 1,
  violates: 0,
  warns: 0,
  inconclusive: 0,
  deviates: 0,
  notApplicable: 0,
};

/** Returns results in which all models but the last violate `a`, and all models but the last two violate `b`. */
function resultsOf(names: readonly string[], expected: readonly string[]): ModelsReport {
  const violation = (requirement: string, id: string): ModelReport['broken'][number] => ({
    requirement,
    outcome: 'violates',
    cases: 1,
    ...(expected.includes(id) && { expected: 'JIRA-1' }),
  });
  const models = { ...passed, planned: names.length };
  return {
    patterns: ['all'],
    listed: names.length,
    items: names.map((id, index) => ({
      id,
      operations: ['chat'],
      own: [],
      cases: passed,
      broken: [
        ...(index < names.length - 1 ? [violation('a', id)] : []),
        ...(index < names.length - 2 ? [violation('b', id)] : []),
      ],
    })),
    requirements: [
      { id: 'a', models },
      { id: 'b', models },
    ],
    notJudged: [],
  };
}

const names = ['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7'];

test.each<[string, readonly string[], readonly string[]]>([
  ['conform', [], ['a: 6 of 7 models, all but m7', 'b: 5 of 7 models, all but m6, m7']],
  [
    'violate the requirement as the baseline expects',
    ['m6'],
    ['a: 5 of 7 models: m1, m2, m3, m4 and 1 more', 'b: 5 of 7 models, all but m6, m7', 'a: m6'],
  ],
])('describes a group of models if other models %s', (_, expected, texts) => {
  const models = resultsOf(names, expected);
  const groups = groupModels({ models, requirements: [] }, collectModelFailures({ models, cases: [] }));
  expect(groups.map((group) => `${group.requirements.join()}: ${formatModels(group)}`)).toEqual(texts);
});

test('counts models with inconclusive cases separately', () => {
  const models = resultsOf(['m1', 'm2', 'm3', 'm4'], []);
  const items = models.items.map((item) => ({
    ...item,
    broken: [],
    cases: { ...item.cases, inconclusive: item.id === 'm1' ? 1 : 0 },
  }));
  expect(formatModelCounts({ ...models, items })).toBe(
    '4 of 4 listed models: 3 conforming, 1 with inconclusive cases',
  );
});

test('counts models that deviate as declared separately', () => {
  const models = resultsOf(['m1', 'm2'], []);
  const items = models.items.map((item) => ({
    ...item,
    broken: [],
    ...(item.id === 'm2' && { cases: { ...item.cases, deviates: 1 } }),
  }));
  expect(formatModelCounts({ ...models, items })).toBe('2 of 2 listed models: 1 conforming, 1 as declared');
});

test('counts models with only warnings separately', () => {
  const models = resultsOf(['m1', 'm2', 'm3', 'm4'], []);
  const items = models.items.map((item) =>
    item.id === 'm2'
      ? { ...item, broken: item.broken.map((entry) => ({ ...entry, outcome: 'warns' as const })) }
      : item,
  );
  expect(formatModelCounts({ ...models, items })).toBe(
    '4 of 4 listed models: 1 conforming, 2 failing, 1 with warnings',
  );
});
