import type { BodyRead } from './context.ts';
import type { Handled } from './gateway.ts';
import type { OperationId } from './operations.ts';
import { type PresentedKey, presentedKey } from './presented-key.ts';
import { type Redaction, redactionOf } from './redact.ts';

/** A request that the server got, and how it answered. No key is in it: its role, such as `{{keys.valid}}`, stands in its place. */
export type ReceivedRequest = {
  /** 1 for the first request of this server, then counting up. */
  readonly number: number;
  /** When it arrived, in milliseconds since the epoch. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** As JSON where it is JSON, else as text; undefined where there is none, or it had not arrived. */
  readonly body: unknown;
  /** Undefined where no endpoint is there. */
  readonly operation: OperationId | undefined;
  readonly model: string | undefined;
  readonly key: PresentedKey;
  /** Whether a stream was asked for, as far as the request was read before it was answered. */
  readonly streamed: boolean;
  /** The status of the answer. */
  readonly status: number;
  /** The trace id of the answer. */
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

type Entry = { request: ReceivedRequest; bytes: number };

/** A journal of the newest 1,000 requests, and of fewer where their bodies come to more than 64 MiB. */
export function createJournal(): Journal {
  let entries: Entry[] = [];

  function trim(): void {
    let bytes = 0;
    const dropped = entries.findLastIndex((entry, index) => {
      bytes += entry.bytes;
      return bytes > bytesKept || entries.length - index > requestsKept;
    });
    if (dropped >= 0) entries = entries.slice(dropped + 1);
  }

  return {
    note(handled) {
      const { request, state } = handled.ctx;
      const redaction = redactionOf(request, state.keys);
      const entry = { request: described(handled, redaction), bytes: 0 };
      entries.push(entry);
      trim();
      // What was refused before its body was read may still have one.
      request.readBody(longestBody).then(
        (read) => {
          if (read.kind !== 'read') return;
          entry.request = { ...entry.request, body: bodyOf(read.bytes, redaction) };
          entry.bytes = read.bytes.length;
          trim();
        },
        // A client that has gone away sends no more.
        () => {},
      );
    },
    requests: () => entries.map(({ request }) => request).sort((a, b) => a.number - b.number),
    clear: () => {
      entries = [];
    },
  };
}

function described({ ctx, wire }: Handled, redaction: Redaction): ReceivedRequest {
  const { request } = ctx;
  const headers = Object.entries(request.headers).map(([name, value = '']) => [
    name,
    redaction.header(name, value),
  ]);
  return {
    number: ctx.number,
    at: ctx.now,
    method: request.method,
    path: redaction.text(request.path),
    query: Object.fromEntries(
      [...request.query].map(([name, value]) => [name, redaction.parameter(name, value)]),
    ),
    headers: Object.fromEntries(headers),
    body: undefined,
    operation: ctx.operation?.id,
    model: ctx.modelId === undefined ? undefined : redaction.text(ctx.modelId),
    key: presentedKey(ctx),
    streamed: ctx.streamed,
    status: wire.status,
    traceId: ctx.traceId,
  };
}

function bodyOf(bytes: Extract<BodyRead, { kind: 'read' }>['bytes'], redaction: Redaction): unknown {
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
