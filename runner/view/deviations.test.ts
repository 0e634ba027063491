import { expect, test } from 'vitest';
import { createCase, createCheck, createReport } from '../../tests/support/reports.ts';
import { formatDeviation, formatDeviationCount, formatExtent, layOutDeviations } from './deviations.ts';
import { createView } from './view.ts';

const part = { place: 'p.yaml:1', judged: 2 };
const named = {
  ...part,
  id: 'types.a',
  about: 'b',
  reason: 'https://docs.example/errors',
  until: '2099-12-31',
  used: 3,
};
const absent = { ...part, id: 'model/x', about: '"absent"', reason: 'see https://docs.example', used: 1 };
const unneeded = { ...part, id: 'codes.c', about: 'd', used: 0 };
const declared = [named.id];
const { deviations } = createView(
  createReport(
    [
      createCase('one', [createCheck('auth/y', 'deviates', { declared }), createCheck('auth/z', 'conforms')]),
      createCase('two', [createCheck('auth/y', 'violates', { declared })]),
      createCase('three', [createCheck('model/x', 'deviates', { declared: [named.id, absent.id] })]),
    ],
    { deviations: { parts: [named, absent, unneeded], problems: [] } },
    (id) => (id === absent.id ? { declares: 'no `trace_id`' } : {}),
  ),
);

test('a requirement has the deviations that its responses need, with the number of checks', () => {
  const needed = [...(deviations?.needed ?? [])].map(([id, own]) => [
    id,
    own.map(({ deviation, checks }) => [deviation.id, checks]),
  ]);
  expect(needed).toEqual([
    ['auth/y', [['types.a', 2]]],
    [
      'model/x',
      [
        ['types.a', 1],
        ['model/x', 1],
      ],
    ],
  ]);
  expect(deviations && formatDeviationCount(deviations)).toBe('3 deviations in 2 requirements');
});

test('a deviation says what is declared, in words if a requirement has them', () => {
  expect(deviations?.all.map(formatDeviation)).toEqual([
    'types.a: b (https://docs.example/errors)',
    'model/x: no trace_id (see https://docs.example)',
    'codes.c: d',
  ]);
  expect(deviations?.all.map((one) => formatExtent(one))).toEqual([
    '3 checks, until 2099-12-31',
    '1 check',
    '0 checks',
  ]);
});

test('a reason is a link only if the whole reason is the URL of a page', () => {
  const linksOf = (reason: string): unknown =>
    deviations &&
    layOutDeviations({ ...deviations, all: deviations.all.map((one) => ({ ...one, reason })) }).rows[0]
      ?.cells[1]?.link;
  expect(linksOf('https://docs.example/errors')).toBe('https://docs.example/errors');
  for (const reason of [
    'see https://docs.example',
    'https://a b',
    'javascript:alert(1)',
    'data:text/html,x',
    '',
  ])
    expect(linksOf(reason)).toBeUndefined();
});

test('a report without declared deviations has none to show', () => {
  expect(createView(createReport([])).deviations).toBeUndefined();
});
