import { describe, expect, test } from 'vitest';
import { createCase, createCheck, createExchange, createReport } from '../../tests/support/reports.ts';
import type { Finding } from '../judge/finding.ts';
import { isKept, type Outcome } from '../judge/outcome.ts';
import type { CaseReport } from '../report/report.ts';
import { formatAgreement, lookOfDifference } from '../view/format-comparison.ts';
import { compareReports } from './compare-reports.ts';
import type { TargetReport } from './comparison.ts';

const wrong = (actual: number): Finding => ({ kind: 'wrong-status', expected: '401', actual });

interface CaseSetup {
  readonly outcome: Outcome;
  readonly status?: number;
  readonly body?: string;
  readonly reason?: string;
}

/** Creates a case with one check. The ID of the requirement is `r/`, followed by the ID of the case. */
function caseOf(id: string, { outcome, status = 401, body = '{}', reason }: CaseSetup): CaseReport {
  const broken = outcome === 'violates' || outcome === 'warns';
  const check = createCheck(`r/${id}`, outcome, {
    findings: broken ? [{ exchange: `${id}#1`, message: `got ${status}`, finding: wrong(status) }] : [],
    ...(reason !== undefined && { reason }),
  });
  const exchange = createExchange(`${id}#1`, {
    attributes: { operation: 'chat' },
    response: { status, headers: {}, body: { text: body, bytes: body.length }, pieces: 1 },
  });
  return createCase(id, [check], { exchanges: broken || isKept(outcome) ? [exchange] : [] });
}

function target(
  name: string,
  cases: Readonly<Record<string, CaseSetup>>,
  seen: readonly string[] = [],
): TargetReport {
  const report = createReport(
    Object.entries(cases).map(([id, item]) => caseOf(id, item)),
    {
      observations: seen.map((text) => ({
        kind: 'open-point',
        case: 'o',
        about: 'It is open.',
        clause: '1',
        seen: text,
      })),
    },
  );
  return { target: name, report };
}

const kept: CaseSetup = { outcome: 'conforms' };
const declared: CaseSetup = { outcome: 'deviates', status: 404 };
const broken: CaseSetup = { outcome: 'violates', status: 200 };
const skipped: CaseSetup = { outcome: 'not-applicable', reason: 'No key.' };
const open: CaseSetup = { outcome: 'inconclusive', reason: 'No answer.' };

test('differences without a violation come last, look mild, and are not allowed by the specification', () => {
  const { differing, open: found } = compareReports([
    target('a', { x: kept, y: kept }),
    target('b', { x: declared, y: broken }),
  ]);
  expect(differing.map(({ id }) => id)).toEqual(['r/y', 'r/x']);
  expect(differing.map(lookOfDifference).map(({ sign, colour }) => [sign, colour])).toEqual([
    ['≠', 'red'],
    ['≠', 'green'],
  ]);
  expect(found).toEqual([]);
});

describe('a check', () => {
  test.each<[string, readonly CaseSetup[], Partial<ReturnType<typeof compareReports>['summary']>]>([
    ['is alike if all targets satisfy it', [kept, kept], { alike: 1 }],
    ['differs if one target violates it', [kept, broken], { differing: 1 }],
    ['differs if the first target violates it', [broken, kept], { differing: 1 }],
    ['differs if one target only warns', [{ ...broken, outcome: 'warns' }, broken], { differing: 1 }],
    [
      'that targets violate in different ways is violated by all',
      [broken, { ...broken, status: 500 }],
      { brokenByAll: 1 },
    ],
    ['is not compared if it does not apply to one target', [kept, skipped], { notCompared: 1 }],
    ['is not compared if only one target was judged', [broken, open], { notCompared: 1 }],
    ['is not compared if no target was judged', [open, skipped], { notCompared: 1 }],
    ['is compared between the judged targets', [kept, open, kept], { alike: 1 }],
    ['differs between the judged targets', [kept, open, broken], { differing: 1 }],
    ['is alike if all targets deviate as declared', [declared, declared], { alike: 1 }],
    ['differs if one target deviates as declared', [kept, declared], { differing: 1 }],
    ['differs between a violation and a declared deviation', [declared, broken], { differing: 1 }],
  ])('%s', (_, made, expected) => {
    const { summary } = compareReports(made.map((item, index) => target(`t${index}`, { a: item })));
    const none = { alike: 0, differing: 0, brokenByAll: 0, notCompared: 0 };
    expect(summary).toEqual({ planned: 1, ...none, ...expected });
  });
});

