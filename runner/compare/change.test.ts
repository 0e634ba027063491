import { describe, expect, test } from 'vitest';
import { createCase, createCheck, createExchange, createReport } from '../../tests/support/reports.ts';
import type { Finding } from '../judge/finding.ts';
import type { Outcome } from '../judge/outcome.ts';
import type { CheckReport, Report } from '../report/report.ts';
import { comparisonHtml } from '../reporters/comparison/html/page.tsx';
import { comparisonMarkdown } from '../reporters/comparison/markdown.ts';
import { comparisonTerminal } from '../reporters/comparison/terminal.ts';
import { type Change, changes, chooseDiffExitCode } from './change.ts';
import { compareReports } from './compare-reports.ts';
import type { Comparison } from './comparison.ts';

const finding = (
  kind: 'missing' | 'one-part',
  message = `found ${kind}`,
): CheckReport['findings'][number] => {
  const found: Finding = kind === 'missing' ? { kind, place: '/error' } : { kind };
  return { exchange: 'c#1', message, finding: found };
};

type State = Outcome | 'violates-otherwise' | 'violates-gravely' | undefined;

function report(states: Readonly<Record<string, State>>, more: Partial<Report> = {}): Report {
  const cases = Object.entries(states).flatMap(([id, state]) => {
    if (state === undefined) return [];
    const outcome = state === 'violates-otherwise' || state === 'violates-gravely' ? 'violates' : state;
    const kind = state === 'violates-otherwise' ? 'one-part' : 'missing';
    const findings = outcome === 'violates' ? [finding(kind)] : [];
    const severity = state === 'violates-gravely' ? 'unauthorized-access' : 'wrong-type';
    return [createCase(id, [createCheck('r', outcome, { findings, severity })])];
  });
  return createReport(cases, more);
}

const diff = (was: Report, is: Report): Comparison =>
  compareReports(
    [
      { target: 'before', report: was },
      { target: 'now', report: is },
    ],
    'changes',
  );
const text = (comparison: Comparison, verbose = false): string =>
  comparisonTerminal(comparison, { colour: false, verbose, width: 80 });

const later: Partial<Report> = { tool: { name: 'suite', version: '2.0.0' } };

describe('the change of a check', () => {
  test.each<[State, State, Change | undefined, Partial<Report>?]>([
    ['conforms', 'conforms', undefined],
    ['violates', 'violates', undefined],
    ['warns', 'warns', undefined],
    ['inconclusive', 'not-applicable', undefined],
    ['conforms', 'violates', 'newly-violated'],
    ['warns', 'violates', 'newly-violated'],
    ['violates', 'violates-gravely', 'more-severe'],
    ['violates-gravely', 'violates', undefined],
    ['inconclusive', 'violates', 'violated-not-judged-before'],
    [undefined, 'violates', 'violated-not-judged-before'],
    [undefined, 'violates', 'violated-not-judged-before', later],
    ['violates', 'conforms', 'fixed'],
    ['warns', 'conforms', 'fixed'],
    ['conforms', 'warns', 'newly-warned'],
    [undefined, 'warns', 'newly-warned', later],
    ['conforms', 'inconclusive', 'no-longer-judged'],
    ['violates', 'not-applicable', 'no-longer-judged'],
    ['conforms', undefined, 'no-longer-judged'],
    ['inconclusive', undefined, undefined],
    ['deviates', 'deviates', undefined],
    ['deviates', 'violates', 'newly-violated'],
    ['violates', 'deviates', 'newly-declared'],
    ['conforms', 'deviates', 'newly-declared'],
    ['deviates', 'conforms', 'no-longer-declared'],
    ['inconclusive', 'deviates', 'newly-judged'],
    ['inconclusive', 'conforms', 'newly-judged'],
    [undefined, 'conforms', 'newly-judged'],
    [undefined, 'conforms', 'added', later],
    ['conforms', undefined, 'removed', later],
    ['violates', 'violates-otherwise', 'other-findings'],
  ])('from %s to %s: %s', (was, is, change, more) => {
    const { differing, summary } = diff(report({ c: was }), report({ c: is }, more));
    expect(differing.map((item) => item.change)).toEqual(change === undefined ? [] : [change]);
    const { alike, brokenByAll, notCompared } = summary;
    expect(summary.differing).toBe(differing.length);
    expect(alike + summary.differing + brokenByAll + notCompared).toBe(summary.planned);
  });
});

