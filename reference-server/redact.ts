// Redacts the journal of the reference gateway, whose keys are all known. The runner has a separate redaction in
// runner/report/redaction, since responses of other gateways may contain a key in any encoding.

import type { ApiKey } from './gateway/state.ts';
import type { ServerRequest } from './wire/request.ts';

/** Functions that replace the keys in a request by their roles, such as `{{keys.valid}}`. */
export type Redaction = {
  /**
   * Returns the value of a header, with each key replaced by its role. The whole value of a credential header or of
   * `cookie` becomes a role, except the scheme `Bearer`, `Basic` or `Token`.
   */
  readonly header: (name: string, value: string) => string;
  /**
   * Returns the value of a query parameter, with each key replaced by its role. The value of the parameter `key`
   * becomes a role.
   */
  readonly parameter: (name: string, value: string) => string;
  /** Returns any other text, with each key replaced by its role. */
  readonly text: (text: string) => string;
};

const keyHeaders = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key'];
const secretHeaders = [...keyHeaders, 'proxy-authorization', 'cookie'];
const unknown = '{{keys.unknown}}';

// A shorter credential is too short for a key. Replacing such a credential could change unrelated text.
const shortestKey = 8;

/**
 * Creates the redaction of one request. The functions replace all keys of the gateway, the credentials of this
 * request that have at least eight characters, and texts that look like keys.
 */
export function createRedaction(
  { headers }: Pick<ServerRequest, 'headers'>,
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
