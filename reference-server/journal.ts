import { type Cause, causesOf } from './causes.ts';
import { endingOf } from './gateway/administration.ts';
import type { CompletedCall, RequestFailure } from './gateway/context.ts';
import { classifyPresentedKey, type PresentedKey } from './gateway/context.ts';
import type { HandledRequest } from './gateway/create-gateway.ts';
import type { GatewayOperationId } from './gateway/operations.ts';
import type { ApiKey } from './gateway/state.ts';
import { createRedaction, type Redaction } from './redact.ts';
import type { BodyResult, ServerRequest } from './wire/request.ts';
import type { WireResponse } from './wire/response.ts';

/**
 * A request that the server received, with the status and the trace ID of the response. Keys are replaced by their
 * roles, such as `{{keys.valid}}`.
 */
export type ReceivedRequest = {
  /** The number of the request, counted from 1 for each server. */
  readonly number: number;
  /** The time of arrival, in milliseconds since 1970-01-01 UTC. */
  readonly at: number;
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  /** The parameters of the query. If a name occurs more than once, only the last value is included. */
  readonly query: Readonly<Record<string, string>>;
  /** The headers, by name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The parsed JSON, or the text of a body that is not JSON; undefined if the body is empty, exceeds 4 MiB, or has
   * not arrived completely.
   */
  readonly body: unknown;
  /** The called operation; undefined if no operation has this method and path. */
  readonly operation: GatewayOperationId | undefined;
  /**
   * The model ID that the gateway read from the request; undefined if the request contains no model ID, or if the
   * gateway responded without reading the ID.
   */
  readonly model: string | undefined;
  /** The role of the key in the request. */
  readonly key: PresentedKey;
  /** Whether a stream was requested; false if the gateway responded before the stream parameter was read. */
  readonly streamed: boolean;
  readonly status: number;
  readonly traceId: string;
};

/** The latest requests that a server received, with their responses. */
export type Journal = {
  /** Stores a request with its response, before the response is written. */
  readonly note: (handled: HandledRequest) => void;
  /**
   * Records the time at which the response to a noted request was written or the connection broke, in milliseconds
   * since 1970-01-01 UTC.
   */
  readonly end: (handled: HandledRequest, at: number) => void;
  /** Returns the stored requests in the order of arrival. */
  readonly requests: () => readonly ReceivedRequest[];
  /** Returns the requests that were stored, or whose responses ended, after this revision. */
  readonly changedSince: (revision: number) => readonly JournalEntry[];
  /** Returns the request with this number; undefined if no such request is stored. */
  readonly find: (number: number) => JournalEntry | undefined;
  /** Returns a number that increases when a request is stored, and when the response to a stored request ends. */
  readonly revision: () => number;
  /** Returns how many requests the journal has stored, including requests that are no longer stored. */
  readonly count: () => number;
  readonly clear: () => void;
};

/**
 * A request with its response. Keys in the request are replaced by their roles. In `failure`, `call` and `wire`, keys
 * are not replaced.
 */
export type JournalEntry = Omit<ReceivedRequest, 'query' | 'headers' | 'body'> & {
  /** Returns the request with its query, headers and body. Each call parses the body again. */
  readonly describe: () => ReceivedRequest;
  /** The revision of the journal at which the request was stored or, later, the response ended. */
  readonly revision: number;
  /** The name of the key that the gateway recognized in the request; undefined if the gateway recognized no key. */
  readonly keyName: string | undefined;
  /** The last four characters of this key. */
  readonly keyEnding: string;
  readonly failure: RequestFailure | undefined;
  /** The situations, rules, faults and variants that changed something. */
  readonly causes: readonly Cause[];
  readonly call: CompletedCall | undefined;
  readonly wire: WireResponse;
  /** The time from the arrival of the request to the end of its response, in milliseconds; undefined until the end. */
  readonly durationMs: number | undefined;
  /** Replaces the keys in a text by their roles. */
  readonly redact: (text: string) => string;
};

const requestsKept = 1000;
const bytesKept = 64 * 1024 * 1024;
const longestBody = 4 * 1024 * 1024;
const noBytes = new Uint8Array();

/**
 * A stored request, not redacted. `keys` are all keys of the gateway. The functions of the journal redact these keys
 * in the returned requests.
 */
