import { expect, test } from 'vitest';
import type { Result, WireRequest } from '../exchange/exchange.ts';
import { createLanes, type Lane } from './lanes.ts';

const post = (path: string): WireRequest => ({ method: 'POST', path, headers: {}, body: '{}' });
const get = (path: string): WireRequest => ({ method: 'GET', path, headers: {}, body: undefined });
const how = { mustSucceed: false };

/** Opens connections to a server that answers with the status in the path, and closes the connection after `/…c`. */
function openLanes(most: number): ReturnType<typeof createLanes> & { readonly used: number[] } {
  const used: number[] = [];
  let lanes = 0;
  const open = (): Lane => {
    lanes += 1;
    const own = lanes;
    let opened = 1;
    let closed = false;
    return {
      async send({ path }): Promise<Result> {
        used.push(own);
        if (closed) opened += 1;
        closed = path.endsWith('c');
        const common = { headers: {}, text: '', size: 0, content: { kind: 'text' as const }, pieces: 1 };
        return { kind: 'answer', answer: { status: Number(path.slice(1, 4)), ...common } };
      },
      opened: () => opened,
      close: async () => {},
    };
  };
  return { ...createLanes(most, open), used };
}

test.each<[string, readonly WireRequest[], string | undefined]>([
  ['a refused request with a body', [post('/401')], '/401'],
  ['a later refused request', [post('/401'), post('/400')], '/400'],
  ['a refused request and another request without a body', [post('/401'), get('/404')], '/401'],
  ['a refused request whose connection was closed', [post('/401c')], undefined],
  ['a refused request and then a success', [post('/401'), get('/200')], undefined],
  ['a refused request without a body', [get('/401')], undefined],
  ['a success with a body', [post('/200')], undefined],
])('a result names what preceded on its connection: %s', async (_, before, expected) => {
  const lanes = openLanes(1);
  for (const request of before) await lanes.send(request, how);
  expect((await lanes.send(get('/400'), how)).after?.path).toBe(expected);
});

test('a connection carries one request at a time, and the first free connection is used', async () => {
  const lanes = openLanes(2);
  await Promise.all([1, 2, 3].map(() => lanes.send(get('/200'), how)));
  await lanes.send(get('/200'), how);
  expect([...lanes.used].sort()).toEqual([1, 1, 1, 2]);
});

test('connections are closed after a refused request with a body once that is asked for', async () => {
  const lanes = openLanes(1);
  lanes.closeAfterRefusals();
  await lanes.send(post('/401'), how);
  expect((await lanes.send(post('/200'), how)).after).toBeUndefined();
  await lanes.send(post('/200'), how);
  expect(lanes.used).toEqual([1, 2, 2]);
});
