import { describe, expect, test } from 'vitest';
import { createCase, createCheck, createReport } from '../../tests/support/reports.ts';
import type { Finding } from '../judge/finding.ts';
import type { Outcome } from '../judge/outcome.ts';
import type { CheckReport, Report } from '../report/report.ts';
import { formatDiffAsMarkdown, formatDiffAsText } from '../reporters/comparison/diff.ts';
import {
  type Change,
  type ComparedReport,
  changes,
  chooseDiffExitCode,
  diffReports,
} from './diff-reports.ts';

const finding = (
  kind: 'missing' | 'one-part',
  message = `found ${kind}`,
): CheckReport['findings'][number] => {
  const found: Finding = kind === 'missing' ? { kind, place: '/error' } : { kind };
  return { exchange: 'c#1', message, finding: found };
};

type State = Outcome | 'violates-otherwise' | 'violates-gravely' | undefined;

function report(states: Readonly<Record<string, State>>, more: Partial<Report> = {}): ComparedReport {
  const cases = Object.entries(states).flatMap(([id, state]) => {
    if (state === undefined) return [];
    const outcome = state === 'violates-otherwise' || state === 'violates-gravely' ? 'violates' : state;
    const kind = state === 'violates-otherwise' ? 'one-part' : 'missing';
    const findings = outcome === 'violates' ? [finding(kind)] : [];
    const severity = state === 'violates-gravely' ? 'unauthorized-access' : 'wrong-type';
    return [createCase(id, [createCheck('r', outcome, { findings, severity })])];
  });
  return createReport(cases, { verdict: 'conforms', ...more });
}

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
    ['inconclusive', 'conforms', 'newly-judged'],
    [undefined, 'conforms', 'newly-judged'],
    [undefined, 'conforms', 'added', later],
    ['conforms', undefined, 'removed', later],
    ['violates', 'violates-otherwise', 'other-findings'],
  ])('from %s to %s: %s', (was, is, change, more) => {
    const { changes } = diffReports(report({ c: was }), report({ c: is }, more));
    expect(changes.map((item) => item.change)).toEqual(change === undefined ? [] : [change]);
  });
});

test('groups the cases of a requirement, with the worst change first', () => {
  const { changes } = diffReports(
    report({ a: 'violates', b: 'conforms', c: 'conforms', d: 'conforms' }),
    report({ a: 'conforms', b: 'violates', c: 'violates', d: 'inconclusive' }),
  );
  expect(changes.map(({ change, cases }) => [change, cases])).toEqual([
    ['newly-violated', ['b', 'c']],
    ['no-longer-judged', ['d']],
    ['fixed', ['a']],
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
  expect(chooseDiffExitCode(diffReports(report(was), report(is)))).toBe(code);
});

test.each<[string, Partial<Report>]>([
  ['The tool changed. Before: suite 1. Now: suite 2.0.0.', later],
  [
    'The requirements changed. Before: revision 1. Now: revision b.',
    { spec: { revision: 'b', sections: [] } },
  ],
  [
    'The base URL changed. Before: http://x. Now: https://y.example.',
    { target: { baseUrl: 'https://y.example' } },
  ],
  ['The part of the run changed. Before: all. Now: shard 1/2.', { shard: { index: 1, of: 2, plan: [] } }],
  [
    'The end of the run changed. Before: complete. Now: Bail.',
    { stopped: { kind: 'bail', reason: 'Bail.' } },
  ],
])('the formatted diff begins with: %s', (caveat, more) => {
  const diff = diffReports(report({ a: 'conforms' }), report({ a: 'violates' }, more));
  expect(diff.caveats).toEqual([caveat]);
  expect(formatDiffAsText(diff).split('\n')[0]).toBe(`! ${caveat}`);
  expect(formatDiffAsMarkdown(diff).split('\n')[2]).toBe(`> \`${caveat}\``);
});

describe('a formatted diff', () => {
  const many = (state: Outcome): Record<string, State> =>
    Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`case-${index}`, state]));
  const diff = diffReports(report(many('conforms')), report(many('violates'), { verdict: 'violates' }));
  test('as text names the first five cases and counts the other cases', () => {
    expect(formatDiffAsText(diff)).toBe(
      [
        'Newly violated',
        '✗ r  7 cases',
        '    now:    found missing',
        ...[0, 1, 2, 3, 4].map((index) => `      case-${index}`),
        '      and 2 more',
        '',
        'conforms → violates: 1 newly violated',
        '',
      ].join('\n'),
    );
  });
  test('as Markdown has the verdicts and the counts as its title', () => {
    expect(formatDiffAsMarkdown(diff)).toMatch(
      /^## conforms → violates: 1 newly violated\n\n### ✗ Newly violated \(1\)\n\n- `r`, 7 cases\n/,
    );
  });
  test('as Markdown has fewer than 60,000 characters even with many long changes, and counts the omitted ones', () => {
    const long = '`x'.repeat(2_000);
    const items = changes.flatMap((change) =>
      Array.from({ length: 126 }, (_, index) => ({
        change,
        requirement: `auth/made-up-${index}${long}`,
        cases: Object.keys(many('violates')).map((id) => id + long),
        was: long,
        is: long,
      })),
    );
    const caveats = Array.from({ length: 5 }, () => long);
    const text = formatDiffAsMarkdown({ ...diff, caveats, changes: items });
    expect(text.length).toBeLessThan(60_000);
    expect(text.match(/^### .* \(126\)$/gm)).toHaveLength(changes.length);
    expect(text.match(/^- `/gm)?.length).toBeGreaterThanOrEqual(changes.length);
    expect(text.match(/^\*and \d+ more\*$/gm)).toHaveLength(changes.length);
  });
  test('states that nothing changed', () => {
    const same = diffReports(report({ a: 'conforms' }), report({ a: 'conforms' }));
    expect(formatDiffAsText(same)).toBe('No check changed: conforms, as before.\n');
  });
  test('escapes text of the gateway', () => {
    const evil = report({});
    const message = 'x\u001b[31m `` <b> [a](b)\n# title';
    const cases = [
      {
        id: 'c',
        checks: [{ requirement: 'r', outcome: 'violates' as const, findings: [finding('missing', message)] }],
      },
    ];
    const diff = diffReports(evil, { ...evil, cases });
    expect(formatDiffAsText(diff)).toContain('now:    x\\u001b[31m `` <b> [a](b) # title\n');
    expect(formatDiffAsMarkdown(diff)).toContain('now: ```x\\u001b[31m `` <b> [a](b) # title```\n');
  });
});
