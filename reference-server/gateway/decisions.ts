import type { Answer } from '../answers/answer.ts';
import type { Json } from '../json.ts';
import type { BodyProblem } from '../schemas.ts';
import type { Header, OutgoingEvent, Reply, WireResponse } from '../wire/response.ts';
import type {
  CompletedCall,
  Context,
  ErrorFields,
  OperationResult,
  PresentedCredential,
  RequestFailure,
} from './context.ts';
import type { HeaderName } from './operations.ts';
import type { Model } from './seed.ts';
import type { Account, ApiKey, RequestRecord, Usage } from './state.ts';

/**
 * What the gateway decides about a request and its response, with one function for each decision. Most faults and
 * variants replace some of them. `conforming.ts` has the decisions of a conforming gateway.
 */
export type Decisions = {
  // A request arrives.
  /** Returns a UUID for each response (2.2). */
  readonly createTraceId: (requestNumber: number) => string;
  /** Returns a response that replaces the checks and the operation; undefined to handle the request as usual. */
  readonly shortCircuit: (ctx: Context) => ShortCircuit | undefined | Promise<ShortCircuit | undefined>;
  readonly listChecks: (ctx: Context) => readonly CheckName[];

  // Credentials (5).
  readonly listAcceptedHeaders: (ctx: Context) => readonly HeaderName[];
  readonly credentialOf: (accepted: readonly HeaderName[], ctx: Context) => PresentedCredential;
  readonly findKey: (credential: PresentedCredential, ctx: Context) => ApiKey | undefined;
  readonly isKeyValid: (key: ApiKey, ctx: Context) => boolean;

  // Bodies (4 rules 1, 2 and 6).
  /** Returns the size of the largest accepted body, in bytes. */
  readonly bodyLimit: (ctx: Context) => number;
  readonly parseBody: (
    bytes: Uint8Array,
    ctx: Context,
  ) => { readonly value: unknown } | { readonly failure: RequestFailure };
  /** Finds one problem in the form of a body; undefined if the body is valid. */
  readonly findBodyProblem: (body: unknown, ctx: Context) => BodyProblem | undefined;
  readonly isStreamRequested: (ctx: Context) => boolean;

  // Models (4 rules 3 to 5) and the balance (7.1).
  readonly modelIdOf: (ctx: Context) => string | undefined;
  readonly findModel: (id: string, ctx: Context) => Model | undefined;
  readonly listModels: (ctx: Context) => readonly Model[];
  readonly supportsProtocol: (model: Model, ctx: Context) => boolean;
  readonly isAvailable: (model: Model, ctx: Context) => boolean;
  readonly isSupported: (model: Model, ctx: Context) => boolean;
  readonly hasImage: (ctx: Context) => boolean;
  readonly acceptsImages: (model: Model, ctx: Context) => boolean;
  readonly canPay: (account: Account | undefined, ctx: Context) => boolean;
  readonly createModelList: (entries: readonly Json[], ctx: Context) => Json;
  readonly createModelEntry: (model: Model, ctx: Context) => Json;
  readonly createNativeModelList: (entries: readonly Json[], ctx: Context) => Json;
  readonly createNativeModelEntry: (model: Model, ctx: Context) => Json;

  // Model calls and their price in credits.
  readonly createRecordId: (ctx: Context) => string;
  readonly createAnswer: (model: Model, ctx: Context) => Answer;
  readonly countInputTokens: (ctx: Context) => number;
  readonly costOf: (usage: Usage, ctx: Context) => number;

  // Billing-type endpoints (2.4, 7.2, 8). Times are in milliseconds since 1970-01-01 UTC.
  /** Grants a request, or returns the number of seconds to wait before the next attempt. */
  readonly grantRequest: (
    ctx: Context,
  ) => { readonly kind: 'granted' } | { readonly kind: 'refused'; readonly retryAfter: number };
  readonly parameterOf: (name: string, ctx: Context) => string | undefined;
  readonly formatParameterName: (name: string, ctx: Context) => string;
  readonly isRequestId: (text: string, ctx: Context) => boolean;
  readonly findRecord: (id: string, ctx: Context) => RequestRecord | undefined;
  readonly mayRead: (record: RequestRecord, ctx: Context) => boolean;
  readonly timeOf: (text: string, ctx: Context) => number | undefined;
  readonly isRange: (start: number, end: number, ctx: Context) => boolean;

  // Successful responses.
  /** Returns the headers without the content type. */
  readonly listSuccessHeaders: (call: CompletedCall | undefined, ctx: Context) => readonly Header[];
  readonly callBody: (call: CompletedCall, ctx: Context) => Json;
  readonly callEvents: (call: CompletedCall, ctx: Context) => readonly OutgoingEvent[];
  readonly createTokenCountBody: (tokens: number, ctx: Context) => Json;
  readonly createBalanceBody: (account: Account, ctx: Context) => Json;
  readonly createUsageBody: (records: readonly RequestRecord[], ctx: Context) => Json;
  readonly recordBody: (record: RequestRecord, ctx: Context) => Json;

  // Errors (2.2, 2.3, 7).
  readonly errorStatusOf: (failure: RequestFailure, ctx: Context) => number;
  readonly errorTypeOf: (failure: RequestFailure, ctx: Context) => string;
  readonly errorCodeOf: (failure: RequestFailure, ctx: Context) => string;
  readonly errorMessageOf: (failure: RequestFailure, ctx: Context) => string;
  readonly errorDetailsOf: (failure: RequestFailure, ctx: Context) => ErrorFields['details'];
  readonly chooseErrorShape: (ctx: Context) => 'model' | 'billing';
  readonly createModelErrorBody: (refusal: ErrorFields, ctx: Context) => Json;
  readonly createBillingErrorBody: (refusal: ErrorFields, ctx: Context) => Json;
  /** Returns the headers without the content type. */
  readonly listErrorHeaders: (refusal: ErrorFields, ctx: Context) => readonly Header[];

  // The bytes of a response.
  /** Returns the response to encode. */
  readonly finish: (response: Reply, ctx: Context) => Reply;
  readonly serializeJson: (value: Json, ctx: Context) => string;
  readonly contentTypeOf: (kind: 'json' | 'events', ctx: Context) => string;
  /** Formats a server-sent event. Each line of `data` after the first must already begin with `data: `. */
  readonly frameEvent: (event: OutgoingEvent, data: string, ctx: Context) => string;
  /** Returns the pause before each event or chunk of a stream, in milliseconds. */
  readonly choosePause: (ctx: Context) => number;
  /** Returns the encoded response to send, with its compression, framing, pauses and end of the connection. */
  readonly transmit: (wire: WireResponse, ctx: Context) => WireResponse;
};

/** Returns decisions that replace the decisions of `base` with the same names. */
export type Overrides = (base: Decisions) => Partial<Decisions>;

/** The name of a check. `frequency` checks the rate limit, and `form` validates the parsed body. */
export type CheckName =
  | 'credential'
  | 'frequency'
  | 'body'
  | 'form'
  | 'known-model'
  | 'protocol'
  | 'availability'
  | 'support'
  | 'images'
  | 'balance';

/** A response that replaces the checks and the operation, and the context of the request. */
export type ShortCircuit = { readonly result: OperationResult; readonly ctx: Context };
