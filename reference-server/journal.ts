import type { BodyRead, GatewayRequest } from './gateway/context.ts';
import type { Handled } from './gateway/gateway.ts';
import type { OperationId } from './gateway/operations.ts';
import { type PresentedKey, presentedKey } from './gateway/presented-key.ts';
import type { ApiKey } from './gateway/state.ts';
import { type Redaction, redactionOf } from './redact.ts';

/** A request that the server received, with the result. Keys are replaced by their role, such as `{{keys.valid}}`. */
export type ReceivedRequest = {
  /** 1 for the first request of this server, then counting up. */
  readonly number: number;
  /** When it arrived, in milliseconds since the epoch. */
  readonly at: number;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** The parameters of the query; the last one, if a name occurs more than once. */
  readonly query: Readonly<Record<string, string>>;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON, or the text of any other body; undefined without a body, or if it had not arrived. */
  readonly body: unknown;
  /** Undefined if the path is no endpoint. */
  readonly operation: OperationId | undefined;
  /** The model ID of the request; undefined if none was read before the response. */
  readonly model: string | undefined;
  /** The role of the key in the request. */
  readonly key: PresentedKey;
  /** Whether a stream was requested; false if the body was not read before the response. */
  readonly streamed: boolean;
  /** The status of the response. */
  readonly status: number;
  /** The trace id of the response. */
  readonly traceId: string;
};

/** What a server remembers of the requests that it got. */
export type Journal = {
  readonly note: (handled: Handled) => void;
  /** In the order in which they arrived. */
  readonly requests: () => readonly ReceivedRequest[];
  readonly clear: () => void;
};

const requestsKept = 1000;
const bytesKept = 64 * 1024 * 1024;
const longestBody = 4 * 1024 * 1024;
const nothing = new Uint8Array();

/** A request as it arrived, keys included; what is told of it is made when somebody asks. */
type Entry = Pick<GatewayRequest, 'method' | 'path' | 'query' | 'headers'> &
  Pick<
    ReceivedRequest,
    'number' | 'at' | 'operation' | 'model' | 'key' | 'streamed' | 'status' | 'traceId'
  > & {
    readonly keys: readonly ApiKey[];
    bytes: Uint8Array;
    isKept: boolean;
  };

/** A journal of the newest 1,000 requests, and of fewer where their bodies come to more than 64 MiB. */
export function createJournal(): Journal {
  const entries: Entry[] = [];
  let bytes = 0;

  function dropOldest(): void {
    const oldest = entries.shift();
    if (!oldest) return;
    oldest.isKept = false;
    bytes -= oldest.bytes.length;
  }

  return {
    note(handled) {
      const entry = entryOf(handled);
      entries.push(entry);
      if (entries.length > requestsKept) dropOldest();
      const keep = (read: BodyRead): void => {
        if (read.kind !== 'read' || !entry.isKept) return;
        entry.bytes = read.bytes;
        bytes += read.bytes.length;
        while (bytes > bytesKept) dropOldest();
      };
      // What was refused before its body was read may still have one.
      const read = handled.ctx.request.readBody(longestBody);
      // A client that has gone away sends no more.
      if (read instanceof Promise) read.then(keep, () => {});
      else keep(read);
    },
    requests: () => entries.map(described).sort((a, b) => a.number - b.number),
    clear: () => {
      while (entries.length > 0) dropOldest();
    },
  };
}

function entryOf({ ctx, wire }: Handled): Entry {
  // Not the request itself, which holds on to its connection.
  const { method, path, query, headers } = ctx.request;
  return {
    number: ctx.number,
    at: ctx.now,
    method,
    path,
    query,
    headers,
    operation: ctx.operation?.id,
    model: ctx.modelId,
    key: presentedKey(ctx),
    streamed: ctx.streamed,
    status: wire.status,
    traceId: ctx.traceId,
    keys: ctx.state.keys,
    bytes: nothing,
    isKept: true,
  };
}

function described(entry: Entry): ReceivedRequest {
  const { path, query, headers, keys, bytes, isKept: _, model, ...rest } = entry;
  const redaction = redactionOf(entry, keys);
  return {
    ...rest,
    path: redaction.text(path),
    query: Object.fromEntries([...query].map(([name, value]) => [name, redaction.parameter(name, value)])),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value = '']) => [name, redaction.header(name, value)]),
    ),
    body: bodyOf(bytes, redaction),
    model: model === undefined ? undefined : redaction.text(model),
  };
}

function bodyOf(bytes: Uint8Array, redaction: Redaction): unknown {
  if (bytes.length === 0) return undefined;
  const text = redaction.text(Buffer.from(bytes).toString());
  try {
    // Once more for what stood there with escapes.
    return JSON.parse(text, (_name, value: unknown) =>
      typeof value === 'string' ? redaction.text(value) : value,
    );
  } catch {
    return text;
  }
}
