import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { builtValue } from './built.ts';
import { compileSchema } from './compile-schema.ts';
import type { Protocol } from './operations.ts';
import { packageRoot } from './package-root.ts';
import { held } from './schemas.ts';

const load = createRequire(import.meta.url);

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

const text = { type: 'string', minLength: 1 };
const object = (properties: Record<string, object>, optional: readonly string[] = []): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});
const key = object({ key: text, account: text, deleted: { type: 'boolean' } }, ['deleted']);
const record = object({ id: text, account: text });
const model = object(
  {
    id: text,
    protocols: { type: 'array', items: { enum: ['chat', 'responses', 'messages', 'generate'] } },
    images: { type: 'boolean' },
    supported: { type: 'boolean' },
  },
  ['supported'],
);

const form = object({
  accounts: { type: 'array', items: object({ id: text, balance: { type: 'number' } }) },
  keys: object({ valid: key, deleted: key, depleted: key, foreign: key }),
  models: { type: 'array', items: model },
  records: object({ own: record, foreign: record }),
  rateLimit: object({ requests: { type: 'integer', minimum: 1 }, within: text }),
  rechargeUrl: text,
});

/** The seed in fixtures/; throws an error that names the place where the file breaks its form. */
export function readSeed(): Seed {
  const text = seedText();
  return builtValue('seed', text) ?? parseSeed(text);
}

/** The text of the seed in fixtures/. */
export function seedText(): string {
  return readFileSync(join(packageRoot(), 'fixtures', 'reference-gateway.yaml'), 'utf8');
}

function parseSeed(text: string): Seed {
  const { parse }: typeof import('yaml') = load('yaml');
  return held('reference-gateway.yaml', compileSchema<Seed>(form), parse(text));
}

/** A duration such as `10s`, `1.5m` or `500ms`, in milliseconds; throws on anything else. */
export function milliseconds(duration: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(duration) ?? [];
  if (amount === undefined) throw new Error(`not a duration: ${duration}`);
  return Number(amount) * (unit === 'ms' ? 1 : unit === 's' ? 1000 : 60_000);
}
