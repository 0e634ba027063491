/** A received request. Header names are in lower case. */
export type ServerRequest = {
  readonly method: string;
  /** The path as sent, percent-encoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Identifies the connection. All requests on one connection have the same value. */
  readonly connection: string;
  /**
   * Reads the body up to `limit` bytes. Later calls return the result of the first call, whatever their limit. Rejects
   * if the client closes the connection before the body is complete.
   */
  readonly readBody: (limit: number) => BodyResult | Promise<BodyResult>;
};

/** The bytes of a body, or the limit in bytes that the body exceeds. */
export type BodyResult =
  | { readonly kind: 'read'; readonly bytes: Uint8Array }
  | { readonly kind: 'too-large'; readonly limit: number };
