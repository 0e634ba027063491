import { describe, expect, test } from 'vitest';
import { catalogOfPackage } from '../catalog/catalog.ts';
import type { Attributes } from '../catalog/condition.ts';
import type { OperationId } from '../catalog/operations.ts';
import type { Profile } from '../profile/profile.ts';
import { parseProfile } from '../profile/read-profile.ts';
import { explainNotApplicable, listModelSegments } from './applicability.ts';
import { completeAttributes, getOperationAttributes } from './complete-attributes.ts';

const catalog = await catalogOfPackage();
const least = { baseUrl: 'http://x', keys: { valid: 'sk-abc' } };
const usage = {
  usage: 'GET /v1/usage?start={start}&end={end}',
  record: 'GET /v1/records?request_id={request_id}',
};
const profile = (value: object = {}): Profile => parseProfile({ ...least, ...value }, catalog);
const complete = (given: Attributes, by: Profile): Attributes =>
  completeAttributes(given, { operations: catalog.operations, profile: by });
const lack = (given: Attributes, value: object = {}): string | undefined => {
  const found = explainNotApplicable(complete(given, profile(value)), profile(value));
  if (found) expect(found.reason).toMatch(/^[A-Z](?:(?!undefined).)+\.$/);
  return found && (found.add ?? found.reason);
};

test('the reason differs between an operation that is not offered and an operation without a request', () => {
  const reason = (value: object): string | undefined =>
    explainNotApplicable({ operation: 'messages' }, profile(value))?.reason;
  expect(reason({ operations: { messages: null } })).toBe(
    'According to operations.messages in the profile, the gateway does not offer `messages`.',
  );
  expect(explainNotApplicable({ operation: 'balance' }, profile())?.reason).toBe(
    'The profile does not state the request of `balance`.',
  );
});

