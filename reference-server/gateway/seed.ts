import { join } from 'node:path';
import { readDataFile } from '../../contract/data-file.ts';
import { packageRoot } from '../../contract/package-root.ts';
import type { Protocol } from './operations.ts';
import { validated } from './schemas.ts';

/** What a key is for in a target profile. */
export type KeyRole = 'valid' | 'deleted' | 'depleted' | 'foreign';

/** A model of the seed: the dialects that may call it, and what it takes. */
export type Model = {
  readonly id: string;
  readonly protocols: readonly Protocol[];
  readonly images: boolean;
  readonly supported?: boolean;
};

/** The state of a gateway at start, as fixtures/reference-gateway.yaml states it. */
export type Seed = {
  /** Accounts and their balances in credits. */
  readonly accounts: readonly { readonly id: string; readonly balance: number }[];
  readonly keys: Readonly<
    Record<KeyRole, { readonly key: string; readonly account: string; readonly deleted?: boolean }>
  >;
  /** The models that the gateway lists. */
  readonly models: readonly Model[];
  /** Request records, of the valid key's account and of another one. */
  readonly records: Readonly<Record<'own' | 'foreign', { readonly id: string; readonly account: string }>>;
  /** How many billing-type requests each key may send in a time such as `10s`. */
  readonly rateLimit: { readonly requests: number; readonly within: string };
  /** `error.details.recharge_url` of a refusal for lack of balance. */
  readonly rechargeUrl: string;
};

const file = join(packageRoot, 'fixtures', 'reference-gateway.yaml');

/** The seed in fixtures/; throws an error that names the place where the file violates its schema. */
export function readSeed(): Seed {
  return validated('reference-gateway.yaml', 'reference-gateway', readDataFile(file).value);
}

/** A duration such as `10s`, `1.5m` or `500ms`, in milliseconds; throws on anything else. */
export function milliseconds(duration: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(duration) ?? [];
  if (amount === undefined) throw new Error(`not a duration: ${duration}`);
  return Number(amount) * (unit === 'ms' ? 1 : unit === 's' ? 1000 : 60_000);
}
