import { beforeAll, describe, expect, test } from 'vitest';
import { allOf, byHeader, onOperation, onSurface, withKey } from '../../../reference-server/conditions.ts';
import type { Context } from '../../../reference-server/gateway/context.ts';
import type { Overrides } from '../../../reference-server/gateway/decisions.ts';
import { applyWhere } from '../../../reference-server/overrides.ts';
import { type Catalog, catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import { chooseExitCode } from '../../../runner/gate/exit-code.ts';
import type { Report } from '../../../runner/report/report.ts';
import { reportOn } from '../../support/gateways/judge-gateway.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await catalogOfPackage();
});

const lenient = { strict: false, strictShould: false };
const broken = ({ requirements }: Report): string[] =>
  requirements.filter(({ outcome }) => outcome === 'violates').map(({ id }) => id);

/** Returns the decisions of a gateway whose valid key has no balance from the call with this number on. */
function loseBalanceAfter(calls: number): Overrides {
  let left = calls;
  return (base) => ({
    canPay: (account, ctx) => {
      if (ctx.key?.role !== 'valid') return base.canPay(account, ctx);
      left -= 1;
      return left > 0;
    },
  });
}

/**
 * Returns the decisions of a gateway that refuses requests with 403 after more than this number of wrong keys.
 * `requests` is the number of refused requests. Default: all requests.
 */
function lockOutAfter(refusals: number, requests = Number.POSITIVE_INFINITY): Overrides {
  let [count, refused] = [0, 0];
  const isLocked = (): boolean => count > refusals && refused < requests;
  return (base) => ({
    finish: (answer, ctx) => {
      if (isLocked()) refused += 1;
      else if (ctx.failure?.kind === 'bad-key') count += 1;
      return base.finish(answer, ctx);
    },
    findKey: (credential, ctx) => (isLocked() ? undefined : base.findKey(credential, ctx)),
    errorStatusOf: (failure, ctx) => (isLocked() ? 403 : base.errorStatusOf(failure, ctx)),
    errorTypeOf: (failure, ctx) => (isLocked() ? 'permission_denied' : base.errorTypeOf(failure, ctx)),
  });
}

const limited: Overrides = (base) => ({
  canPay: () => false,
  errorStatusOf: (failure, ctx) => (failure.kind === 'low-balance' ? 429 : base.errorStatusOf(failure, ctx)),
  errorTypeOf: (failure, ctx) =>
    failure.kind === 'low-balance' ? 'rate_limit' : base.errorTypeOf(failure, ctx),
  errorDetailsOf: () => null,
});

/**
 * Returns the decisions of a gateway in which, for one request in three, the model `gpt-reference` is unavailable
 * four times before the call succeeds. `type` is the `error.type` of the failed calls.
 */
function makeModelUnavailable(type: string): Overrides {
  const isPicked = pickTransientFailures(3, 4);
  const asked = new Map<number, boolean>();
  return (base) => ({
    findModel: (id, ctx) => {
      const isGone = asked.get(ctx.number) ?? isPicked(ctx);
      asked.set(ctx.number, isGone);
      return id === 'gpt-reference' && isGone ? undefined : base.findModel(id, ctx);
    },
    errorTypeOf: (failure, ctx) =>
      failure.kind === 'unknown-model' && failure.model === 'gpt-reference'
        ? type
        : base.errorTypeOf(failure, ctx),
  });
}

describe('no violation is reported for a gateway', () => {
  test.each<[string, () => Overrides]>([
    ['whose valid key has no balance after some calls', () => loseBalanceAfter(12)],
    ['whose guard locks out an address after many wrong keys', () => lockOutAfter(100)],
    ['whose guard locks out an address for a short time after many wrong keys', () => lockOutAfter(100, 60)],
    [
      'that limits the rate of requests with x-api-key',
      () => applyWhere(allOf(onSurface('model'), byHeader('x-api-key'), withKey('valid')), limited),
    ],
  ])('%s, and the gateway is not reported as conforming', async (_, decisions) => {
    const report = await reportOn(catalog, () => ({ decisions: decisions() }));
    expect(broken(report)).toEqual([]);
    expect(chooseExitCode(report, lenient)).toBe(3);
  });

  test.each(['model_not_available', 'model_not_supported'])(
    'whose model is intermittently unavailable, with the error %s',
    async (type) => {
      const report = await reportOn(catalog, () => ({ decisions: makeModelUnavailable(type) }));
      expect(broken(report)).toEqual([]);
    },
  );
});

test('a gateway that refuses the valid key in one header of chat with `insufficient_balance` is reported', async () => {
  const report = await reportOn(catalog, () => ({
    decisions: applyWhere(allOf(onOperation('chat'), byHeader('x-api-key'), withKey('valid')), () => ({
      canPay: () => false,
    })),
  }));
  expect(broken(report)).toContain('auth/good-x-api-key');
});

test('a record that no longer exists is inconclusive, and does not count as an absent endpoint', async () => {
  const report = await reportOn(catalog, () => ({
    decisions: applyWhere(onOperation('record'), () => ({ findRecord: () => undefined })),
  }));
  expect(broken(report)).toEqual([]);
  expect(chooseExitCode(report, lenient)).toBe(3);
});

/**
 * Creates a function that selects every `share`th distinct request for a failure. The function returns true for the
 * first `times` times that a selected request is sent. Create a separate function for each server, since the function
 * has state.
 */
function pickTransientFailures(share: number, times = 1): (ctx: Context) => boolean {
  const seen = new Map<string, { readonly struck: boolean; times: number }>();
  return ({ request, body, credential }) => {
    const identity = [
      request.method,
      request.path,
      String(request.query),
      credential.header,
      credential.value,
      JSON.stringify(body),
    ].join(' ');
    const known = seen.get(identity) ?? { struck: (seen.size + 1) % share === 0, times: 0 };
    seen.set(identity, known);
    known.times += 1;
    return known.struck && known.times <= times;
  };
}
