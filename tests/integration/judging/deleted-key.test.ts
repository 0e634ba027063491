import { beforeAll, describe, expect, test } from 'vitest';
import { combineSetups, withDecisions } from '../../../reference-server/combine-setups.ts';
import type { Overrides } from '../../../reference-server/gateway/decisions.ts';
import { createReferenceServer, faults } from '../../../reference-server/index.ts';
import { chooseExitCode } from '../../../runner/gate/exit-code.ts';
import { run } from '../../../runner/library.ts';
import type { Report } from '../../../runner/report/report.ts';

/** Returns the decisions of a gateway that refuses the valid key with this status after this number of requests. */
const deletedAfter =
  (requests: number, status = 401): Overrides =>
  (base) => {
    const isDeleted = (number: number): boolean => number > requests;
    return {
      findKey: (credential, ctx) => {
        const key = base.findKey(credential, ctx);
        return key?.role === 'valid' && isDeleted(ctx.number) ? undefined : key;
      },
      errorStatusOf: (failure, ctx) =>
        failure.kind === 'bad-key' && isDeleted(ctx.number) ? status : base.errorStatusOf(failure, ctx),
    };
  };

/** Returns the report of a run over HTTP against a gateway with these decisions and this seeded fault. */
async function reportOn(
  decisions: Overrides,
  { fault, ...options }: Parameters<typeof run>[1] & { readonly fault?: string } = {},
): Promise<Report> {
  const setup = faults.find(({ id }) => id === fault)?.setup();
  const server = await createReferenceServer(
    combineSetups([...(setup ? [setup] : []), withDecisions(decisions)()]),
  );
  try {
    return await run(server.profile, options);
  } finally {
    await server.close();
  }
}

const violated = ({ requirements }: Report): string[] =>
  requirements.filter(({ outcome }) => outcome === 'violates').map(({ id }) => id);
const reasons = ({ cases }: Report): string[] => [
  ...new Set(cases.flatMap(({ checks }) => checks.flatMap(({ reason }) => reason ?? []))),
];
const lenient = { strict: false, strictShould: false };
const requests = { suites: ['requests'] };

describe('a valid key that the gateway rejects after some requests', () => {
  let report: Report;
  beforeAll(async () => {
    report = await reportOn(deletedAfter(400));
  }, 60_000);

  test('causes no violation, and the run is inconclusive', () => {
    expect(violated(report)).toEqual([]);
    expect(chooseExitCode(report, lenient)).toBe(3);
  });

  test('is named in the diagnosis once, with the response of the gateway', () => {
    expect(report.diagnosis.map(({ kind }) => kind)).toEqual(['key-refused']);
    expect(report.diagnosis[0]?.message).toMatch(
      /^The gateway accepted the key `keys\.valid` at first, .*\(401 "/,
    );
  });

  test('is the reason why cases are inconclusive', () => {
    expect(reasons(report)).toContain(
      'The gateway accepted the key `keys.valid` at first, but later rejected the key in a control too (401). The key may have been deleted, or may have expired or run out of credit.',
    );
  });
});

test.each([
  ['in the controls, after the first request', 1, 401, {}],
  ['between the controls', 12, 401, requests],
  ['with 403', 300, 403, requests],
  ['with 402', 300, 402, requests],
  ['at the end of the run', 600, 401, requests],
  ['in a run that stops at the first violation', 300, 401, { ...requests, bail: true }],
  ['in a run with at most 16 billable calls', 300, 401, { ...requests, maxBillable: 16 }],
])(
  'a valid key that the gateway rejects %s causes no violation',
  async (_, number, status, options) => {
    const report = await reportOn(deletedAfter(number, status), options);
    expect(violated(report)).toEqual([]);
    expect(chooseExitCode(report, lenient)).toBe(3);
  },
  60_000,
);

test.each([
  ['while the valid key is accepted', Number.POSITIVE_INFINITY, {}, []],
  ['in a run with at most 16 billable calls', Number.POSITIVE_INFINITY, { maxBillable: 16 }, []],
  ['before the key was deleted', 600, {}, ['key-refused']],
])(
  'a gateway that responds with 401 instead of 400 %s is reported',
  async (_, number, options, kinds) => {
    const fault = 'models/mismatched-401';
    const report = await reportOn(deletedAfter(number), { ...options, ...requests, fault });
    expect(violated(report)).toContain('models/mismatched');
    expect(report.diagnosis.map(({ kind }) => kind)).toEqual(kinds);
  },
  60_000,
);
