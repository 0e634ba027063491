import { expect, test } from 'vitest';
import { catalogOfPackage } from '../catalog/catalog.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { createEverythingProfile } from '../profile/everything-profile.ts';
import { createPromise } from '../profile/promise.ts';
import { decide } from './decide.ts';

const catalog = await catalogOfPackage();
const promise = createPromise(catalog, createEverythingProfile(catalog));
const context = { promise, unlistedModel: 'no-such-model', goodModels: [] };
const requirement = promise.requirements.find(({ id }) => id === 'auth/missing-credential');
if (!requirement) throw new Error('no requirement auth/missing-credential');
const { id } = requirement;

const bodies: Readonly<Record<string, string>> = {
  right: '{"error":{"type":"missing_auth_credential"}}',
  wrong: '{"error":{"type":"invalid_bearer_token"}}',
};

/** Creates an exchange with this ID. Its response is right or wrong, and in doubt if the ID says so. */
function item(name: string): { readonly exchange: Exchange } {
  const value: unknown = JSON.parse(bodies[name.split(' ')[0] ?? ''] ?? 'null');
  const text = JSON.stringify(value);
  const exchange: Exchange = {
    id: name,
    attributes: { operation: 'chat', header: 'none', request: 'valid' },
    model: undefined,
    request: { method: 'POST', path: '/', headers: {}, body: '{}' },
    result: {
      kind: 'answer',
      answer: {
        status: 401,
        headers: {},
        text,
        size: text.length,
        content: { kind: 'json', value },
        pieces: 1,
      },
    },
    startedAt: 0,
    durationMs: 0,
    earlier: [],
    controlAfter: undefined,
  };
  return { exchange };
}

test.each([
  [['right'], 'conforms', undefined],
  [['wrong'], 'violates', undefined],
  [['wrong in doubt'], 'inconclusive', 'in doubt'],
  // Whatever caused it, a right response is right.
  [['right in doubt'], 'conforms', undefined],
  [['right', 'wrong in doubt'], 'inconclusive', 'in doubt'],
  [['wrong', 'wrong in doubt'], 'violates', undefined],
  [['wrong in doubt', 'wrong in doubt'], 'inconclusive', 'in doubt'],
  [[], 'not-applicable', undefined],
] as const)('%j: %s', (names, outcome, doubt) => {
  const evidence = {
    doubt: ({ exchange }: { readonly exchange: Exchange }) =>
      exchange.id.endsWith('in doubt') ? { reason: 'in doubt', control: 'key' as const } : undefined,
  };
  const decision = decide(requirement, names.map(item), evidence, context);
  expect(decision.verdict.outcome, id).toBe(outcome);
  expect(decision.doubt?.reason).toBe(doubt);
  const inDoubt = decision.verdict.findings.filter(({ exchange }) => exchange.endsWith('in doubt'));
  expect(inDoubt).toEqual([]);
});
