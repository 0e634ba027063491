import { join } from 'node:path';
import { readDuration } from '../../common/duration.ts';
import { packageRoot } from '../../common/package-root.ts';
import type { KeyRole } from '../../common/profile-values.ts';
import type { Protocol } from '../answers/prompt.ts';
import { readValidFile } from '../schemas.ts';

/**
 * A model with the protocols in which the model can be called. `images`: whether the model accepts images. A model with
 * `supported: false` is listed, but cannot be called; one with `available: false` is temporarily unavailable.
 */
export type Model = {
  readonly id: string;
  readonly protocols: readonly Protocol[];
  readonly images: boolean;
  readonly supported?: boolean;
  readonly available?: boolean;
};

/** The state of a gateway at the start. The default is `fixtures/reference-gateway.yaml`. */
export type Seed = {
  /** Accounts with their balance in credits. */
  readonly accounts: readonly { readonly id: string; readonly balance: number }[];
  readonly keys: Readonly<
    Record<KeyRole, { readonly key: string; readonly account: string; readonly deleted?: boolean }>
  >;
  /** The models of the model list. */
  readonly models: readonly Model[];
  /** A request record of the valid key's account, and a request record of another account. */
  readonly records: Readonly<Record<'own' | 'foreign', { readonly id: string; readonly account: string }>>;
  /** How often each key may call each billing-type operation within a time such as `10s`. */
  readonly rateLimit: { readonly requests: number; readonly within: string };
  /** The beginning of the keys that are created while the gateway runs. Default: `sk-` (2.1). */
  readonly keyPrefix?: string;
  /** `error.details.recharge_url` of `insufficient_balance` errors. */
  readonly rechargeUrl: string;
};

const file = join(packageRoot, 'fixtures', 'reference-gateway.yaml');

/** Reads `fixtures/reference-gateway.yaml`. Throws a `DataFileError` if the file cannot be read or is invalid. */
export function readSeed(): Seed {
  return readValidFile(file, 'reference-gateway');
}

/**
 * Converts a duration such as `10s`, `1.5m` or `500ms` to milliseconds. For any other text, throws an error that names
 * the place.
 */
export function toMilliseconds(duration: string, place: string): number {
  const milliseconds = readDuration(duration);
  if (milliseconds === undefined)
    throw new Error(`${place}: "${duration}" is not a valid duration. Use a duration such as "10s".`);
  return milliseconds;
}
