import type { Json } from '../json.ts';
import type { HeaderName } from './operations.ts';

/** The reason for which the gateway refuses a request. `retryAfter` is in seconds, and `limit` in bytes. */
export type RequestFailure =
  | { readonly kind: 'missing-credential' }
  | { readonly kind: 'bad-key'; readonly header: HeaderName }
  | { readonly kind: 'unparseable-body'; readonly reason: string }
  | { readonly kind: 'invalid-body'; readonly place: string; readonly expected: string }
  | { readonly kind: 'unknown-model'; readonly model: string }
  | { readonly kind: 'unsupported-model'; readonly model: string }
  | { readonly kind: 'mismatched-model'; readonly model: string }
  | { readonly kind: 'image-refused'; readonly model: string }
  | { readonly kind: 'low-balance' }
  | { readonly kind: 'invalid-parameter'; readonly name: string; readonly expected: string }
  | { readonly kind: 'unknown-record' }
  | { readonly kind: 'too-frequent'; readonly retryAfter: number }
  | { readonly kind: 'body-too-large'; readonly limit: number }
  | { readonly kind: 'bad-url' }
  | { readonly kind: 'unknown-path' }
  | { readonly kind: 'wrong-method'; readonly allowed: readonly string[] }
  | { readonly kind: 'unreadable-request'; readonly status: 400 | 408 | 431 }
  | { readonly kind: 'internal' };

/** The failure of a request, and the fields of the error response. */
export type ErrorFields = {
  readonly failure: RequestFailure;
  readonly status: number;
  /** `error.type` of section 7.1. */
  readonly type: string;
  /** `error.code` of section 7.2. */
  readonly code: string;
  readonly message: string;
  readonly details: { readonly [member: string]: Json } | null;
};