const requirementsOf = ({ differing }: Comparison) => differing.map(({ change, cases }) => [change, cases]);

test('groups the cases of a requirement, with the worst change first', () => {
  const comparison = diff(
    report({ a: 'violates', b: 'conforms', c: 'conforms', d: 'conforms', e: 'violates' }),
    report({ a: 'conforms', b: 'violates', c: 'violates', d: 'inconclusive', e: 'violates' }),
  );
  expect(requirementsOf(comparison)).toEqual([
    ['newly-violated', ['b', 'c']],
    ['no-longer-judged', ['d']],
    ['fixed', ['a']],
  ]);
  expect(comparison.brokenByAll.map(({ cases }) => cases)).toEqual([['e']]);
  expect(comparison.notJudged).toEqual([]);
  const rows = text(comparison).match(/^ {2}r .*$/gm);
  expect(rows).toEqual([
    '  r      ✓       ✗ 2   newly violated',
    '  r      ✓       ?     no longer judged',
    '  r      ✗ 1     ✓     fixed',
  ]);
});

test('of several reports compares the last with the first', () => {
  const reports = (['conforms', 'violates', 'conforms'] as const).map((state, index) => ({
    target: `run-${index}`,
    report: report({ c: state }),
  }));
  expect(compareReports(reports, 'changes').differing).toEqual([]);
  const [item] = compareReports(reports.slice(0, 2), 'changes').differing;
  expect(item?.targets.map(({ target, outcome }) => [target, outcome])).toEqual([
    ['run-0', 'conforms'],
    ['run-1', 'violates'],
  ]);
});

test.each<[string, Record<string, State>, Record<string, State>, number]>([
  ['nothing changed', { a: 'violates' }, { a: 'violates' }, 0],
  ['a violation is fixed', { a: 'violates' }, { a: 'conforms' }, 0],
  [
    'another case violates a requirement',
    { a: 'violates', b: 'conforms' },
    { a: 'violates', b: 'violates' },
    1,
  ],
  ['a check is no longer judged', { a: 'conforms' }, { a: 'inconclusive' }, 3],
  [
    'another check is no longer judged, and another case violates a requirement',
    { a: 'conforms', b: 'conforms' },
    { a: 'inconclusive', b: 'violates' },
    1,
  ],
])('returns the exit code $3 if %s', (_, was, is, code) => {
  expect(chooseDiffExitCode(diff(report(was), report(is)))).toBe(code);
});

test.each<[string, Partial<Report>]>([
  ['The tool is not the same: before suite 1, now suite 2.0.0.', later],
  [
    'The revision of the requirements is not the same: before 1, now b.',
    { spec: { revision: 'b', sections: [] } },
  ],
  [
    'The base URL is not the same: before http://x, now https://y.example.',
    { target: { baseUrl: 'https://y.example' } },
  ],
  [
    'The part of the run is not the same: before all cases, now shard 1/2.',
    { shard: { index: 1, of: 2, plan: [], judged: 0 } },
  ],
])('a comparison begins with: %s', (caveat, more) => {
  const comparison = diff(report({ a: 'conforms' }), report({ a: 'violates' }, more));
  expect(comparison.caveats).toEqual([caveat]);
  expect(text(comparison).split('\n')[0]).toBe(`! ${caveat}`);
  expect(comparisonMarkdown(comparison).split('\n')[2]).toBe(`> \`${caveat}\``);
  expect(comparisonHtml(comparison)).toContain(caveat);
});

test('a report that ended early says so', () => {
  const stopped = report({ a: 'violates' }, { stopped: { kind: 'bail', reason: 'Bail.' } });
  expect(text(diff(report({ a: 'conforms' }), stopped)).split('\n')[0]).toBe('! now: Bail.');
});

