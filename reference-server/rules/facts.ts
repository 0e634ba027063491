import type { ServerRequest } from '../wire/request.ts';

/**
 * What a server knows of a request. Everything but the head becomes known in the course of the request: `sent` with
 * the body, `caller` with the credential, and `refused` with the decision. A server that has no such thing as an
 * operation or a key leaves it undefined, and no condition on it holds.
 */
export type Facts = {
  readonly request: Pick<ServerRequest, 'method' | 'path' | 'query' | 'headers' | 'connection'>;
  /** Milliseconds since 1970-01-01 UTC. */
  readonly now: number;
  readonly operation: string | undefined;
  readonly family: string | undefined;
  readonly surface: string | undefined;
  readonly sent?: SentFacts | undefined;
  readonly caller?: CallerFacts | undefined;
  /** The reason of refusal; true if the server has no names for reasons, and false if it serves the request. */
  readonly refused?: string | boolean | undefined;
  /** What the refusal is about, such as the `member` of the body. */
  readonly problem?: RefusalTexts | undefined;
};

/** What a refusal is about, by name. */
export type RefusalTexts = Readonly<Record<string, string>>;

export type SentFacts = {
  /** Returns the body as sent; empty if the server hasn't read it. */
  readonly text: () => string;
  /** The parsed body; undefined if it isn't JSON. */
  readonly body: unknown;
  readonly model: string | undefined;
  readonly streamed: boolean | undefined;
  /**
   * Returns the first place where the body is invalid, with the value there, if any; undefined if the body is valid. A
   * server that validates no bodies leaves this out.
   */
  readonly findProblem?: () => Problem | undefined;
};

/** A place such as `messages[0].role`; `body` if the body is not an object, and `json` if it is not JSON. */
export type Problem = { readonly place: string; readonly value: unknown };

export type CallerFacts = {
  readonly place: string;
  readonly credential: string;
  readonly key: string | undefined;
};

/** The values by which requests are counted apart, in addition to headers. */
const readers: Readonly<Record<string, (facts: Facts) => unknown>> = {
  operation: ({ operation }) => operation,
  family: ({ family }) => family,
  surface: ({ surface }) => surface,
  method: ({ request }) => request.method,
  path: ({ request }) => request.path,
  query: ({ request }) => request.query.toString(),
  connection: ({ request }) => request.connection,
  place: ({ caller }) => caller?.place,
  credential: ({ caller }) => caller?.credential,
  key: ({ caller }) => caller?.key,
  model: ({ sent }) => sent?.model,
  streamed: ({ sent }) => sent?.streamed,
  body: ({ sent }) => sent?.body,
};

export const factNames: readonly string[] = Object.keys(readers);

/** Returns the value of a fact by which requests are counted apart; a header if no fact has the name. */
export function distinguish(facts: Facts, name: string): unknown {
  const read = Object.hasOwn(readers, name) ? readers[name] : undefined;
  return read ? read(facts) : facts.request.headers[name.toLowerCase()];
}
