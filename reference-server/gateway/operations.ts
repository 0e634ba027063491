// The reference gateway's own reading of section 4, deliberately independent of specs/operations.yaml: an error in either
// one makes the suite fail against the reference gateway.

/** The three protocol families of section 1; `none` for the model list and billing-type endpoints. */
export type Family = 'A' | 'B' | 'C' | 'none';

/** Which error shape and which rules apply: sections 2.2 (`model`, `list`) and 2.3 (`billing`). */
export type Surface = 'model' | 'list' | 'billing';

/** The three request headers of section 5. */
export type HeaderName = 'bearer' | 'x-api-key' | 'x-goog-api-key';

/** The request dialects that a model call can be made in. */
export type Protocol = 'chat' | 'responses' | 'messages' | 'generate';

/** The operations that a target profile can name: those that the specification leaves open. */
export type ProfileOperationId =
  | 'messages'
  | 'generate'
  | 'streamGenerate'
  | 'balance'
  | 'usage'
  | 'record'
  | 'internalError';

/** Everything this gateway answers: the profile's operations, those of the specification, and what SDKs ask for beside them. */
export type OperationId =
  | ProfileOperationId
  | 'chat'
  | 'responses'
  | 'models'
  | 'model'
  | 'countMessageTokens'
  | 'countContentTokens'
  | 'nativeModels'
  | 'nativeModel';

/** What is fixed about an operation wherever its path is. */
export type Operation = {
  readonly id: OperationId;
  readonly family: Family;
  readonly surface: Surface;
  readonly headers: readonly HeaderName[];
  /** The dialect of its body; undefined where it takes none. */
  readonly protocol: Protocol | undefined;
  /** `call` costs and is recorded, `count` is free, `read` changes nothing. */
  readonly does: 'call' | 'count' | 'read';
  /** How a call asks for a stream. */
  readonly streams: 'parameter' | 'always' | 'never';
};

const everywhere: readonly HeaderName[] = ['bearer', 'x-api-key'];
const underBeta: readonly HeaderName[] = ['bearer', 'x-api-key', 'x-goog-api-key'];

const call = (
  id: OperationId,
  family: Family,
  protocol: Protocol,
  streams: Operation['streams'],
): Operation => ({
  id,
  family,
  surface: 'model',
  headers: family === 'C' ? underBeta : everywhere,
  protocol,
  does: 'call',
  streams,
});

const count = (id: OperationId, family: Family, protocol: Protocol): Operation => ({
  ...call(id, family, protocol, 'never'),
  does: 'count',
});

const read = (id: OperationId, surface: Surface, family: Family = 'none'): Operation => ({
  id,
  family,
  surface,
  headers: family === 'C' ? underBeta : everywhere,
  protocol: undefined,
  does: 'read',
  streams: 'never',
});

/** The operations by id, with the headers that section 4 accepts on each. */
export const operations: Readonly<Record<OperationId, Operation>> = {
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
