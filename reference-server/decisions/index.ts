import type { CompletedCall, Context, PresentedCredential } from '../gateway/context.ts';
import type { HeaderName } from '../gateway/operations.ts';
import type { ErrorFields, RequestFailure } from '../gateway/request-failure.ts';
import type { BodyProblem } from '../gateway/schemas.ts';
import type { Model } from '../gateway/seed.ts';
import type { Account, ApiKey, RequestRecord, Usage } from '../gateway/state.ts';
import type { Json } from '../json.ts';
import type { Header, OutgoingEvent, Reply, WireResponse } from '../wire/response.ts';
import type { grantRequest } from './billing.ts';
import * as billing from './billing.ts';
import * as billingBodies from './billing-responses.ts';
import type { CheckName } from './check-order.ts';
import * as order from './check-order.ts';
import * as credentials from './credentials.ts';
import * as wire from './encoding.ts';
import * as refusals from './error-fields.ts';
import * as errors from './error-responses.ts';
import * as usage from './model-calls.ts';
import * as lists from './model-lists.ts';
import * as models from './models.ts';
import * as nativeLists from './native-lists.ts';
import * as bodies from './request-bodies.ts';
import * as replacement from './short-circuit.ts';
import * as successes from './success-responses.ts';

/**
 * The decisions of the gateway about a request and its response, with one function for each decision. Most faults and
 * variants replace some of these functions.
 */
export type Decisions = {
  // Requests and responses.
  readonly createTraceId: (requestNumber: number) => string;
  /** Returns a response that replaces the checks and the operation; undefined to handle the request as usual. */
  readonly shortCircuit: typeof replacement.shortCircuit;
  readonly listChecks: (ctx: Context) => readonly CheckName[];

  // Credentials (5).
  readonly listAcceptedHeaders: (ctx: Context) => readonly HeaderName[];
  readonly credentialOf: (accepted: readonly HeaderName[], ctx: Context) => PresentedCredential;
  readonly findKey: (credential: PresentedCredential, ctx: Context) => ApiKey | undefined;
  readonly isKeyValid: (key: ApiKey, ctx: Context) => boolean;

  // Bodies (4 rules 1 and 2).
  readonly bodyLimit: (ctx: Context) => number;
  readonly parseBody: (
    bytes: Uint8Array,
    ctx: Context,
  ) => { readonly value: unknown } | { readonly failure: RequestFailure };
  readonly findBodyProblem: (body: unknown, ctx: Context) => BodyProblem | undefined;
  readonly isStreamRequested: (ctx: Context) => boolean;

  // Models (4 rules 3 to 5).
  readonly modelIdOf: (ctx: Context) => string | undefined;
  readonly findModel: (id: string, ctx: Context) => Model | undefined;
  readonly listModels: (ctx: Context) => readonly Model[];
  readonly supportsProtocol: (model: Model, ctx: Context) => boolean;
  readonly isSupported: (model: Model, ctx: Context) => boolean;
  readonly hasImage: (ctx: Context) => boolean;
  readonly acceptsImages: (model: Model, ctx: Context) => boolean;

  // Model calls and their price.
  readonly canPay: (account: Account | undefined, ctx: Context) => boolean;
  readonly createRecordId: (ctx: Context) => string;
  readonly createReplyText: (model: Model, ctx: Context) => string;
  readonly countInputTokens: (ctx: Context) => number;
  readonly costOf: (usage: Usage, ctx: Context) => number;

  // Responses of model endpoints and lists.
  readonly listSuccessHeaders: (call: CompletedCall | undefined, ctx: Context) => readonly Header[];
  readonly callBody: (call: CompletedCall, ctx: Context) => Json;
  readonly callEvents: (call: CompletedCall, ctx: Context) => readonly OutgoingEvent[];
  readonly createTokenCountBody: (tokens: number, ctx: Context) => Json;
  readonly createModelList: (entries: readonly Json[], ctx: Context) => Json;
  readonly createModelEntry: (model: Model, ctx: Context) => Json;
  readonly createNativeModelList: (entries: readonly Json[], ctx: Context) => Json;
  readonly createNativeModelEntry: (model: Model, ctx: Context) => Json;

  // Billing-type endpoints (2.4, 7.2, 8).
  readonly grantRequest: typeof grantRequest;
  readonly parameterOf: (name: string, ctx: Context) => string | undefined;
  readonly formatParameterName: (name: string, ctx: Context) => string;
  readonly isRequestId: (text: string, ctx: Context) => boolean;
  readonly findRecord: (id: string, ctx: Context) => RequestRecord | undefined;
  readonly mayRead: (record: RequestRecord, ctx: Context) => boolean;
  readonly timeOf: (text: string, ctx: Context) => number | undefined;
  readonly isRange: (start: number, end: number, ctx: Context) => boolean;
  readonly createBalanceBody: (account: Account, ctx: Context) => Json;
  readonly createUsageBody: (records: readonly RequestRecord[], ctx: Context) => Json;
  readonly recordBody: (record: RequestRecord, ctx: Context) => Json;

  // Errors (2.2, 2.3, 7).
  readonly errorStatusOf: (failure: RequestFailure, ctx: Context) => number;
  readonly errorTypeOf: (failure: RequestFailure, ctx: Context) => string;
  readonly errorCodeOf: (failure: RequestFailure, ctx: Context) => string;
  readonly errorMessageOf: (failure: RequestFailure, ctx: Context) => string;
  readonly errorDetailsOf: (
    failure: RequestFailure,
    ctx: Context,
  ) => { readonly [member: string]: Json } | null;
  readonly chooseErrorShape: (ctx: Context) => 'model' | 'billing';
  readonly createModelErrorBody: (refusal: ErrorFields, ctx: Context) => Json;
  readonly createBillingErrorBody: (refusal: ErrorFields, ctx: Context) => Json;
  readonly listErrorHeaders: (refusal: ErrorFields, ctx: Context) => readonly Header[];

  // Encoding.
  readonly serializeJson: (value: Json, ctx: Context) => string;
  readonly contentTypeOf: (kind: 'json' | 'events', ctx: Context) => string;
  readonly frameEvent: (event: OutgoingEvent, data: string, ctx: Context) => string;
  readonly choosePause: (ctx: Context) => number;
  readonly finish: (response: Reply, ctx: Context) => Reply;
  readonly transmit: (wire: WireResponse, ctx: Context) => WireResponse;
};

/** Returns decisions that replace the decisions of `base` with the same names. */
export type Overrides = (base: Decisions) => Partial<Decisions>;

/** The decisions of a gateway that conforms to the specification. */
export const conforming: Decisions = {
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
