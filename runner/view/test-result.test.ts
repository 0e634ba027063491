import { describe, expect, test } from 'vitest';
import { createCase, createCheck, createReport } from '../../tests/support/reports.ts';
import type { Outcome } from '../judge/outcome.ts';
import type { CheckReport } from '../report/report.ts';
import { listRunFailures } from './test-result.ts';
import { createView } from './view.ts';

const unread = 'The model list cannot be read: the status was 500.';

type RunState = Parameters<typeof listRunFailures>[0]['report'];

/** A complete run with `--models` that could not read the model list. */
const complete: RunState = {
  diagnosis: [],
  stopped: null,
  baseline: null,
  models: { patterns: ['*'], listed: 0, unread, items: [], requirements: [], notJudged: [] },
};

const interrupted = { kind: 'interrupted', reason: 'The run was interrupted.' } as const;
const bail = { kind: 'bail', reason: 'A violation was found.' } as const;
const unreachable = {
  kind: 'unreachable',
  message: 'The gateway cannot be reached.',
  operation: undefined,
} as const;

test.each([
  ['the model list', 'the run was complete', {}, [['model-list', unread]]],
  ['the model list', '--bail stopped the run', { stopped: bail }, [['model-list', unread]]],
  [
    'the interruption and the model list',
    'the run was interrupted',
    { stopped: interrupted },
    [
      ['stopped', interrupted.reason],
      ['model-list', unread],
    ],
  ],
  [
    'the outage',
    'the gateway cannot be reached',
    { diagnosis: [unreachable], stopped: interrupted },
    [['unreachable', unreachable.message]],
  ],
])(
  'reports %s if the model list cannot be read and %s',
  (_what, _when, change: Partial<RunState>, errors) => {
    expect(
      listRunFailures({ report: { ...complete, ...change }, gate: { violatedDuties: [] } }, {}),
    ).toMatchObject(errors.map(([name, message]) => ({ suite: 'run', type: 'inconclusive', name, message })));
  },
);

describe('the tests of a report', () => {
  const outcomesOf = (outcome: Outcome, expected?: string): CheckReport =>
    createCheck('models/unlisted', outcome, expected === undefined ? {} : { expected });
  const kindOf = (...checks: readonly CheckReport[]): string | undefined => {
    const cases = checks.map((check, index) => createCase(`case/${index}`, [check]));
    return createView(createReport(cases)).tests[0]?.kind;
  };

  test.each<[string, readonly CheckReport[]]>([
    ['failed', [outcomesOf('conforms'), outcomesOf('violates'), outcomesOf('inconclusive')]],
    ['errored', [outcomesOf('conforms'), outcomesOf('inconclusive'), outcomesOf('violates', 'Ticket 12')]],
    ['known', [outcomesOf('conforms'), outcomesOf('violates', 'Ticket 12'), outcomesOf('warns')]],
    ['warned', [outcomesOf('conforms'), outcomesOf('warns')]],
    ['warned', [outcomesOf('deviates'), outcomesOf('warns')]],
    ['declared', [outcomesOf('conforms'), outcomesOf('deviates')]],
    ['skipped', [outcomesOf('not-applicable'), outcomesOf('not-applicable')]],
    ['passed', [outcomesOf('conforms'), outcomesOf('not-applicable')]],
  ])('have the kind %s', (kind, checks) => {
    expect(kindOf(...checks)).toBe(kind);
  });

  test('are one for each requirement, in the order of the report, with the cases of the result', () => {
    const cases = [
      createCase('b/1', [createCheck('b/one', 'violates'), createCheck('a/two', 'conforms')]),
      createCase('b/2', [createCheck('b/one', 'conforms')]),
      createCase('b/3', [createCheck('b/one', 'violates')]),
    ];
    const rows = createView(createReport(cases)).tests;
    expect(rows.map(({ name, suite, cases: own }) => [name, suite, own])).toEqual(
      createReport(cases).requirements.map(({ id }) =>
        id === 'b/one' ? ['b/one', 'b', ['b/1', 'b/3']] : ['a/two', 'a', []],
      ),
    );
  });
});
