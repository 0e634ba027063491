/**
 * The IDs of further operations, which only a profile states: its list `operations.other`, in this order. All of them
 * have the entry `other` of `specs/operations.yaml`, with the family that the profile states.
 */
export const otherOperationIds = [
  'other-1',
  'other-2',
  'other-3',
  'other-4',
  'other-5',
  'other-6',
  'other-7',
  'other-8',
  'other-9',
] as const;
export type OtherOperationId = (typeof otherOperationIds)[number];

/** The IDs of the operations in `specs/operations.yaml`. */
export const knownOperationIds = [
  'chat',
  'responses',
  'models',
  'messages',
  'generate',
  'streamGenerate',
  'balance',
  'usage',
  'record',
  'internalError',
] as const;

/** The IDs of all operations, in the order of reports. */
export const operationIds = [...knownOperationIds, ...otherOperationIds] as const;
export type OperationId = (typeof operationIds)[number];

/** A header in which an operation can accept a key. */
export type AcceptedHeader = 'bearer' | 'x-api-key' | 'x-goog-api-key';

/**
 * An operation with its default request line, its headers and its default body. A profile can replace the request
 * line unless the specification states the line.
 */
export interface Operation {
  readonly id: OperationId;
  readonly family: 'A' | 'B' | 'C' | 'none';
  readonly surface: 'model' | 'list' | 'billing';
  /** The default request line, such as `GET /v1/models`; undefined if only a profile can state the request line. */
  readonly request: string | undefined;
  /**
   * The origin of the request line. `spec`: the specification. `guess`: a default, which the run tries. `profile`: only
   * the profile.
   */
  readonly stated: 'spec' | 'guess' | 'profile';
  /** The requirement that a gateway without the operation violates; undefined if none is violated. */
  readonly presence: string | undefined;
  /**
   * A JSON pointer to a member. A guessed request line counts as correct only if a successful response has this
   * member. If undefined, no member is required.
   */
  readonly shows: string | undefined;
  /** The headers in which the operation accepts a key, in the order of preference. */
  readonly headers: readonly AcceptedHeader[];
  /** The name of the default body in `fixtures/bodies.yaml`; undefined if the operation has no default body. */
  readonly body: string | undefined;
  readonly streams: 'parameter' | 'always' | 'never';
  /**
   * The operation that makes the same call without a stream; for an operation that does not always stream, the
   * operation itself.
   */
  readonly plain: OperationId;
}

export type Operations = Readonly<Record<OperationId, Operation>>;

export function mapOperations<T>(create: (id: OperationId) => T): Readonly<Record<OperationId, T>> {
  return {
    chat: create('chat'),
    responses: create('responses'),
    models: create('models'),
    messages: create('messages'),
    generate: create('generate'),
    streamGenerate: create('streamGenerate'),
    balance: create('balance'),
    usage: create('usage'),
    record: create('record'),
    internalError: create('internalError'),
    'other-1': create('other-1'),
    'other-2': create('other-2'),
    'other-3': create('other-3'),
    'other-4': create('other-4'),
    'other-5': create('other-5'),
    'other-6': create('other-6'),
    'other-7': create('other-7'),
    'other-8': create('other-8'),
    'other-9': create('other-9'),
  };
}

export function isOtherOperation(id: string): id is OtherOperationId {
  return (otherOperationIds as readonly string[]).includes(id);
}

export function isOperationId(text: string): text is OperationId {
  return (operationIds as readonly string[]).includes(text);
}
