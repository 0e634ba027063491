import { expect, test } from 'vitest';
import { combineSetups, type Setup } from '../../../reference-server/combine-setups.ts';
import { createReferenceGateway } from '../../../reference-server/create-reference-gateway.ts';
import { loadCatalog } from '../../../runner/catalog/catalog.ts';
import { createPromise } from '../../../runner/profile/promise.ts';
import { parseProfile } from '../../../runner/profile/read-profile.ts';
import { runSuite } from '../../../runner/run/run.ts';
import { createInProcessTransport } from '../../support/gateways/in-process.ts';

const withProfile = (profile: Setup['profile']) => (): Setup => ({ profile });

/** Creates a clock that advances by at least 100 ms for each request. */
function createTickingClock(): Setup {
  let time = Date.now();
  return {
    now: () => {
      time += 100;
      return time;
    },
  };
}

const inBodies = withProfile({
  timeFormat: 'unix-millis',
  stream: { parameter: 'streaming' },
  operations: {
    balance: { request: 'POST /v1/account/credits', body: { scope: 'all' } },
    usage: { request: 'POST /v1/account/usage', body: { range: { from: '{start}', until: '{end}' } } },
    record: { request: 'POST /v1/account/requests', body: { request_id: '{request_id}' } },
    internalError: 'GET /v1/account/internal-error',
  },
});

const inPaths = withProfile({
  timeFormat: 'iso-date',
  operations: {
    usage: 'GET /v1/reports?granularity=day&filter[from]={start}&filter[to]={end}',
    record: 'GET /v1/billing/requests/{request_id}/detail',
    generate: 'POST /v1beta/models/generate?model={model}',
    streamGenerate: 'POST /v1beta/models/stream?model={model}',
  },
});

// The last request of the burst exceeds the limit. If no request expired, an earlier request would exceed the limit.
const countedExactly = (): Setup => ({
  ...createTickingClock(),
  profile: { rateLimit: { operation: 'usage', requests: 40, within: '4s' } },
});

const unlimited = withProfile({ timeFormat: 'iso-datetime', rateLimit: undefined });

// The conformance suite is the only test. If the suite does not find a mutant of the reference gateway, the suite has a
// gap. The setups conform and use the branches that the profile of `serve` does not use.
test.each<readonly [string, () => Setup, { readonly notApplicable: number }]>([
  ['with the default profile', () => ({}), { notApplicable: 0 }],
  [
    'with parameters in bodies and an exact rate limit',
    () => combineSetups([inBodies(), countedExactly()]),
    { notApplicable: 0 },
  ],
  ['with parameters in paths, other names and dates', inPaths, { notApplicable: 1 }],
  ['with times of day and without a limit', unlimited, { notApplicable: 1 }],
])('%s, every applicable case conforms', async (_, setup, { notApplicable }) => {
  const { gateway, profileAt } = createReferenceGateway(setup());
  const catalog = await loadCatalog();
  const report = await runSuite(
    createPromise(catalog, parseProfile(profileAt('http://127.0.0.1'), catalog)),
    {
      concurrency: 16,
      waitMs: 0,
      retryPolicy: { retries: 1, retriesOf429: 1, firstPauseMs: 1, longestPauseMs: 5, totalPauseMs: 50 },
      transport: createInProcessTransport(gateway),
    },
  );
  const { planned, ...counts } = report.summary.cases;
  expect({ ...counts, verdict: report.verdict }).toEqual({
    conforms: planned - notApplicable,
    violates: 0,
    warns: 0,
    inconclusive: 0,
    notApplicable,
    verdict: 'conforms',
  });
});
