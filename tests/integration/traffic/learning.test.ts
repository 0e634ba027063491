import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import type { Exchange } from '../../../runner/exchange/exchange.ts';
import { formatDraftFromTraffic } from '../../../runner/init/format-draft.ts';
import { createPromise } from '../../../runner/profile/promise.ts';
import { parseProfile } from '../../../runner/profile/read-profile.ts';
import type { Report } from '../../../runner/report/report.ts';
import { createTrafficLearner } from '../../../runner/traffic/learning/learn-traffic.ts';
import {
  checkRecording,
  type ExchangeRow,
  entryOf,
  errorOf,
  failuresIn,
  helloBody,
  profileWith,
} from '../../support/recorded-exchange.ts';

const catalog = await catalogOfPackage();

const json = { 'content-type': 'application/json', accept: 'application/json' };
const key = 'sk-9fK2mQ7xW4vL8nB3tR6yZ1';
const bearer = (text: string): Readonly<Record<string, string>> => ({
  ...json,
  authorization: `Bearer ${text}`,
});
const works: ExchangeRow = { sent: bearer(key), status: 200, answer: { choices: [] } };

/** Returns the report of `check` without a profile for these exchanges, which are one second apart by default. */
function check(...rows: readonly ExchangeRow[]): Promise<Report> {
  const lines = rows.map((row, index) => JSON.stringify(entryOf({ at: index * 1_000, ...row })));
  return checkRecording(catalog, profileWith(catalog), lines.join('\n'));
}

async function findViolations(...rows: readonly ExchangeRow[]): Promise<string[]> {
  return failuresIn(await check(...rows)).filter((failure) => failure.startsWith('violates'));
}

async function learnedFrom(...rows: readonly ExchangeRow[]): Promise<Record<string, string>> {
  const { recording } = await check(...rows);
  return Object.fromEntries((recording?.learned ?? []).map(({ path, value }) => [path, value]));
}

describe('a key that worked', () => {
  const refused: ExchangeRow = {
    sent: { ...json, 'x-api-key': key, 'anthropic-version': '2023-06-01' },
    status: 401,
    answer: errorOf(401, 'invalid_api_key'),
  };
  test('must not be refused in another header between successes', async () => {
    expect(await findViolations(works, refused, works)).toEqual(['violates auth/good-x-api-key']);
  });
  test('may be refused after its last success', async () => {
    expect(await findViolations(works, works, refused)).toEqual([]);
  });
  test('is not the key of another account', async () => {
    const other: ExchangeRow = { ...works, sent: bearer('sk-7pT1cN5dX9eM2hJ6kV0sF4') };
    const balance = errorOf(400, 'insufficient_balance');
    expect(await findViolations(works, other, { ...other, status: 400, answer: balance })).toEqual([]);
  });
  test.each([
    ['with another letter', key.replace('W4', 'W5')],
    ['without its end', key.slice(0, -2)],
    ['with more letters', `${key}x7`],
    ['in a JSON object', `{"key":"${key}"}`],
  ])('must be refused %s', async (_, changed) => {
    const accepted: ExchangeRow = { ...works, sent: bearer(changed) };
    expect(await findViolations(works, works, accepted)).toContain('violates auth/bad-bearer-token');
  });
  test.each(['undefined', 'null', 'sk-'])('must be refused as %s', async (text) => {
    expect(await findViolations({ ...works, sent: bearer(text) })).toContain(
      'violates auth/bad-bearer-token',
    );
  });
  const changed = key.replace('W4', 'W5');
  test.each([
    ['another valid key', 'sk-client-0123456789abcdef', 'sk-client-0123456789abcdee'],
    ['a key with another changed letter', changed, key.replace('nB', 'nC')],
    ['a key with other cases', changed, key.toLowerCase()],
    ['a key without its end', changed, key.slice(0, -1)],
  ])('that differs only slightly from %s is undecided', async (_, one, two) => {
    const report = await check({ ...works, sent: bearer(one) }, { ...works, sent: bearer(two) });
    expect(failuresIn(report).filter((failure) => failure.startsWith('violates'))).toEqual([]);
    const reasons = report.recording?.notJudged.map(({ reason }) => reason);
    expect(reasons).toContainEqual(
      expect.stringMatching(/^An accepted key differs only slightly from another valid key/),
    );
  });
});

