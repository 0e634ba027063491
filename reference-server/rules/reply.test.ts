import { expect, test } from 'vitest';
import type { Json } from '../json.ts';
import type { Reply } from '../wire/response.ts';
import { changeReply } from './reply.ts';
import type { Change } from './rule.ts';

const value = {
  error: { message: 'No.', type: 'bad', code: 402, details: null },
  trace_id: 'a-b',
  list: [1, 2],
};
const reply: Reply = { status: 402, headers: [['x-a', '1']], content: { kind: 'json', value } };
const { error } = value;

test.each<[string, Change, number, Json]>([
  ['a status, with the code', { status: 403 }, 403, { ...value, error: { ...error, code: 403 } }],
  ['a type', { type: 'other' }, 402, { ...value, error: { ...error, type: 'other' } }],
  ['a code that is a text', { code: { as: 'string' } }, 402, { ...value, error: { ...error, code: '402' } }],
  ['a status and another code', { status: 403, code: 0 }, 403, { ...value, error: { ...error, code: 0 } }],
  ['a message', { message: '' }, 402, { ...value, error: { ...error, message: '' } }],
  ['details', { details: {} }, 402, { ...value, error: { ...error, details: {} } }],
  ['a removed member', { body: { '/trace_id': { remove: true } } }, 402, { error, list: [1, 2] }],
  ['a removed item', { body: { '/list/0': { remove: true } } }, 402, { ...value, list: [2] }],
  ['an added member', { body: { '/ok': false } }, 402, { ...value, ok: false }],
  ['nothing inside a missing object', { body: { '/none/ok': false } }, 402, value],
  ['nothing instead of a missing form', { body: { '/none': { as: 'upper' } } }, 402, value],
  ['null', { body: { '/error/type': null } }, 402, { ...value, error: { ...error, type: null } }],
  [
    'a value that looks like an edit',
    { body: { '/list': { value: { remove: true } } } },
    402,
    { ...value, list: { remove: true } },
  ],
  ['upper case', { type: { as: 'upper' } }, 402, { ...value, error: { ...error, type: 'BAD' } }],
  ['no dashes', { body: { '/trace_id': { as: 'undashed' } } }, 402, { ...value, trace_id: 'ab' }],
  ['a list', { message: { as: 'list' } }, 402, { ...value, error: { ...error, message: ['No.'] } }],
  ['JSON in a text', { body: { '/list': { as: 'json' } } }, 402, { ...value, list: '[1,2]' }],
  [
    'parts of the unchanged body',
    { type: 'new', body: { '/list': [{ right: '/error/type' }, { right: '/none' }] } },
    402,
    { ...value, error: { ...error, type: 'new' }, list: ['bad', null] },
  ],
  [
    'a header of the unchanged reply',
    { body: { '/list': [{ rightHeader: 'X-A' }, { rightHeader: 'x-b' }] } },
    402,
    { ...value, list: ['1', null] },
  ],
  [
    'a text with values of the unchanged body, and what the refusal is about',
    { type: 'new', message: { format: '{/error/type}: {member} in {/list}, {"a":1}, {none}' } },
    402,
    { ...value, error: { ...error, type: 'new', message: 'bad: role in [1,2], {"a":1}, null' } },
  ],
  ['JSON in a text as the whole body', { body: { '': { as: 'json' } } }, 402, JSON.stringify(value)],
  [
    'a whole body',
    { status: 200, json: { type: 'error', was: { right: '/error' } } },
    200,
    { type: 'error', was: error },
  ],
])('a reply gets %s', (_, change, status, expected) => {
  const changed = changeReply(reply, change, { member: 'role' });
  expect([changed.status, changed.content]).toEqual([status, { kind: 'json', value: expected }]);
});

test('the order of members stays', () => {
  const { content } = changeReply(reply, { code: 1, body: { '/error/type': 'x', '/new': 1 } });
  expect(JSON.stringify(content)).toContain(
    '{"error":{"message":"No.","type":"x","code":1,"details":null},"trace_id":"a-b","list":[1,2],"new":1}',
  );
});

test.each<[string, Change, Reply['content']]>([
  ['a text', { text: 'x' }, { kind: 'text', mediaType: 'text/plain; charset=utf-8', text: 'x' }],
  [
    'a text around the unchanged body',
    { text: { format: 'data: {}\n' } },
    { kind: 'text', mediaType: 'text/plain; charset=utf-8', text: `data: ${JSON.stringify(value)}\n` },
  ],
  ['nothing', { body: 'none' }, { kind: 'nothing' }],
  [
    'events',
    { events: [{ event: 'a', data: { right: '/list' } }, { data: 'x\ny' }] },
    {
      kind: 'events',
      events: [
        { name: 'a', data: [1, 2] },
        { name: undefined, data: 'x\ndata: y' },
      ],
    },
  ],
  ['no events', { events: [] }, { kind: 'events', events: [] }],
  [
    'chunks',
    { events: ['a', 'b'] },
    { kind: 'chunks', mediaType: 'text/event-stream; charset=utf-8', texts: ['a', 'b'] },
  ],
])('a reply gets %s as its body', (_, change, content) => {
  expect(changeReply(reply, change).content).toEqual(content);
});

test.each<[string, Reply['content']]>([
  ['text', { kind: 'text', mediaType: 'text/html', text: '{}' }],
  ['broken JSON', { kind: 'text', mediaType: 'application/json', text: '{' }],
  ['events', { kind: 'events', events: [] }],
])('a body of %s is not edited', (_, content) => {
  expect(changeReply({ ...reply, content }, { type: 'x', status: 500, body: { '/a': 1 } }).content).toEqual(
    content,
  );
});

test('a 401 has WWW-Authenticate, and no other status keeps it', () => {
  const refused = changeReply(reply, { status: 401 });
  expect(refused.headers).toEqual([
    ['x-a', '1'],
    ['www-authenticate', 'Bearer'],
  ]);
  expect(changeReply(refused, { status: 403 }).headers).toEqual(reply.headers);
  expect(changeReply(refused, { status: 401 }).headers).toEqual(refused.headers);
});