describe('the profile members that a case needs', () => {
  test.each<[Attributes, object, string | undefined]>([
    [{ operation: 'chat' }, {}, undefined],
    [{ operation: 'messages' }, {}, undefined],
    [
      { operation: 'messages' },
      { operations: { messages: null } },
      'According to operations.messages in the profile, the gateway does not offer `messages`.',
    ],
    [{ operation: 'balance' }, {}, 'operations.balance'],
    [{ operation: 'balance' }, { operations: { balance: 'GET /b' } }, undefined],
    [{ operation: 'none', path: 'unknown' }, {}, undefined],
    [{ operation: 'chat', key: 'deleted' }, {}, 'keys.deleted'],
    [{ operation: 'chat', key: 'deleted' }, { keys: { ...least.keys, deleted: 'sk-d' } }, undefined],
    [{ operation: 'chat', key: 'depleted' }, {}, 'keys.depleted'],
    [{ operation: 'models', key: 'foreign' }, {}, 'keys.foreign'],
    [{ operation: 'chat', key: 'prefix-less' }, {}, undefined],
    [
      { operation: 'chat', key: 'prefix-less' },
      { keys: { valid: 'abc' } },
      'The valid key does not begin with `sk-`.',
    ],
    [
      { operation: 'chat', key: 'other-case' },
      { keys: { valid: 'sk-1234' } },
      'The valid key has no letters whose case could be changed.',
    ],
    [{ operation: 'chat' }, { keys: { valid: 'abc' } }, undefined],
    [{ operation: 'chat' }, { keys: { valid: 'sk-1234' } }, undefined],
    [{ operation: 'chat', key: 'other-case' }, {}, undefined],
    [{ operation: 'chat', key: 'other-case' }, { keys: { valid: '12sk-34' } }, undefined],
    [{ operation: 'chat', model: 'unsupported' }, {}, 'models.chat.unsupported'],
    [{ operation: 'responses', model: 'unsupported' }, {}, 'models.responses.unsupported'],
    [{ operation: 'chat', model: 'unsupported' }, { models: { chat: { unsupported: 'm' } } }, undefined],
    [{ operation: 'streamGenerate', model: 'text-only' }, {}, 'models.generate.textOnly'],
    [
      { operation: 'streamGenerate', model: 'text-only' },
      { models: { generate: { textOnly: 'm' } } },
      undefined,
    ],
    [{ operation: 'messages', model: 'mismatched' }, {}, 'models.messages.mismatched'],
    [{ operation: 'responses', model: 'mismatched' }, {}, undefined],
    [{ operation: 'chat', model: 'unlisted' }, {}, undefined],
    [{ operation: 'record' }, { operations: usage }, 'records.own'],
    [{ operation: 'record' }, { operations: usage, records: { own: 'r' } }, undefined],
    [{ operation: 'record', header: 'none', key: 'none' }, { operations: usage }, undefined],
    [{ operation: 'record', key: 'unknown' }, { operations: usage }, undefined],
    [{ operation: 'record', header: 'query' }, { operations: usage }, undefined],
    [{ operation: 'record', method: 'PATCH' }, { operations: usage }, undefined],
    [{ operation: 'record', record: 'random' }, { operations: usage }, undefined],
    [{ operation: 'record', record: 'foreign' }, { operations: usage }, 'records.foreign'],
    [
      { operation: 'record', key: 'foreign' },
      { operations: usage, keys: { ...least.keys, foreign: 'sk-f' } },
      'records.own',
    ],
    [{ operation: 'usage', range: 'reversed' }, { operations: usage }, undefined],
    [
      { operation: 'usage', range: 'reversed' },
      { operations: { usage: { request: 'POST /u', body: { from: '{+start}', to: '{+end}' } } } },
      undefined,
    ],
    [
      { operation: 'usage', range: 'reversed' },
      { operations: { usage: 'GET /u?from={start}' } },
      '{end} in operations.usage',
    ],
    [
      { operation: 'usage', range: 'unparseable-start' },
      { operations: { usage: 'GET /u?to={end}' } },
      '{start} in operations.usage',
    ],
    [
      { operation: 'usage', range: 'reversed' },
      { operations: { usage: { request: 'POST /u', body: { a: '{start}', b: '{end}' } } } },
      undefined,
    ],
    [
      { operation: 'usage', range: 'reversed-minutes' },
      { operations: { usage: 'GET /u?to={end}' } },
      '{start} in operations.usage',
    ],
    [
      { operation: 'usage', range: 'unparseable-end' },
      { operations: { usage: 'GET /u?to={end}' } },
      undefined,
    ],
    [
      { operation: 'usage', range: 'unparseable-end' },
      { operations: { usage: 'GET /u?from={start}' } },
      '{end} in operations.usage',
    ],
    [
      { operation: 'usage', range: 'reversed' },
      { operations: { usage: 'GET /u?from={restart}&to={end}' } },
      '{start} in operations.usage',
    ],
    [{ operation: 'usage', range: 'reversed-minutes' }, { operations: usage }, undefined],
    [
      { operation: 'usage', range: 'reversed-minutes' },
      { operations: usage, timeFormat: 'iso-date' },
      'Dates without a time cannot be less than a day apart.',
    ],
    [{ operation: 'usage', range: 'reversed-digits' }, { operations: usage }, undefined],
    [
      { operation: 'usage', range: 'reversed-digits' },
      { operations: usage, timeFormat: 'unix-millis' },
      'A time range with fewer digits is sent only as Unix times in seconds.',
    ],
    [
      { operation: 'record', record: 'empty' },
      { operations: { record: 'GET /records/{request_id}' } },
      'Without a `request_id`, the path of `record` is the path of another endpoint.',
    ],
    [
      { operation: 'record', record: 'empty' },
      { operations: { record: 'GET /records?request_id={request_id}' } },
      undefined,
    ],
    [{ operation: 'usage', range: 'reversed' }, { operations: usage, timeFormat: 'iso-date' }, undefined],
    [{ operation: 'usage', burst: 'true' }, { operations: usage }, 'rateLimit'],
    [
      { operation: 'usage', burst: 'true' },
      { operations: usage, rateLimit: { operation: 'usage', requests: 9, within: '1s' } },
      undefined,
    ],
  ])('%j, %j: %j', (given, value, expected) => {
    expect(lack(given, value)).toBe(expected);
  });
  test('names the variable that is not set', () => {
    const unset = { ...profile(), unset: new Map([['keys.deleted', 'GATEWAY_DELETED_KEY']]) };
    expect(explainNotApplicable(complete({ operation: 'chat', key: 'deleted' }, unset), unset)).toEqual({
      reason:
        'keys.deleted needs the environment variable GATEWAY_DELETED_KEY, which is unset or empty. Set the variable.',
      add: undefined,
    });
  });
});

