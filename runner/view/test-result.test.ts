import { expect, test } from 'vitest';
import { listRunFailures } from './test-result.ts';

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
