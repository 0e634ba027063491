import { expect, test } from 'vitest';
import { createCase, createCheck, createReport } from '../../tests/support/reports.ts';
import { collectResults } from '../compare/gateway-results.ts';
import { type Outcome, outcomes } from '../judge/outcome.ts';
import { formatGatewayCount, isViolated, layOutGateways, layOutResults } from './format-gateways.ts';

const sections = [
  { number: '2', title: 'Keys' },
  { number: '10', title: 'Streams' },
];

function resultsOf(gateways: Readonly<Record<string, Readonly<Record<string, Outcome>>>>) {
  return collectResults(
    Object.entries(gateways).map(([key, own]) => {
      const [target = '', version = null] = key.split(' ');
      const cases = Object.entries(own).map(([id, outcome]) => createCase(id, [createCheck(id, outcome)]));
      const spec = { revision: '1', sections };
      const report = createReport(cases, { spec }, (id) => ({ clause: id.startsWith('k') ? '2 a' : '10 b' }));
      return { target, version, report, command: null, file: 'report.json', page: null };
    }),
  );
}

test('a section has the numbers of its requirements, and a last row those of all', () => {
  const { rows } = layOutResults(
    resultsOf({ a: { s1: 'violates', k1: 'conforms', k2: 'conforms' }, b: { k1: 'deviates', k2: 'warns' } }),
  );
  expect(
    rows.map(({ label, cells, members }) => [label, members?.length, ...cells.map(({ text }) => text)]),
  ).toEqual([
    ['2 Keys', 2, '✓ 2', '~ 1 ▲ 1'],
    ['10 Streams', 1, '✗ 1', '· 1'],
    ['All', undefined, '✓ 2 ✗ 1', '~ 1 ▲ 1 · 1'],
  ]);
  expect(
    rows
      .flatMap(({ members = [] }) => members)
      .filter(isViolated)
      .map(({ label }) => label),
  ).toEqual(['s1']);
});

test('the legend explains each sign that the table has', () => {
  const all = Object.fromEntries(outcomes.map((outcome) => [`k-${outcome}`, outcome]));
  const { rows, legend = [] } = layOutResults(resultsOf({ a: all, b: { s1: 'conforms' } }));
  const signs = rows.flatMap(({ members = [] }) =>
    members.flatMap(({ cells }) => cells.map(({ text }) => text)),
  );
  expect(legend.map(({ sign }) => sign).sort()).toEqual([...new Set(signs)].sort());
});

test.each([
  [['a'], '1 gateway'],
  [['a', 'b'], '2 gateways'],
  [['a 1', 'a 2', 'b'], '2 gateways in 3 versions'],
])('the gateways %j are %s', (names, text) => {
  const results = resultsOf(Object.fromEntries(names.map((name) => [name, { k1: 'conforms' } as const])));
  expect(formatGatewayCount(results)).toBe(text);
});

test('a report has the verdict of the specification, whatever a baseline accepts', () => {
  const results = resultsOf({ a: { k1: 'violates' } });
  const accepted = results.gateways.map((gateway) => ({ ...gateway, result: 'as-expected' as const }));
  const { rows } = layOutGateways({ ...results, gateways: accepted });
  expect(rows[0]?.cells[1]?.text).toBe('violates');
});
