import { describe, expect, test } from 'vitest';
import { catalogOfPackage } from '../catalog/catalog.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { plan } from '../plan/plan.ts';
import { createPromise } from '../profile/promise.ts';
import { parseProfile } from '../profile/read-profile.ts';
import type { JudgedCase } from './judge-cases.ts';
import { createRounds, type RepeatedCase } from './merge-rounds.ts';
import type { Outcome } from './outcome.ts';
import type { Severity } from './severity.ts';

const catalog = await catalogOfPackage();
const first = required(
  plan(createPromise(catalog, parseProfile({ baseUrl: 'http://x', keys: { valid: 'sk-a' } }, catalog)))
    .cases[0],
);
const own = required(first.checks[0]);

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('no case');
  return value;
}

function exchange(id: string): Exchange {
  return {
    id,
    attributes: {},
    model: undefined,
    request: { method: 'GET', path: '/', headers: {}, body: undefined },
    result: { kind: 'failure', failure: { reason: 'reset', detail: 'x' } },
    startedAt: 0,
    durationMs: 0,
    earlier: [],
    controlAfter: undefined,
  };
}

/** Creates a case with one check of this outcome, and one exchange. */
function createCase(outcome: Outcome): JudgedCase {
  const broken = outcome === 'violates' || outcome === 'warns';
  const verdict = {
    outcome,
    findings: broken ? [{ exchange: 'a#1', finding: { kind: 'one-part' } as const }] : [],
    reason: broken || outcome === 'conforms' ? undefined : `is ${outcome}`,
  };
  return {
    planned: first,
    exchanges: [exchange('a#1')],
    checks: [{ check: own, verdict }],
    outcome,
  };
}

function mergeRounds(all: readonly (readonly JudgedCase[])[]): RepeatedCase[] {
  const rounds = createRounds();
  for (const round of all) rounds.add(round);
  return rounds.cases();
}

function merged(...outcomes: Outcome[]): RepeatedCase {
  const [item] = mergeRounds(outcomes.map((outcome) => [createCase(outcome)]));
  if (!item) throw new Error('nothing merged');
  return item;
}

describe('a repeated case', () => {
  test.each<[Outcome[], Outcome, boolean]>([
    [['conforms'], 'conforms', false],
    [['violates'], 'violates', false],
    [['conforms', 'conforms'], 'conforms', false],
    [['conforms', 'violates'], 'violates', true],
    [['violates', 'warns'], 'violates', false],
    [['violates', 'violates'], 'violates', false],
    [['violates', 'inconclusive'], 'violates', false],
    [['conforms', 'warns'], 'warns', false],
    [['conforms', 'inconclusive'], 'inconclusive', false],
    [['not-applicable', 'conforms'], 'conforms', false],
  ])('with the outcomes %j is %s, unstable: %s', (outcomes, outcome, unstable) => {
    const item = merged(...outcomes);
    expect(item.outcome).toBe(outcome);
    expect(item.outcomes).toEqual(outcomes);
    expect(item.unstable).toBe(unstable);
  });

  test('has the round of each finding, and keeps its exchange', () => {
    const item = merged('conforms', 'violates', 'conforms', 'violates');
    expect(item.checks[0]?.verdict.findings.map(({ exchange: id }) => id)).toEqual(['a#1@2', 'a#1@4']);
    expect(item.exchanges.map(({ id }) => id)).toEqual(['a#1', 'a#1@2', 'a#1@4']);
  });

  test('keeps at most ten exchanges of later rounds', () => {
    expect(merged(...Array.from({ length: 30 }, (): Outcome => 'violates')).exchanges).toHaveLength(11);
  });

  test('has the reason of the round in which the case could not be judged', () => {
    expect(merged('conforms', 'inconclusive').checks[0]?.verdict.reason).toBe('is inconclusive');
  });

  test('that fails in the first round keeps the exchange once, with its own ID', () => {
    const item = merged('violates', 'conforms');
    expect(item.checks[0]?.verdict.findings.map(({ exchange: id }) => id)).toEqual(['a#1']);
    expect(item.exchanges.map(({ id }) => id)).toEqual(['a#1']);
  });

  test('is unstable if one of several checks fails in only one round', () => {
    const { checks, ...rest } = createCase('violates');
    const kept = {
      check: own,
      verdict: { outcome: 'conforms', findings: [], reason: undefined },
    } as const;
    const broken = { ...rest, checks: [kept, ...checks] };
    const whole = { ...rest, checks: [kept, kept], outcome: 'conforms' } as const;
    expect(mergeRounds([[broken], [whole]]).map(({ unstable }) => unstable)).toEqual([true]);
  });

  test('with a check that always fails is unstable only if another check differs', () => {
    const of = (...outcomes: Outcome[]): JudgedCase => ({
      ...createCase('violates'),
      checks: outcomes.flatMap((outcome) => createCase(outcome).checks),
    });
    const unstable = (...rounds: JudgedCase[]) =>
      mergeRounds(rounds.map((item) => [item])).map((item) => item.unstable);
    expect(unstable(of('violates', 'conforms'), of('violates', 'conforms'))).toEqual([false]);
    expect(unstable(of('violates', 'conforms'), of('violates', 'violates'))).toEqual([true]);
    expect(unstable(of('inconclusive', 'conforms'), of('inconclusive', 'violates'))).toEqual([true]);
  });

  test('that only the last round contains is listed once', () => {
    const [item] = mergeRounds([[], [createCase('violates')]]);
    expect(item?.outcomes).toEqual(['violates']);
    expect(item?.exchanges.map(({ id }) => id)).toEqual(['a#1@2']);
  });

  test('ignores a round without the case or without one of its checks', () => {
    const lacking = { ...createCase('conforms'), checks: [] };
    const [item] = mergeRounds([[createCase('conforms')], [], [lacking]]);
    expect(item?.outcomes).toEqual(['conforms', 'conforms']);
    expect(item?.checks.map(({ verdict }) => verdict.outcome)).toEqual(['conforms']);
  });
});

test('returns no cases without rounds', () => {
  expect(mergeRounds([])).toEqual([]);
});

test('a check keeps its highest severity of all rounds', () => {
  const withSeverity = (severity: Severity): JudgedCase => {
    const item = createCase('violates');
    return {
      ...item,
      checks: item.checks.map(({ check, verdict }) => ({ check, verdict: { ...verdict, severity } })),
    };
  };
  const severitiesOf = (...seen: Severity[]): unknown[] =>
    mergeRounds(seen.map((severity) => [withSeverity(severity)])).flatMap(({ checks }) =>
      checks.map(({ verdict }) => verdict.severity),
    );
  expect(severitiesOf('wrong-type', 'unauthorized-access', 'wrong-status')).toEqual(['unauthorized-access']);
  expect(severitiesOf('wrong-status', 'wrong-type')).toEqual(['wrong-status']);
});