test('two changed copies of a key that is used too are no longer undecided', async () => {
  const copies = [key.replace('W4', 'W5'), key.replace('nB', 'nC')];
  const report = await check(...[...copies, key, key].map((text) => ({ ...works, sent: bearer(text) })));
  expect(failuresIn(report)).toContain('violates auth/bad-bearer-token');
  const reasons = report.recording?.notJudged.map(({ reason }) => reason);
  expect(reasons).not.toContainEqual(expect.stringMatching(/^An accepted key differs/));
});

describe('another valid key', () => {
  test.each([
    ['with another name', 'sk-worker1-production-eu', 'sk-worker2-production-eu'],
    ['with a suffix', key, `${key}:42`],
    ['with another suffix', `${key}-a`, `${key}-b`],
  ])('%s is not a mistake', async (_, one, two) => {
    const rows = [one, one, two].map((text) => ({ ...works, sent: bearer(text) }));
    expect(await findViolations(...rows)).toEqual([]);
  });
});

describe('a model that worked', () => {
  const sent = { ...works, body: { ...helloBody, messages: [{ role: 'user', content: 7 }] } };
  const aboutModel = errorOf(400, 'invalid_request_error', 'The model does not fit this endpoint.');
  test('does not excuse an error that names the model instead of the invalid member', async () => {
    const failures = await findViolations(works, { ...sent, status: 400, answer: aboutModel });
    expect(failures).toEqual(['violates chat/message-names-fault']);
  });
  test('must have worked before, since an unknown model may be wrong too', async () => {
    expect(await findViolations({ ...sent, status: 400, answer: aboutModel })).toEqual([]);
  });
});

describe('a request that is refused with 400', () => {
  const refused: ExchangeRow = { ...works, status: 400, answer: errorOf(400, 'invalid_request_error') };
  test('is a violation if the same request succeeds before and after', async () => {
    expect(await findViolations(works, refused, works)).toContain('violates auth/good-bearer-token');
  });
  test('is undecided if a different request succeeds', async () => {
    const other = { ...refused, body: { ...helloBody, messages: [{ role: 'user', content: 'Draw a cat' }] } };
    expect(await findViolations(works, other, works)).toEqual([]);
  });
});

describe('a path of a billing-type endpoint', () => {
  const received = { 'content-type': 'application/json' };
  const usage = (start: string, status: number, answer: unknown): ExchangeRow => ({
    method: 'GET',
    url: `/v1/account/spend?from=${start}&until=2026-02-01`,
    sent: bearer(key),
    status,
    answer,
    received,
  });
  const invalid = { error: { code: 'invalid_request', message: 'from is after until' } };
  const fine = usage('2026-01-01', 200, { items: [] });
  const reversed = usage('2026-03-01', 400, invalid);

  test('is learned from an error with a code of section 7.2', async () => {
    expect(await learnedFrom(works, fine, reversed)).toMatchObject({
      'operations.usage': 'GET /v1/account/spend?from={start}&until={end}',
      timeFormat: 'iso-date',
    });
  });
  test('is judged once the path is learned', async () => {
    const typed = usage('2026-03-02', 400, { error: { ...invalid.error, type: 'invalid_request_error' } });
    expect(await findViolations(works, fine, reversed, typed)).toEqual([
      'violates billing-error/no-other-error-member',
    ]);
    expect(await findViolations(works, fine, typed)).toEqual([]);
  });
  test.each<[string, Partial<ExchangeRow>]>([
    ['only an error and a success with a valid key', {}],
    ['another host', { url: 'https://app.example/api/balance' }],
    ['a path without a word for a balance', { url: '/v1/prices' }],
    ['a path that needs no key', { url: '/v1/balance', sent: json }],
    ['another method', { url: '/v1/balance', method: 'POST' }],
  ])('is learned only with all of the evidence: %s', async (_, place) => {
    const row = { ...fine, url: '/v1/balance', ...place };
    const busy = { error: { code: 'rate_limit_exceeded', message: 'Slow down' } };
    const learned = await learnedFrom(works, { ...row, status: 429, answer: busy }, row);
    expect(Object.keys(learned).includes('operations.balance')).toBe(place.url === undefined);
  });
  test.each([
    ['an error of a model endpoint', errorOf(400, 'invalid_request_error')],
    ['the code of another interface', { error: { code: 'bad_range', message: 'No' } }],
  ])('is not learned from %s', async (_, answer) => {
    expect(await learnedFrom(works, fine, usage('2026-03-01', 400, answer))).not.toHaveProperty([
      'operations.usage',
    ]);
  });
  test('is not learned from a path that does not exist', async () => {
    const absent = { error: { code: 'not_found', message: 'No such path' } };
    const row = {
      ...fine,
      url: '/v1/files/0b8f7a52-5f0c-4d6c-9a44-0d5f6f1f2a10',
      status: 404,
      answer: absent,
    };
    expect(await learnedFrom(row)).toEqual({});
  });
});