describe('a formatted comparison', () => {
  const many = (state: Outcome): Record<string, State> =>
    Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`case-${index}`, state]));
  const changed = diff(report(many('conforms')), report(many('violates')));
  const sentence = 'conforms → violates: 1 newly violated';
  test('as text shows a change with its finding, and ends with the verdicts and the counts', () => {
    const lines = text(changed).split('\n');
    expect(lines.slice(0, 3)).toEqual(['✗ r  newly violated · 7 cases · must', '  ', '    5']);
    expect(lines).toContain('              found missing');
    expect(lines.at(-2)).toBe(sentence);
    expect(text(changed)).not.toContain('case-6');
    expect(text(changed, true)).toContain('case-6');
  });
  test('as text has a good change only in the table, unless it is verbose', () => {
    const fixed = diff(report(many('violates')), report(many('conforms')));
    expect(text(fixed)).toMatch(/^Changed {2}before {2}now {3}Change\n {2}r {6}✗ 7 {5}✓ {5}fixed\n/);
    expect(text(fixed, true)).toMatch(/^✓ r {2}fixed · 7 cases/);
  });
  test('as Markdown names the first five cases and counts the others', () => {
    const markdown = comparisonMarkdown(changed);
    expect(markdown.split('\n')[0]).toBe('## conforms → violates\\: 1 newly violated');
    expect(markdown).toContain('\n| `r` | ✓ | ✗ 7 | newly violated |\n');
    expect(markdown).toContain('\n#### ✗ `r`: newly violated\n');
    expect(markdown).toMatch(/\n- changed in 7 cases: `case-0`, .*`case-4` and 2 more\n/);
  });
  test('as HTML links each row to its change', () => {
    const html = comparisonHtml(
      diff(report({ a: 'violates', b: 'conforms' }), report({ a: 'conforms', b: 'violates' })),
    );
    for (const change of ['newly-violated', 'fixed']) {
      expect(html).toContain(`href="#requirement/${change}/r"`);
      expect(html.split(`id="requirement/${change}/r"`)).toHaveLength(2);
    }
    expect(html).toContain('1 requirement changed');
  });
  test('as Markdown has fewer than 60,000 characters even with many long changes, and counts the omitted ones', () => {
    const long = '`x'.repeat(2_000);
    const [first] = changed.differing;
    if (!first) throw new Error('nothing changed');
    const items = changes.flatMap((change) =>
      Array.from({ length: 12 }, (_, index) => ({
        ...first,
        change,
        id: `auth/made-up-${index}${long}`,
        cases: first.cases.map((id) => id + long),
        targets: first.targets.map((own) => ({ ...own, found: long })),
        evidence: {
          ...first.evidence,
          answers: first.targets.map(({ target }) => ({ target, exchange: createExchange(long) })),
          differences: Array.from({ length: 12 }, (_, at) => ({
            place: `/${at}${long}`,
            values: [long, long],
          })),
        },
      })),
    );
    const open = items.map(() => ({
      kind: 'answer' as const,
      about: long,
      place: long,
      values: [long, long],
      where: [long, long, long],
    }));
    const caveats = Array.from({ length: 5 }, () => long);
    const markdown = comparisonMarkdown({ ...changed, caveats, differing: items, brokenByAll: items, open });
    expect(markdown.length).toBeLessThan(60_000);
    expect(markdown.match(/^\*and \d+ more\*$/gm)?.length).toBeGreaterThanOrEqual(4);
  });
  test('states that nothing changed', () => {
    const same = diff(report({ a: 'conforms' }), report({ a: 'conforms' }));
    expect(text(same)).toMatch(/\nNo check changed: conforms, as before\.\n$/);
    expect(comparisonHtml(same)).toContain('No change');
  });
  test('escapes text of the gateway', () => {
    const message = 'x\u001b[31m `` <b> [a](b)\n# title';
    const evil = createReport([
      createCase('c', [createCheck('r', 'violates', { findings: [finding('missing', message)] })]),
    ]);
    const comparison = diff(report({ c: 'conforms' }), evil);
    expect(text(comparison)).toContain('x\\u001b[31m `` <b> [a](b) # title\n');
    expect(comparisonMarkdown(comparison)).toContain('```x\\u001b[31m `` <b> [a](b) # title```');
  });
});
