import { beforeAll, describe, expect, test } from 'vitest';
import { type Catalog, catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import { checkRecording, type ExchangeRow, entryOf, profileWith } from '../../support/recorded-exchange.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await catalogOfPackage();
});

const json = { 'content-type': 'application/json' };
const key = 'sk-client-0123456789abcdef';
const bearer = { authorization: `Bearer ${key}` };

/** Returns the duties that the client of a recorded exchange violates, with the problem of each. */
async function findBroken(row: Partial<ExchangeRow>): Promise<string[]> {
  const line = JSON.stringify(entryOf({ status: 401, ...row }));
  const { recording } = await checkRecording(catalog, profileWith(catalog), line);
  const duties = recording?.client?.duties ?? [];
  return duties.flatMap(({ id, findings }) => findings.map(({ message }) => `${id}: ${message}`));
}

describe('a client violates', () => {
  test.each([
    [{ authorization: `Basic ${key}` }, 'The scheme in Authorization is not Bearer.'],
    [{ authorization: `Token ${key}` }, 'The scheme in Authorization is not Bearer.'],
    [{ authorization: key }, 'The key is in Authorization without the scheme Bearer.'],
    [{ authorization: 'Bearer ' }, 'The key is empty.'],
    [{ 'x-goog-api-key': key }, 'The key is in x-goog-api-key, which only family C accepts.'],
    [{ 'api-key': key }, 'The key is in the header api-key, which the specification does not define.'],
    [
      { 'x-litellm-api-key': key },
      'The key is in the header x-litellm-api-key, which the specification does not define.',
    ],
    [{}, 'The request has no credential.'],
    [{ ...bearer, 'x-api-key': key }, 'The request has 2 credentials instead of 1.'],
  ])('client/one-header with %j', async (sent, message) => {
    expect(await findBroken({ sent: { ...json, ...sent } })).toEqual([`client/one-header: ${message}`]);
  });

  test('client/one-header with a key in the query', async () => {
    const url = '/v1/chat/completions?api_key=x';
    expect(await findBroken({ url, sent: json })).toEqual([
      'client/one-header: The key is in the query instead of a header.',
    ]);
  });

  test.each(['application/vnd.api+json', 'text/plain', 'application/json-patch'])(
    'client/json-content-type with %s',
    async (type) => {
      expect(await findBroken({ sent: { ...bearer, 'content-type': type } })).toEqual([
        `client/json-content-type: The Content-Type is ${type} instead of application/json.`,
      ]);
    },
  );
});

describe('a client satisfies its duties', () => {
  test.each<[string, Partial<ExchangeRow>]>([
    ['a bearer token', { sent: { ...json, ...bearer } }],
    ['the scheme in lower case', { sent: { ...json, authorization: `bearer ${key}` } }],
    ['a charset', { sent: { ...bearer, 'content-type': 'application/json; charset=utf-8' } }],
    ['a key that the recorder replaced', { sent: { ...json, authorization: '[REDACTED]' } }],
    [
      'x-goog-api-key in family C',
      {
        url: '/v1beta/models/m:generateContent',
        sent: { ...json, 'x-goog-api-key': key },
        body: { contents: [] },
      },
    ],
  ])('with %s', async (_, row) => {
    expect(await findBroken(row)).toEqual([]);
  });
});

describe('client/no-repeat-of-400', () => {
  const refused = (at: string, sent: Readonly<Record<string, string>>): string =>
    JSON.stringify({
      ...entryOf({ status: 400, sent: { ...json, ...bearer, ...sent } }),
      startedDateTime: `2026-01-01T00:00:${at}Z`,
    });

  test.each<{
    about: string;
    first: Readonly<Record<string, string>>;
    repeated: Readonly<Record<string, string>>;
    broken: number;
  }>([
    { about: 'the same headers', first: {}, repeated: {}, broken: 1 },
    {
      about: 'other traces and retry counts',
      first: { 'x-request-id': 'a', 'x-stainless-retry-count': '0' },
      repeated: { 'x-request-id': 'b', 'x-stainless-retry-count': '1' },
      broken: 1,
    },
    { about: 'another key', first: {}, repeated: { authorization: `Bearer ${key}-other` }, broken: 0 },
    { about: 'another version', first: {}, repeated: { 'anthropic-version': '2023-06-01' }, broken: 0 },
    { about: 'another accepted type', first: {}, repeated: { accept: 'text/event-stream' }, broken: 0 },
    {
      about: 'a header of the gateway',
      first: { 'x-tenant': 'a' },
      repeated: { 'x-tenant': 'b' },
      broken: 0,
    },
  ])('a request that repeats a refused one with $about: $broken', async ({ first, repeated, broken }) => {
    const lines = [refused('00', first), refused('01', repeated)].join('\n');
    const { recording } = await checkRecording(catalog, profileWith(catalog), lines);
    const duty = recording?.client?.duties.find(({ id }) => id === 'client/no-repeat-of-400');
    expect(duty?.broken).toBe(broken);
  });
});
