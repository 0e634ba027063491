import { expect, test } from 'vitest';
import { createCase, createCheck, createReport } from '../../tests/support/reports.ts';
import type { Outcome } from '../judge/outcome.ts';
import type { Report } from '../report/report.ts';
import { collectResults, type GatewayReport } from './gateway-results.ts';

/** Creates the report of a gateway from the outcomes of its requirements. */
function gateway(
  target: string,
  outcomes: Readonly<Record<string, Outcome>>,
  changes: Partial<Report> = {},
): GatewayReport {
  const cases = Object.entries(outcomes).map(([id, outcome]) => createCase(id, [createCheck(id, outcome)]));
  const report = createReport(cases, changes, (id) => ({ says: `${id} in ${changes.startedAt}` }));
  const folder = `results/${target}/1`;
  return {
    target,
    report,
    version: '1',
    command: null,
    file: `${folder}/report.json`,
    page: null,
  };
}

const early = { startedAt: '2026-01-01T00:00:00.000Z', spec: { revision: 'old', sections: [] } };
const late = { startedAt: '2026-02-01T00:00:00.000Z', spec: { revision: 'new', sections: [] } };

test('each requirement has the outcome of each gateway, in the order of the gateways', () => {
  const { gateways, requirements } = collectResults([
    gateway('a', { x: 'conforms', y: 'violates' }),
    gateway('b', { x: 'deviates', y: 'not-applicable' }),
  ]);
  expect(gateways.map(({ name, version, file }) => [name, version, file])).toEqual([
    ['a', '1', 'results/a/1/report.json'],
    ['b', '1', 'results/b/1/report.json'],
  ]);
  expect(requirements.map(({ id, results }) => [id, results.map(({ outcome }) => outcome)])).toEqual([
    ['x', ['conforms', 'deviates']],
    ['y', ['violates', 'not-applicable']],
  ]);
});

test('a requirement that a report lacks has no outcome there, and the newest report has the texts', () => {
  const { requirements, spec } = collectResults([
    gateway('a', { only: 'violates', x: 'conforms' }, early),
    gateway('b', { x: 'conforms', y: 'conforms' }, late),
  ]);
  expect(spec.revision).toBe('new');
  expect(
    requirements.map(({ id, says, results }) => [id, says, results.map(({ outcome }) => outcome)]),
  ).toEqual([
    ['x', `x in ${late.startedAt}`, ['conforms', 'conforms']],
    ['y', `y in ${late.startedAt}`, [null, 'conforms']],
    ['only', `only in ${early.startedAt}`, ['violates', null]],
  ]);
});

test('what a gateway declares instead of a requirement is kept', () => {
  const { report, ...rest } = gateway('a', { x: 'deviates' });
  const requirements = report.requirements.map((item) => ({ ...item, declares: 'status 503' }));
  const results = collectResults([{ ...rest, report: { ...report, requirements } }]);
  expect(results.requirements[0]?.results).toEqual([{ outcome: 'deviates', declares: 'status 503' }]);
});

test('caveats name the gateways whose reports differ, and not those of the usual value', () => {
  const reports = ['a', 'b', 'c'].map((name) =>
    gateway(name, { x: 'conforms' }, name === 'b' ? early : late),
  );
  expect(collectResults(reports).caveats).toEqual([
    'The revision of the requirements is not the same: b 1 old, all others new.',
  ]);
  expect(collectResults(reports.slice(0, 2)).caveats).toEqual([
    'The revision of the requirements is not the same: a 1 new, b 1 old.',
  ]);
});

test('the next report is read after the previous one', () => {
  const seen: string[] = [];
  function* read(): Generator<GatewayReport> {
    for (const name of ['a', 'b']) {
      const own = gateway(name, { x: 'conforms' });
      const requirements = own.report.requirements.values();
      yield {
        ...own,
        report: {
          ...own.report,
          get requirements() {
            seen.push(name);
            return [...requirements];
          },
        },
      };
      seen.push(`end of ${name}`);
    }
  }
  collectResults(read());
  expect([...new Set(seen)]).toEqual(['a', 'end of a', 'b', 'end of b']);
  expect(seen.lastIndexOf('a')).toBeLessThan(seen.indexOf('b'));
});
