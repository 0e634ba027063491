import type { RequestCondition } from './conditions.ts';
import { conforming } from './gateway/conforming.ts';
import type { Context, ErrorFields } from './gateway/context.ts';
import type { Decisions, Overrides } from './gateway/decisions.ts';
import type { HeaderName } from './gateway/operations.ts';
import { isObject, type Json, type JsonObject } from './json.ts';

/** Combines overrides. Each override builds on the preceding overrides. */
export const combineOverrides =
  (...changes: readonly Overrides[]): Overrides =>
  (base) => {
    let decisions: Decisions = base;
    for (const change of changes) decisions = { ...decisions, ...change(decisions) };
    return decisions;
  };

/**
 * Applies an override only to requests that satisfy the condition. Throws an error if the override replaces
 * `createTraceId`, which gets no request.
 */
export const applyWhere =
  (where: RequestCondition, change: Overrides): Overrides =>
  (base) => {
    const changed = change(base);
    const limited: { -readonly [Name in keyof Decisions]?: Decisions[Name] } = {};
    const limit = <Name extends keyof Decisions>(name: Name): void => {
      const decide = changed[name];
      if (!decide || decide === base[name]) return;
      if (name === 'createTraceId')
        throw new Error(
          `\`${name}\` gets no request, so an override of \`${name}\` cannot be limited to some requests. Remove \`applyWhere\`.`,
        );
      limited[name] = eitherOf<Decisions[Name]>(name, where, decide, base[name]);
    };
    for (const name of keysOf(changed)) limit(name);
    return limited;
  };

function eitherOf<Decide>(name: string, where: RequestCondition, decide: Decide, otherwise: Decide): Decide;
function eitherOf(
  name: string,
  where: RequestCondition,
  decide: AnyDecision,
  otherwise: AnyDecision,
): AnyDecision {
  return (...args) => {
    const ctx = args.at(-1);
    if (!isContext(ctx))
      throw new Error(
        `The decision ${name} was called without the context. Pass the context as the last argument.`,
      );
    return (where(ctx) ? decide : otherwise)(...args);
  };
}

type AnyDecision = (...args: readonly unknown[]) => unknown;

function isContext(value: unknown): value is Context {
  return isObject(value) && 'request' in value && 'state' in value;
}

function keysOf(changed: Partial<Decisions>): (keyof Decisions)[] {
  return Object.keys(changed).filter((name): name is keyof Decisions => name in conforming);
}

/** Throws an error before the first check, so that the response is an internal error. */
export const crash: Overrides = () => ({
  listChecks: () => {
    throw new Error('a defect');
  },
});

/** The members of `error` in section 2.2. */
export type ModelError = {
  readonly message: string;
  readonly type: string;
  readonly code: number;
  readonly details: JsonObject | null;
};

/** Replaces the error body of section 2.2 with the result of `create`, which gets the parts of the correct body. */
export const replaceModelBody =
  (
    create: (
      error: ModelError,
      trace: { readonly trace_id: string },
      refusal: ErrorFields,
      ctx: Context,
    ) => Json,
  ): Overrides =>
  () => ({
    createModelErrorBody: (refusal, ctx) => {
      const { message: text, type: kind, status: number, details } = refusal;
      const error = { message: text, type: kind, code: number, details };
      return create(error, { trace_id: ctx.traceId }, refusal, ctx);
    },
  });

/** Ignores credentials in these headers. */
export const ignoreHeaders =
  (...headers: readonly HeaderName[]): Overrides =>
  (base) => ({
    listAcceptedHeaders: (ctx) => base.listAcceptedHeaders(ctx).filter((header) => !headers.includes(header)),
  });

/** Uses the result of `find` as the key or, if `find` finds no key, reads the key from the accepted headers. */
export const alsoReadKey =
  (find: (ctx: Context) => string | null | undefined): Overrides =>
  (base) => ({
    credentialOf(accepted, ctx) {
      const value = find(ctx);
      return value ? { header: 'bearer', value } : base.credentialOf(accepted, ctx);
    },
  });

/** Treats an unknown key as the first known key for which `same` returns true. A deleted key is still refused. */
export const compareKeys =
  (same: (sent: string, key: string) => boolean): Overrides =>
  () => ({
    findKey: ({ value }, ctx) =>
      ctx.state.keys.find((key) => key.value === value) ??
      ctx.state.keys.find((key) => same(value, key.value)),
  });
