import type { Call, Context, Credential } from '../gateway/context.ts';
import type { Failure, Refusal } from '../gateway/failure.ts';
import type { HeaderName } from '../gateway/operations.ts';
import type { BodyFault } from '../gateway/schemas.ts';
import type { Model } from '../gateway/seed.ts';
import type { Account, ApiKey, RequestRecord, Usage } from '../gateway/state.ts';
import type { Json } from '../json.ts';
import type { Answer, Header, StreamEvent, Wire } from '../wire/answer.ts';
import type { grant } from './billing.ts';
import * as billing from './billing.ts';
import * as billingBodies from './billing-bodies.ts';
import * as bodies from './bodies.ts';
import * as calls from './calls.ts';
import * as credentials from './credentials.ts';
import * as errors from './error-answers.ts';
import * as lists from './model-lists.ts';
import * as models from './models.ts';
import * as nativeLists from './native-lists.ts';
import type { Check } from './order.ts';
import * as order from './order.ts';
import * as refusals from './refusals.ts';
import * as replacement from './short-circuit.ts';
import * as successes from './success-answers.ts';
import * as usage from './usage.ts';
import * as wire from './wire.ts';

/**
 * Every decision of the contract, one function each. The pipeline asks them and decides nothing itself, so a
 * gateway that differs in one point is the conforming one with one function replaced.
 */
export type Decisions = {
  // The exchange.
  readonly newTraceId: (requestNumber: number) => string;
  /** An answer that needs no checks; undefined where the request goes its way. */
  readonly instead: typeof replacement.instead;
  /** The checks that a request must pass, first to last; one that is left out is not made. */
  readonly checks: (ctx: Context) => readonly Check[];

  // Credentials (5).
  readonly acceptedHeaders: (ctx: Context) => readonly HeaderName[];
  readonly credentialOf: (accepted: readonly HeaderName[], ctx: Context) => Credential;
  readonly findKey: (credential: Credential, ctx: Context) => ApiKey | undefined;
  readonly keyWorks: (key: ApiKey, ctx: Context) => boolean;

  // Bodies (4 rules 1 and 2).
  readonly bodyLimit: (ctx: Context) => number;
  readonly parseBody: (
    bytes: Uint8Array,
    ctx: Context,
  ) => { readonly value: unknown } | { readonly failure: Failure };
  readonly bodyFault: (body: unknown, ctx: Context) => BodyFault | undefined;
  readonly wantsStream: (ctx: Context) => boolean;

  // Models (4 rules 3 to 5).
  readonly modelIdOf: (ctx: Context) => string | undefined;
  readonly findModel: (id: string, ctx: Context) => Model | undefined;
  readonly listedModels: (ctx: Context) => readonly Model[];
  readonly speaks: (model: Model, ctx: Context) => boolean;
  readonly isSupported: (model: Model, ctx: Context) => boolean;
  readonly hasImage: (ctx: Context) => boolean;
  readonly takesImages: (model: Model, ctx: Context) => boolean;

  // Calls and what they cost.
  readonly canPay: (account: Account | undefined, ctx: Context) => boolean;
  readonly newRecordId: (ctx: Context) => string;
  readonly replyText: (model: Model, ctx: Context) => string;
  readonly inputTokens: (ctx: Context) => number;
  readonly costOf: (usage: Usage, ctx: Context) => number;

  // Answers of model endpoints and lists.
  readonly successHeaders: (call: Call | undefined, ctx: Context) => readonly Header[];
  readonly callBody: (call: Call, ctx: Context) => Json;
  readonly callEvents: (call: Call, ctx: Context) => readonly StreamEvent[];
  readonly tokenCountBody: (tokens: number, ctx: Context) => Json;
  readonly modelList: (entries: readonly Json[], ctx: Context) => Json;
  readonly modelEntry: (model: Model, ctx: Context) => Json;
  readonly nativeModelList: (entries: readonly Json[], ctx: Context) => Json;
  readonly nativeModelEntry: (model: Model, ctx: Context) => Json;

  // Billing-type endpoints (2.4, 7.2, 8).
  readonly grant: typeof grant;
  readonly parameterOf: (name: string, ctx: Context) => string | undefined;
  readonly parameterName: (name: string, ctx: Context) => string;
  readonly isRequestId: (text: string, ctx: Context) => boolean;
  readonly findRecord: (id: string, ctx: Context) => RequestRecord | undefined;
  readonly mayRead: (record: RequestRecord, ctx: Context) => boolean;
  readonly timeOf: (text: string, ctx: Context) => number | undefined;
  readonly isRange: (start: number, end: number, ctx: Context) => boolean;
  readonly balanceBody: (account: Account, ctx: Context) => Json;
  readonly usageBody: (records: readonly RequestRecord[], ctx: Context) => Json;
  readonly recordBody: (record: RequestRecord, ctx: Context) => Json;

  // Errors (2.2, 2.3, 7).
  readonly statusOf: (failure: Failure, ctx: Context) => number;
  readonly typeOf: (failure: Failure, ctx: Context) => string;
  readonly codeOf: (failure: Failure, ctx: Context) => string;
  readonly messageOf: (failure: Failure, ctx: Context) => string;
  readonly detailsOf: (failure: Failure, ctx: Context) => { readonly [member: string]: Json } | null;
  readonly errorShape: (ctx: Context) => 'model' | 'billing';
  readonly modelErrorBody: (refusal: Refusal, ctx: Context) => Json;
  readonly billingErrorBody: (refusal: Refusal, ctx: Context) => Json;
  readonly errorHeaders: (refusal: Refusal, ctx: Context) => readonly Header[];

  // The wire.
  readonly serialise: (value: Json, ctx: Context) => string;
  readonly contentTypeOf: (kind: 'json' | 'events', ctx: Context) => string;
  readonly frameEvent: (event: StreamEvent, data: string, ctx: Context) => string;
  readonly pace: (ctx: Context) => number;
  readonly finish: (answer: Answer, ctx: Context) => Answer;
  readonly transmit: (wire: Wire, ctx: Context) => Wire;
};

/** What a gateway decides differently, given the decisions it builds on. */
export type Overrides = (base: Decisions) => Partial<Decisions>;

/** The decisions of a gateway that keeps the whole contract. */
export const conforming: Decisions = {
  ...calls,
  ...replacement,
  ...usage,
  ...order,
  ...credentials,
  ...bodies,
  ...models,
  ...successes,
  ...lists,
  ...nativeLists,
  ...billing,
  ...billingBodies,
  ...refusals,
  ...errors,
  ...wire,
};
