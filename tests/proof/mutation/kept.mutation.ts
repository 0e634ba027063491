import { expect, test } from 'vitest';
import { combineSetups, type Setup } from '../../../reference-server/combine-setups.ts';
import { createReferenceGateway } from '../../../reference-server/create-reference-server.ts';
import { loadCatalog } from '../../../runner/catalog/catalog.ts';
import { parseProfile } from '../../../runner/profile/read-profile.ts';
import { runSuite } from '../../../runner/run/run.ts';
import { defaultLimits } from '../../../runner/transport/http.ts';
import { createInProcessTransport } from '../../support/gateways/in-process.ts';

const bound = (profile: Setup['profile']) => (): Setup => ({ profile });

/** Each request comes a tenth of a second after the one before it. */
function ticking(): Setup {
  let time = Date.now();
  return {
    now: () => {
      time += 100;
      return time;
    },
  };
}

const inBodies = bound({
  timeFormat: 'unix-millis',
  stream: { parameter: 'streaming' },
  operations: {
    balance: { request: 'POST /v1/account/credits', body: { scope: 'all' } },
    usage: { request: 'POST /v1/account/usage', body: { range: { from: '{start}', until: '{end}' } } },
    record: { request: 'POST /v1/account/requests', body: { request_id: '{request_id}' } },
    internalError: 'GET /v1/account/internal-error',
  },
});

const inPaths = bound({
  timeFormat: 'iso-date',
  operations: {
    usage: 'GET /v1/reports?granularity=day&filter[from]={start}&filter[to]={end}',
    record: 'GET /v1/billing/requests/{request_id}/detail',
    generate: 'POST /v1beta/models/generate?model={model}',
    streamGenerate: 'POST /v1beta/models/stream?model={model}',
  },
});

// The limit is reached by the last request of the burst and, where none is forgotten, long before it.
const countedExactly = (): Setup => ({
  ...ticking(),
  profile: { rateLimit: { operation: 'usage', requests: 40, within: '4s' } },
});

const unlimited = bound({ timeFormat: 'iso-datetime', rateLimit: undefined });

// The conformance suite alone is the test: a mutant of the reference server that it lets pass is a hole in it. The
// settings are legal ones that take the branches which the profile of `serve` does not.
test.each<readonly [string, () => Setup, { readonly notApplicable: number }]>([
  ['as it starts', () => ({}), { notApplicable: 0 }],
  [
    'parameters in bodies, a limit counted exactly',
    () => combineSetups([inBodies(), countedExactly()]),
    { notApplicable: 0 },
  ],
  ['parameters in paths and under other names, dates', inPaths, { notApplicable: 1 }],
  ['times of day, no limit', unlimited, { notApplicable: 1 }],
])(
  '%s: the suite finds nothing to blame and leaves nothing else out',
  async (_, setup, { notApplicable }) => {
    const { gateway, profileAt } = createReferenceGateway(setup());
    const catalog = await loadCatalog();
    const report = await runSuite(catalog, parseProfile(profileAt('http://127.0.0.1'), catalog), {
      selection: { suites: [], only: [] },
      concurrency: 16,
      waitMs: 0,
      limits: defaultLimits,
      retryPolicy: { retries: 1, retriesOf429: 1, firstPauseMs: 1, longestPauseMs: 5, totalPauseMs: 50 },
      transport: createInProcessTransport(gateway),
    });
    const { planned, ...counts } = report.summary.cases;
    expect({ ...counts, verdict: report.verdict }).toEqual({
      conforms: planned - notApplicable,
      violates: 0,
      warns: 0,
      inconclusive: 0,
      notApplicable,
      verdict: 'conforms',
    });
  },
);
