// Redacts the log of the reference gateway, which knows its own keys. The runner, which reports on unknown gateways, finds
// keys in any encoding and has a redaction of its own: runner/report/redaction.

import type { GatewayRequest } from './gateway/context.ts';
import type { ApiKey } from './gateway/state.ts';

/** Takes the keys out of what a request holds: each gives way to its role, such as `{{keys.valid}}`. */
export type Redaction = {
  /** The value of a header; of one for credentials nothing stays but the scheme and the role. */
  readonly header: (name: string, value: string) => string;
  /** The value of a query parameter. */
  readonly parameter: (name: string, value: string) => string;
  readonly text: (text: string) => string;
};

const keyHeaders = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key'];
const secretHeaders = [...keyHeaders, 'proxy-authorization', 'cookie'];
const unknown = '{{keys.unknown}}';

// Less than this is no key, and would be found everywhere.
const shortestKey = 8;

/** The redaction of one request: of every key that the gateway knows, and of what this request presents as one. */
export function redactionOf(
  { headers }: Pick<GatewayRequest, 'headers'>,
  keys: readonly ApiKey[],
): Redaction {
  const secrets = [
    ...keys.map(({ value, role }) => ({ value, as: `{{keys.${role}}}` })),
    ...keyHeaders
      .map((name) => bare(headers[name] ?? ''))
      .filter((value) => value.length >= shortestKey)
      .map((value) => ({ value, as: unknown })),
  ].flatMap(({ value, as }) =>
    [...new Set([value, encodeURIComponent(value)])].map((form) => ({ form, as })),
  );

  const text = (given: string): string =>
    secrets
      .reduce((rest, { form, as }) => rest.replaceAll(form, as), given)
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
      return value.slice(0, value.length - bare(value).length) + role(bare(value));
    },
  };
}

/** The value of a credential header without its scheme. */
const bare = (value: string): string => value.replace(/^(?:bearer|basic|token) +/i, '');
