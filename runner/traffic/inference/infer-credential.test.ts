import { describe, expect, test } from 'vitest';
import { attributesOfPackage } from '../../catalog/attributes.ts';
import { catalogOfPackage } from '../../catalog/catalog.ts';
import { readProfile } from '../../profile/read-profile.ts';
import { placeCredential } from '../../request/keys.ts';
import type { HeaderLine } from '../recordings/recorded-exchange.ts';
import { createReadKeyMembers } from './find-place.ts';
import { createInferSender } from './infer-credential.ts';
import { createInferFromUrl } from './infer-from-url.ts';

const known = 'sk-known-0123456789abcdef';
const profile = readProfile(undefined, { sendsNothing: true }, {}, await catalogOfPackage());
const inferUrl = createInferFromUrl(profile);
const readMembers = createReadKeyMembers();
const inferSender = createInferSender(
  (text) => (text === known ? { kind: 'good', isStated: true } : undefined),
  ['x-tenant-token'],
);

function infer({
  headers = [],
  path = '/v1/models',
  body,
}: {
  readonly headers?: readonly HeaderLine[];
  readonly path?: string;
  readonly body?: string | undefined;
}) {
  const url = inferUrl(
    { method: 'POST', url: `https://gateway.example${path}`, headers, body },
    () => undefined,
  );
  return inferSender(headers, url, readMembers(body), true).credential.attributes;
}

test.each([...attributesOfPackage().places.keys()].filter((place) => place !== 'any'))(
  'a known key in the place %s is found there',
  (place) => {
    const { headers, query, members } = placeCredential(place, known);
    const inferred = infer({
      headers: Object.entries(headers),
      path: query === undefined ? '/v1/models' : `/v1/models?${query}`,
      body: members && JSON.stringify(members),
    });
    const key = place === 'none' ? { key: 'none' } : place === 'two' ? {} : { key: 'good' };
    expect(inferred).toMatchObject({ header: place, ...key });
  },
);

describe('other programs are less strict:', () => {
  test.each<[string, string, string]>([
    ['authorization', `BEARER ${known}`, 'lower-case-bearer'],
    ['authorization', `Bearer   ${known} `, 'bearer'],
    ['authorization', `apikey  ${known}`, 'api-key-scheme'],
    ['authorization', `basic ${Buffer.from(`me:${known}`).toString('base64')}`, 'basic-password'],
    ['proxy-authorization', `bearer ${known}`, 'proxy-authorization'],
    ['sec-websocket-protocol', `openai-insecure-api-key.${known}, realtime`, 'websocket-protocol'],
    ['cookie', `theme=dark;token=${known}; a=b`, 'cookie-token'],
  ])('%s: %s is %s', (name, value, place) => {
    expect(infer({ headers: [[name, value]] })).toMatchObject({ header: place, key: 'good' });
  });
});

describe('the place is unknown if a part that can contain a key is no known place:', () => {
  test.each<[string, HeaderLine]>([
    ['a redacted value', ['authorization', '[REDACTED]']],
    ['a redacted text after a scheme', ['authorization', 'Basic [REDACTED]']],
    ['another scheme', ['authorization', `Custom ${known}`]],
    ['an unknown header', ['x-internal-token', 'abc']],
    ['a header without its scheme', ['helicone-auth', known]],
    ['an unknown cookie', ['cookie', `sid=${known}`]],
    ['a cookie that may be a session', ['cookie', 'session=0123456789']],
  ])('%s', (_, line) => {
    expect(infer({ headers: [line] })).toEqual({});
  });
  test.each([
    ['a query parameter', { path: '/v1/models?auth=abcdef' }],
    ['a member of the body', { body: '{"model": "m", "token": "abcdef"}' }],
  ])('%s', (_, request) => {
    expect(infer(request)).toEqual({});
  });
});

describe('no key is sent if no part can contain one:', () => {
  const none = { header: 'none', key: 'none', keyPrefix: 'none' };
  test.each<[string, HeaderLine]>([
    ['a header that the profile adds', ['x-tenant-token', 'abc']],
    ['the host', [':authority', 'gateway.example']],
    ['an idempotency key', ['idempotency-key', '7c9e6679-7425-40de-944b-e07fc1f90ae7']],
    ['the content type', ['content-type', 'application/json']],
  ])('%s', (_, line) => {
    expect(infer({ headers: [line] })).toEqual(none);
  });
  test('a body that mentions a member', () => {
    expect(infer({ body: '{"messages": [{"content": "\\"token\\": \\"x\\""}], "max_tokens": 1}' })).toEqual(
      none,
    );
  });
});
