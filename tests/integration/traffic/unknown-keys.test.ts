import { beforeAll, describe, expect, test } from 'vitest';
import { type Catalog, catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import type { Reporter } from '../../../runner/reporters/reporter.ts';
import { reporters } from '../../../runner/reporters/reporters.ts';
import { createView } from '../../../runner/view/view.ts';
import { checkRecording, type ExchangeRow, entryOf, profileWith } from '../../support/recorded-exchange.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await catalogOfPackage();
});

const secret = 'sk-unknown-key-4f81aa07cc';
const other = 'Zp4vQ81LmTt6Xw';
const json = { 'content-type': 'application/json' };
const bearer = { ...json, authorization: `Bearer ${secret}` };

const places: readonly (ExchangeRow & { readonly about: string })[] = [
  { about: 'a request header', sent: bearer, status: 400, answer: 'no' },
  {
    about: 'a response that repeats the key',
    sent: bearer,
    status: 401,
    answer: { error: { message: `bad ${secret}`, type: secret } },
  },
  { about: 'the model name', sent: bearer, body: { model: secret, messages: [{}] }, status: 200, answer: {} },
  { about: 'a URL', url: `/v1/models?key=${secret}`, method: 'GET', sent: {}, status: 200, answer: {} },
  {
    about: 'a user and password',
    url: `https://user:${other}@gateway.example/v1/models`,
    method: 'GET',
    sent: json,
    status: 200,
    answer: {},
  },
  {
    about: 'basic authentication',
    sent: { ...json, authorization: `Basic ${Buffer.from(`me:${other}`).toString('base64')}` },
    status: 200,
    answer: { said: other },
  },
  {
    about: 'another header',
    sent: { ...bearer, 'x-session-token': other },
    status: 400,
    answer: `no ${other}`,
  },
  { about: 'a cookie', sent: { ...bearer, cookie: `session=${other}` }, status: 400, answer: `no ${other}` },
  { about: 'a response to another client', sent: json, status: 200, answer: { leaked: secret } },
  {
    about: 'the trace id',
    sent: bearer,
    status: 400,
    received: { 'x-trace-id': secret },
    answer: { trace_id: secret },
  },
  { about: 'the content type', sent: { ...bearer, 'content-type': secret }, status: 400, answer: 'x' },
];

describe('no report contains an unknown key in', () => {
  test.each(places)('$about', async ({ about: _, ...row }) => {
    const later = entryOf({
      ...row,
      sent: { ...json, authorization: `Bearer ${secret}` },
      status: 400,
      answer: 'no',
    });
    const text = [entryOf(row), later].map((line) => JSON.stringify(line)).join('\n');
    const report = await checkRecording(catalog, profileWith(catalog), text);
    for (const load of Object.values(reporters)) {
      const reporter: Reporter = await load();
      const shown = reporter(createView(report), { colour: false, verbose: true, width: 100 });
      expect(shown).not.toContain(secret);
      expect(shown).not.toContain(other);
    }
  });

  test('the metadata of a recording', async () => {
    const entry = {
      ...entryOf({ sent: bearer, status: 500, answer: 'x' }),
      _facts: { key: secret, operation: 'chat' },
      _id: secret,
      _case: `auth/${secret}`,
    };
    const log = {
      _target: { baseUrl: `https://${secret}:x@gateway.example` },
      _notJudged: [
        { case: secret, requirement: 'endpoints/chat', outcome: 'inconclusive', reason: secret, add: secret },
      ],
      entries: [entry],
    };
    const report = await checkRecording(catalog, profileWith(catalog), JSON.stringify({ log }));
    expect(placesOf(report, secret)).toEqual([]);
  });
});

/** Returns the JSON pointers of the strings that contain a text, and of the values whose name contains the text. */
function placesOf(value: unknown, text: string, at = ''): string[] {
  if (typeof value === 'string') return value.includes(text) ? [at] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name.includes(text) ? [`${at}/${name}`] : []),
    ...placesOf(inner, text, `${at}/${name}`),
  ]);
}
