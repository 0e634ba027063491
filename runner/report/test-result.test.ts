import { expect, test } from 'vitest';
import type { Report } from './report.ts';
import { listRunFailures } from './test-result.ts';

const unread = 'The model list cannot be read: the status was 500.';
const counts = { planned: 0, conforms: 0, violates: 0, warns: 0, inconclusive: 0, notApplicable: 0 };

/** Creates a report of a run with `--models` that could not read the model list. */
function reportWith(change: Partial<Report>): Report {
  return {
    schemaVersion: 1,
    tool: { name: 't', version: '1' },
    spec: { revision: '1' },
    target: { baseUrl: 'http://x' },
    startedAt: '',
    durationMs: 0,
    verdict: 'conforms',
    diagnosis: [],
    stopped: null,
    shard: null,
    rounds: 1,
    baseline: null,
    requests: { requests: 0, billable: 0, badKeys: 0, sent: 0 },
    summary: { cases: counts, requirements: counts },
    requirements: [],
    cases: [],
    others: [],
    observations: [],
    models: { patterns: ['*'], listed: 0, unread, items: [], requirements: [], notJudged: [] },
    ...change,
  };
}

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
])('reports %s if the model list cannot be read and %s', (_what, _when, change: Partial<Report>, errors) => {
  expect(listRunFailures(reportWith(change), {})).toMatchObject(
    errors.map(([name, message]) => ({ suite: 'run', type: 'inconclusive', name, message })),
  );
});
