import { conforming, type Decisions, type Overrides } from '../decisions/index.ts';
import type { Check } from '../decisions/order.ts';
import type { Context } from '../gateway/context.ts';
import type { Failure, Refusal } from '../gateway/failure.ts';
import type { HeaderName } from '../gateway/operations.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import type { Header } from '../wire/answer.ts';
import type { Where } from './conditions.ts';
import type { FaultSetup } from './fault.ts';

/** A setup that only decides differently; a function is asked anew for each server. */
export const deciding =
  (overrides: Overrides): (() => FaultSetup) =>
  () => ({ decisions: overrides });

/** Several changes, each on top of those before it. */
export const together =
  (...changes: readonly Overrides[]): Overrides =>
  (base) => {
    let decisions: Decisions = base;
    for (const change of changes) decisions = { ...decisions, ...change(decisions) };
    return decisions;
  };

/**
 * A change that applies only to requests for which the condition holds. Every decision that the change replaces is limited
 * in this way; throws for a decision that is made without a request.
 */
export const onlyWhere =
  (where: Where, change: Overrides): Overrides =>
  (base) => {
    const changed = change(base);
    const limited: { -readonly [Name in keyof Decisions]?: Decisions[Name] } = {};
    const limit = <Name extends keyof Decisions>(name: Name): void => {
      const decide = changed[name];
      if (!decide || decide === base[name]) return;
      if (name === 'newTraceId') throw new Error(`${name} has no request that a condition could be about`);
      limited[name] = eitherOf<Decisions[Name]>(where, decide, base[name]);
    };
    for (const name of keysOf(changed)) limit(name);
    return limited;
  };

/** A decision that is the first one for requests for which the condition holds, else the second one. */
function eitherOf<Decide>(where: Where, decide: Decide, otherwise: Decide): Decide;
function eitherOf(where: Where, decide: AnyDecision, otherwise: AnyDecision): AnyDecision {
  return (...args) => {
    const ctx = args.at(-1);
    if (!isContext(ctx)) throw new Error('a decision has the context as its last parameter');
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

/** Refusals have that status; `error.code` of model endpoints goes with it. */
export const status =
  (value: number): Overrides =>
  () => ({ statusOf: () => value });

/** Refusals have that `error.type`. */
export const type =
  (value: string): Overrides =>
  () => ({ typeOf: () => value });

/** Refusals of billing-type endpoints have that `error.code`. */
export const code =
  (value: string): Overrides =>
  () => ({ codeOf: () => value });

/** Refusals have that `error.message`. */
export const message =
  (value: string | ((failure: Failure, ctx: Context) => string)): Overrides =>
  () => ({ messageOf: typeof value === 'string' ? () => value : value });

/** Status and type of a refusal at once. */
export const answered = (newStatus: number, newType: string): Overrides =>
  together(status(newStatus), type(newType));

/** Every decision of the request goes wrong in the middle, so that it ends as an internal error. */
export const crashing: Overrides = () => ({
  checks: () => {
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

/** An error body of section 2.2, made of the parts of the right one. */
export const modelBody =
  (
    make: (error: ModelError, trace: { readonly trace_id: string }, refusal: Refusal, ctx: Context) => Json,
  ): Overrides =>
  () => ({
    modelErrorBody: (refusal, ctx) => {
      const { message: text, type: kind, status: number, details } = refusal;
      const error = { message: text, type: kind, code: number, details };
      return make(error, { trace_id: ctx.traceId }, refusal, ctx);
    },
  });

/** An error body of section 2.3, made of the right `error`. */
export const billingBody =
  (
    make: (
      error: { readonly code: string; readonly message: string },
      refusal: Refusal,
      ctx: Context,
    ) => Json,
  ): Overrides =>
  () => ({
    billingErrorBody: (refusal, ctx) => make({ code: refusal.code, message: refusal.message }, refusal, ctx),
  });

/** The headers of an error with `x-trace-id` replaced, or taken away where there is nothing to put. */
export const traceHeader =
  (value: (ctx: Context) => string | undefined): Overrides =>
  (base) => ({
    errorHeaders: (refusal, ctx) => {
      const put = value(ctx);
      const others = base.errorHeaders(refusal, ctx).filter(([name]) => name !== 'x-trace-id');
      const trace: readonly Header[] = put === undefined ? [] : [['x-trace-id', put]];
      return [...trace, ...others];
    },
  });

/** Text of a media type in place of an error's JSON. */
export const text =
  (mediaType: string, body: string): Overrides =>
  () => ({
    finish: (answer) => ({ ...answer, content: { kind: 'text', mediaType, text: body } }),
  });

/** No body at all. */
export const noBody: Overrides = () => ({
  finish: (answer) => ({ ...answer, content: { kind: 'nothing' } }),
});

/** These checks are not made. */
export const without =
  (...left: readonly Check[]): Overrides =>
  (base) => ({ checks: (ctx) => base.checks(ctx).filter((check) => !left.includes(check)) });

/** These checks are made before all others, which is legal by itself. */
export const firstOfAll =
  (...early: readonly Check[]): Overrides =>
  (base) => ({
    checks: (ctx) => {
      const made = base.checks(ctx);
      return [
        ...early.filter((check) => made.includes(check)),
        ...made.filter((check) => !early.includes(check)),
      ];
    },
  });

/** Credentials are taken from these headers too. */
export const taking =
  (...more: readonly HeaderName[]): Overrides =>
  (base) => ({ acceptedHeaders: (ctx) => [...base.acceptedHeaders(ctx), ...more] });

/** Credentials in these headers are not seen. */
export const ignoring =
  (...headers: readonly HeaderName[]): Overrides =>
  (base) => ({
    acceptedHeaders: (ctx) => base.acceptedHeaders(ctx).filter((header) => !headers.includes(header)),
  });

/** Any key is taken for the valid one. */
export const takingAnyKey: Overrides = (base) => ({
  findKey: (credential, ctx) => base.findKey(credential, ctx) ?? ctx.state.keys[0],
  keyWorks: () => true,
});

/** Keys that are found by another comparison than for equality. */
export const comparing =
  (same: (sent: string, key: string) => boolean): Overrides =>
  () => ({
    findKey: ({ value }, ctx) =>
      ctx.state.keys.find((key) => key.value === value) ??
      ctx.state.keys.find((key) => same(value, key.value)),
  });
