import type { Protocol } from '../answers/prompt.ts';

// The operations of section 4 that the reference gateway implements. This list is deliberately independent of
// specs/operations.yaml: an error in one of the two files makes the suite fail against the reference gateway.

/**
 * The three protocol families of section 1; `none` for `GET /v1/models`, `GET /v1/models/{model}`, billing-type
 * endpoints and requests that match no operation.
 */
export type Family = 'A' | 'B' | 'C' | 'none';

/**
 * The kind of an endpoint, which determines the rules for requests and the form of errors: section 2.2 (`model`,
 * `list`) or 2.3 (`billing`).
 */
export type Surface = 'model' | 'list' | 'billing';

/** The three request headers of section 5. `bearer` is `Authorization` with the scheme `Bearer`. */
export type HeaderName = 'bearer' | 'x-api-key' | 'x-goog-api-key';

/**
 * The operations whose request lines a profile states, because the specification does not define these request lines.
 */
export type ProfileOperationId =
  | 'messages'
  | 'generate'
  | 'streamGenerate'
  | 'balance'
  | 'usage'
  | 'record'
  | 'internalError';

/**
 * All operations of this gateway: the operations with a request line in the profile, the operations with a path in
 * the specification, and other operations that SDKs call.
 */
export type GatewayOperationId =
  | ProfileOperationId
  | 'chat'
  | 'responses'
  | 'models'
  | 'model'
  | 'countMessageTokens'
  | 'countContentTokens'
  | 'nativeModels'
  | 'nativeModel';

/** The properties of an operation that do not depend on its path. */
export type GatewayOperation = {
  readonly id: GatewayOperationId;
  readonly family: Family;
  readonly surface: Surface;
  readonly headers: readonly HeaderName[];
  readonly protocol: Protocol | undefined;
  /**
   * `call`: calls a model, costs credits and adds a request record. `count`: counts tokens for free. `read`: reads
   * data.
   */
  readonly kind: 'call' | 'count' | 'read';
  readonly streams: 'parameter' | 'always' | 'never';
};

const everywhere: readonly HeaderName[] = ['bearer', 'x-api-key'];
const underBeta: readonly HeaderName[] = ['bearer', 'x-api-key', 'x-goog-api-key'];

const call = (
  id: GatewayOperationId,
  family: Family,
  protocol: Protocol,
  streams: GatewayOperation['streams'],
): GatewayOperation => ({
  id,
  family,
  surface: 'model',
  headers: family === 'C' ? underBeta : everywhere,
  protocol,
  kind: 'call',
  streams,
});

const count = (id: GatewayOperationId, family: Family, protocol: Protocol): GatewayOperation => ({
  ...call(id, family, protocol, 'never'),
  kind: 'count',
});

const read = (id: GatewayOperationId, surface: Surface, family: Family = 'none'): GatewayOperation => ({
  id,
  family,
  surface,
  headers: family === 'C' ? underBeta : everywhere,
  protocol: undefined,
  kind: 'read',
  streams: 'never',
});

/** The operations by ID, each with the headers in which section 4 accepts a key. */
export const operations: Readonly<Record<GatewayOperationId, GatewayOperation>> = {
  chat: call('chat', 'A', 'chat', 'parameter'),
  responses: call('responses', 'A', 'responses', 'parameter'),
  messages: call('messages', 'B', 'messages', 'parameter'),
  generate: call('generate', 'C', 'generate', 'never'),
  streamGenerate: call('streamGenerate', 'C', 'generate', 'always'),
  countMessageTokens: count('countMessageTokens', 'B', 'messages'),
  countContentTokens: count('countContentTokens', 'C', 'generate'),
  models: read('models', 'list'),
  model: read('model', 'list'),
  nativeModels: read('nativeModels', 'list', 'C'),
  nativeModel: read('nativeModel', 'list', 'C'),
  balance: read('balance', 'billing'),
  usage: read('usage', 'billing'),
  record: read('record', 'billing'),
  internalError: read('internalError', 'billing'),
};

/** The request lines of section 4, and of other operations that SDKs call. The profile states the rest. */
export const requestLines: Readonly<Record<Exclude<GatewayOperationId, ProfileOperationId>, string>> = {
  chat: 'POST /v1/chat/completions',
  responses: 'POST /v1/responses',
  models: 'GET /v1/models',
  model: 'GET /v1/models/{model}',
  countMessageTokens: 'POST /v1/messages/count_tokens',
  countContentTokens: 'POST /v1beta/models/{model}:countTokens',
  nativeModels: 'GET /v1beta/models',
  nativeModel: 'GET /v1beta/models/{model}',
};