describe('a parameter that asks for a stream', () => {
  const stream = {
    received: { 'content-type': 'text/event-stream' },
    answer: 'data: {"choices":[]}\n\ndata: [DONE]\n\n',
  };
  const asks = (member: string): ExchangeRow => ({
    ...works,
    ...stream,
    body: { ...helloBody, [member]: true },
  });
  const accepts = { ...bearer(key), accept: 'text/event-stream' };
  test.each<[string, readonly ExchangeRow[], string | undefined]>([
    ['is learned by its name', [asks('streaming')], 'streaming'],
    [
      'is not learned if the header accept may have started the stream',
      [{ ...asks('streaming'), sent: accepts }],
      undefined,
    ],
    ['is not learned if the documented parameter works', [asks('stream'), asks('streaming')], undefined],
    ['is not learned by a part of a word', [asks('upstream_cache')], undefined],
  ])('%s', async (_, rows, name) => {
    expect((await learnedFrom(...rows))['stream.parameter']).toBe(name);
  });
});

describe('the profile that is learned', () => {
  const rows: readonly ExchangeRow[] = [
    works,
    {
      url: '/v1/messages',
      sent: { ...json, 'x-api-key': key, 'acme-version': '2023-06-01' },
      body: { ...helloBody, model: 'claude-small', max_tokens: 9 },
      status: 200,
      answer: { content: [] },
    },
    {
      ...works,
      body: { ...helloBody, streaming: true },
      received: { 'content-type': 'text/event-stream' },
      answer: 'data: {"choices":[]}\n\ndata: [DONE]\n\n',
    },
  ];
  test('names a version header of another vendor, which does not count against a client with the default header', async () => {
    const [, messages] = rows;
    const sent = { ...json, 'x-api-key': key };
    const withHeader = (name: string): ExchangeRow => ({
      ...works,
      ...messages,
      sent: { ...sent, [name]: '2023-06-01' },
    });
    const { recording } = await check(withHeader('acme-version'), withHeader('anthropic-version'));
    const duty = recording?.client?.duties.find(({ id }) => id === 'client/version-header');
    expect(duty).toMatchObject({ kept: 2, broken: 0 });
  });
  test('has the models, the version header and the stream parameter, and a variable for the key', async () => {
    const { recording } = await check(...rows);
    const draft = formatDraftFromTraffic(recording?.learned ?? [], 3);
    const stated = parse(draft);
    expect(stated).toEqual({
      baseUrl: 'https://gateway.example',
      keys: { valid: '${GATEWAY_API_KEY}' },
      models: { chat: { good: helloBody.model }, messages: { good: 'claude-small' } },
      versionHeader: 'acme-version',
      stream: { parameter: 'streaming' },
    });
    expect(draft).not.toContain(key);
    expect(() => parseProfile({ ...stated, keys: { valid: key } }, catalog)).not.toThrow();
  });
});

test('the learner of a recording with many similar keys keeps a limited number of exchange IDs', () => {
  const learner = createTrafficLearner(createPromise(catalog, profileWith(catalog)), new Map());
  for (let index = 0; index < 500; index += 1) learner.observe(acceptedCall(index), '/v1/models');
  expect(learner.similarKeys().length).toBeLessThan(100);
});

function acceptedCall(index: number): Exchange {
  const answer = {
    status: 200,
    headers: {},
    text: '{}',
    size: 2,
    pieces: 1,
    content: { kind: 'json', value: {} },
  } as const;
  return {
    id: `request ${index}`,
    attributes: { operation: 'models', accepted: 'true' },
    model: undefined,
    request: { method: 'GET', path: '/v1/models', headers: bearer(`${key}:${index}`), body: undefined },
    result: { kind: 'answer', answer },
    startedAt: 0,
    durationMs: 1,
    earlier: [],
    controlAfter: undefined,
  };
}