describe('the attributes of a request', () => {
  test.each<[Attributes, Attributes]>([
    [
      { operation: 'chat' },
      {
        surface: 'model',
        family: 'A',
        header: 'any',
        key: 'good',
        accepted: 'true',
        request: 'valid',
        model: 'good',
        streamed: 'false',
        contentType: 'json',
        version: 'none',
        keyPrefix: 'sk-',
        fault: 'none',
        member: 'none',
        place: 'none',
        given: 'none',
        body: 'none',
        repeated: 'false',
        burst: 'false',
      },
    ],
    [{ path: 'unknown' }, { operation: 'none', request: 'invalid' }],
    [{ operation: 'models' }, { surface: 'list', family: 'none', model: 'none', contentType: 'none' }],
    [{ operation: 'messages' }, { family: 'B', version: 'sent', request: 'valid' }],
    [
      { operation: 'chat', header: 'x-api-key' },
      { version: 'sent', accepted: 'true' },
    ],
    [{ operation: 'streamGenerate' }, { streamed: 'true', family: 'C' }],
    [{ operation: 'record' }, { record: 'own', range: 'none', surface: 'billing', request: 'valid' }],
    [{ operation: 'usage' }, { record: 'none', range: 'valid', request: 'valid' }],
    [
      { operation: 'none', path: 'unknown' },
      { surface: 'none', family: 'none', request: 'invalid' },
    ],
    [
      { operation: 'chat', header: 'none' },
      { key: 'none', accepted: 'false', keyPrefix: 'none', request: 'valid' },
    ],
    [
      { operation: 'chat', header: 'x-goog-api-key' },
      { accepted: 'false', request: 'valid' },
    ],
    [{ operation: 'generate', header: 'x-goog-api-key' }, { accepted: 'true' }],
    [{ operation: 'chat', header: 'query' }, { accepted: 'false' }],
    [{ path: 'unknown', header: 'bearer' }, { accepted: 'false' }],
    [{ operation: 'chat', key: 'empty' }, { keyPrefix: 'none' }],
    [{ operation: 'chat', key: 'prefix-less' }, { keyPrefix: 'other' }],
    [{ operation: 'chat', model: 'text-only' }, { request: 'valid' }],
    [{ operation: 'chat', model: 'unlisted' }, { request: 'invalid' }],
    [{ operation: 'chat', fault: 'image' }, { request: 'invalid' }],
    [{ operation: 'chat', method: 'PATCH' }, { request: 'invalid' }],
    [{ operation: 'messages', version: 'missing' }, { request: 'invalid' }],
    [{ operation: 'chat', contentType: 'text' }, { request: 'invalid' }],
    [{ operation: 'record', record: 'random' }, { request: 'invalid' }],
    [{ operation: 'usage', range: 'reversed' }, { request: 'invalid' }],
    [
      { operation: 'chat', surface: 'billing', request: 'invalid' },
      { surface: 'model', request: 'valid' },
    ],
  ])('%j are completed to %j', (given, expected) => {
    expect(complete(given, profile())).toMatchObject(expected);
  });
  test.each(['deleted', 'depleted', 'foreign'])('include the prefix of the %s key', (key) => {
    const other = profile({ keys: { valid: 'sk-a', [key]: 'key-b' } });
    expect(complete({ operation: 'models', key }, other).keyPrefix).toBe('other');
  });
  test.each<[OperationId, Attributes]>([
    ['chat', { operation: 'chat', surface: 'model', family: 'A' }],
    ['models', { operation: 'models', surface: 'list', family: 'none', streamed: 'false' }],
    ['streamGenerate', { operation: 'streamGenerate', surface: 'model', family: 'C', streamed: 'true' }],
  ])('of every exchange of %s include %j', (id, expected) => {
    expect(getOperationAttributes(catalog.operations[id])).toEqual(expected);
  });
});

test('names each model of a list, but no secret', () => {
  const profile = parseProfile(
    {
      baseUrl: 'http://x',
      keys: { valid: 'sk-a' },
      models: { chat: { mismatched: ['a/1', 'b'], textOnly: ['c'] } },
    },
    catalog,
  );
  const segments = (operation: string, model: string, secrets = profile.secrets) =>
    listModelSegments({ operation, model }, { ...profile, secrets });
  expect(segments('chat', 'mismatched')).toEqual(['model-id=a%2F1', 'model-id=b']);
  expect(segments('chat', 'mismatched', new Map([['b', 'MODEL']]))).toEqual(['model-id=a%2F1', 'model-id=2']);
  expect(segments('chat', 'text-only')).toBeUndefined();
  expect(segments('messages', 'mismatched')).toBeUndefined();
});