type Entry = Pick<ServerRequest, 'method' | 'path' | 'query' | 'headers'> &
  Pick<
    ReceivedRequest,
    'number' | 'at' | 'operation' | 'model' | 'key' | 'streamed' | 'status' | 'traceId'
  > & {
    readonly keys: readonly ApiKey[];
    readonly handled: Pick<HandledRequest, 'wire' | 'call'>;
    readonly keyName: string | undefined;
    readonly keyEnding: string;
    readonly failure: RequestFailure | undefined;
    readonly causes: readonly Cause[];
    revision: number;
    endedAt: number | undefined;
    bytes: Uint8Array;
    isKept: boolean;
  };

/** Creates a journal of the latest 1,000 requests, or fewer if their bodies exceed 64 MiB. */
export function createJournal(): Journal {
  const entries: Entry[] = [];
  let bytes = 0;
  let [revision, count] = [0, 0];

  function dropOldest(): void {
    const oldest = entries.shift();
    if (!oldest) return;
    oldest.isKept = false;
    bytes -= oldest.bytes.length;
  }

  return {
    note(handled) {
      count += 1;
      revision += 1;
      const entry = createEntry(handled, revision);
      entries.push(entry);
      if (entries.length > requestsKept) dropOldest();
      const keep = (read: BodyResult): void => {
        if (read.kind !== 'read' || !entry.isKept) return;
        entry.bytes = read.bytes;
        bytes += read.bytes.length;
        while (bytes > bytesKept) dropOldest();
      };
      // A request that was refused before its body was read may still have a body.
      const read = handled.ctx.request.readBody(longestBody);
      // The client may close the connection before the body is complete.
      if (read instanceof Promise) read.then(keep, () => {});
      else keep(read);
    },
    end({ ctx }, at) {
      // The request is usually the last entry, so the search starts at the end.
      const entry = entries.findLast(({ number }) => number === ctx.number);
      if (!entry) return;
      revision += 1;
      entry.revision = revision;
      entry.endedAt = at;
    },
    changedSince: (since) => entries.filter((entry) => entry.revision > since).map(describeWithResponse),
    find(number) {
      const entry = entries.find((one) => one.number === number);
      return entry && describeWithResponse(entry);
    },
    revision: () => revision,
    count: () => count,
    requests: () => entries.map(describeEntry).sort((a, b) => a.number - b.number),
    clear: () => {
      while (entries.length > 0) dropOldest();
    },
  };
}

function createEntry({ ctx, wire, call }: HandledRequest, revision: number): Entry {
  // A reference to the request itself would keep its connection in memory.
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
    key: classifyPresentedKey(ctx),
    streamed: ctx.streamed,
    status: wire.status,
    traceId: ctx.traceId,
    keys: ctx.state.keys,
    handled: { wire, call },
    keyName: ctx.key?.name,
    keyEnding: ctx.key ? endingOf(ctx.key.value) : '',
    failure: ctx.failure,
    causes: causesOf(ctx.request),
    revision,
    endedAt: undefined,
    bytes: noBytes,
    isKept: true,
  };
}

function describeEntry(entry: Entry): ReceivedRequest {
  const redaction = createRedaction(entry, entry.keys);
  const { query, headers, bytes } = entry;
  return {
    ...summarize(entry, redaction),
    query: Object.fromEntries([...query].map(([name, value]) => [name, redaction.parameter(name, value)])),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value = '']) => [name, redaction.header(name, value)]),
    ),
    body: parseBody(bytes, redaction),
  };
}

function summarize(entry: Entry, { text }: Redaction): Omit<ReceivedRequest, 'query' | 'headers' | 'body'> {
  const { number, at, method, path, operation, model, key, streamed, status, traceId } = entry;
  const clean = { path: text(path), model: model === undefined ? undefined : text(model) };
  return { number, at, method, operation, key, streamed, status, traceId, ...clean };
}

function describeWithResponse(entry: Entry): JournalEntry {
  const { revision, keyName, keyEnding, failure, causes, handled, at, endedAt, keys } = entry;
  const redaction = createRedaction(entry, keys);
  return {
    ...summarize(entry, redaction),
    describe: () => describeEntry(entry),
    revision,
    keyName,
    keyEnding,
    failure,
    causes,
    ...handled,
    durationMs: endedAt === undefined ? undefined : endedAt - at,
    redact: redaction.text,
  };
}

function parseBody(bytes: Uint8Array, redaction: Redaction): unknown {
  if (bytes.length === 0) return undefined;
  const text = redaction.text(Buffer.from(bytes).toString());
  try {
    // A key with JSON escapes is visible only in the parsed body.
    return JSON.parse(text, (_name, value: unknown) =>
      typeof value === 'string' ? redaction.text(value) : value,
    );
  } catch {
    return text;
  }
}