describe('a comparison', () => {
  test('shows the response of each target if one violates a requirement', () => {
    const [item] = compareReports([
      target('a', { x: kept, y: kept }),
      target('b', { x: { ...broken, body: '{"data":[]}' }, y: kept }),
    ]).differing;
    expect(item).toMatchObject({
      id: 'r/x',
      cases: ['x'],
      targets: [
        { target: 'a', outcome: 'conforms', broken: 0, found: null },
        { target: 'b', outcome: 'violates', broken: 1, found: 'got 200' },
      ],
    });
    expect(item?.evidence.answers.map((own) => own.exchange?.response?.status)).toEqual([401, 200]);
    expect(item?.evidence.differences).toEqual([
      { place: 'status', values: ['401', '200'] },
      { place: '/data', values: [null, 'array'] },
    ]);
  });

  test('states why checks were judged on a single target', () => {
    const { notJudged } = compareReports([
      target('a', { x: kept, y: kept, z: kept }),
      target('b', { x: skipped, y: skipped }),
      target('c', { x: kept, y: kept, z: kept }),
    ]);
    expect(notJudged).toEqual([]);
    const partly = compareReports([
      target('a', { w: kept, x: kept, y: broken, z: kept }),
      target('b', { w: kept, x: skipped, y: skipped }),
    ]);
    expect(partly.notJudged).toEqual([
      {
        target: 'b',
        outcome: 'not-applicable',
        reason: 'No key.',
        add: null,
        requirements: ['r/x', 'r/y'],
        cases: 2,
      },
      {
        target: 'b',
        outcome: 'not-planned',
        reason: 'The case was not planned.',
        add: null,
        requirements: ['r/z'],
        cases: 1,
      },
    ]);
  });

  test('separates differences that the specification allows', () => {
    const { differing, open: found } = compareReports([
      target('a', { x: { ...kept, body: '{"a":1}' } }, ['200']),
      target('b', { x: { ...kept, body: '{"a":1,"b":2}' } }, ['401']),
    ]);
    expect(differing).toEqual([]);
    expect(found.map(({ kind, place, values, where }) => [kind, place, values, where])).toEqual([
      ['silent', 'answer', ['200', '401'], ['o']],
      ['answer', '/b', [null, 'number'], ['chat 401']],
    ]);
  });

  test('ignores observations of a single target', () => {
    const { open: found } = compareReports([target('a', { x: kept }, ['200']), target('b', { x: open })]);
    expect(found).toEqual([]);
  });
});

test.each<[string, readonly TargetReport[]]>([
  [
    'No difference: a and b have the same outcome in 1 compared check.',
    [target('a', { x: kept }), target('b', { x: kept })],
  ],
  [
    'No difference: a and b have the same outcome in 2 compared checks, including 1 violated by all.',
    [target('a', { x: kept, y: broken }), target('b', { x: kept, y: broken })],
  ],
  [
    'a, b and c differ in 1 requirement: 1 of 1 compared check.',
    [target('a', { x: kept }), target('b', { x: kept }), target('c', { x: broken })],
  ],
  [
    'a and c differ in 1 requirement: 1 of 1 compared check.',
    [target('a', { x: kept }), target('b', { x: open }), target('c', { x: broken })],
  ],
  ['Nothing could be compared: only a was judged.', [target('a', { x: kept }), target('b', { x: open })]],
  [
    'Nothing could be compared: a and b have no judged check in common.',
    [target('a', { x: kept, y: open }), target('b', { x: open, y: kept })],
  ],
  ['Nothing could be compared: no target was judged.', [target('a', { x: open }), target('b', { x: open })]],
])('%s', (sentence, reports) => {
  expect(formatAgreement(compareReports(reports))).toBe(sentence);
});
