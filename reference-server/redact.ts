// Redacts the journal of the reference gateway, which knows all valid keys. The runner has a separate redaction in
// runner/report/redaction: the runner reports on unknown gateways, and must therefore find keys in any encoding.

import type { GatewayRequest } from './gateway/context.ts';
import type { ApiKey } from './gateway/state.ts';

/** Replaces the keys in a request by their roles, such as `{{keys.valid}}`. */
export type Redaction = {
  /** Returns the value of a header. In a credential header, only the scheme and the role remain. */
  readonly header: (name: string, value: string) => string;
  readonly parameter: (name: string, value: string) => string;
  readonly text: (text: string) => string;
};

const keyHeaders = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key'];
const secretHeaders = [...keyHeaders, 'proxy-authorization', 'cookie'];
const unknown = '{{keys.unknown}}';

// A shorter text is not a key, and would match everywhere.
const shortestKey = 8;

/** Creates the redaction of one request. It replaces all keys of the gateway, and the credentials of this request. */
export function createRedaction(
  { headers }: Pick<GatewayRequest, 'headers'>,
  keys: readonly ApiKey[],
): Redaction {
  const secrets = [
    ...keys.map(({ value, role }) => ({ value, as: `{{keys.${role}}}` })),
    ...keyHeaders
      .map((name) => withoutScheme(headers[name] ?? ''))
      .filter((value) => value.length >= shortestKey)
      .map((value) => ({ value, as: unknown })),
  ].flatMap(({ value, as }) =>
    [...new Set([value, encodeURIComponent(value)])].map((form) => ({ form, as })),
  );

  const text = (original: string): string =>
    secrets
      .reduce((rest, { form, as }) => rest.replaceAll(form, as), original)
      .replace(/\bsk-[\w-]{16,}/g, unknown);
  const role = (value: string): string => {
    const known = keys.find((key) => key.value === value);
    return known ? `{{keys.${known.role}}}` : unknown;
  };
  return {
    text,
    parameter: (name, value) => (name === 'key' ? role(value) : text(value)),
    header: (name, value) => {
      if (!secretHeaders.includes(name)) return text(value);
      return value.slice(0, value.length - withoutScheme(value).length) + role(withoutScheme(value));
    },
  };
}

const withoutScheme = (value: string): string => value.replace(/^(?:bearer|basic|token) +/i, '');
