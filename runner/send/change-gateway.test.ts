import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { SetupAction } from '../../common/profile-values.ts';
import type { Result, WireRequest } from '../exchange/exchange.ts';
import type { SetupCall } from '../profile/setup.ts';
import { type ChangeGateway, createChangeGateway } from './change-gateway.ts';
import type { Transport } from './http.ts';
import { bufferBody, createAnswer } from './receive.ts';

const values = { key: '/token', id: '/info/0/id' };
const created = JSON.stringify({ token: 'sk-new', info: [{ id: 7 }] });

function changing(
  calls: Partial<Record<SetupAction, SetupCall | readonly SetupCall[]>>,
  respond: (request: WireRequest) => { readonly status: number; readonly text: string },
): ChangeGateway {
  const transport: Transport = {
    async send(request): Promise<Result> {
      const { status, text } = respond(request);
      const body = bufferBody(1_000);
      body.add(Buffer.from(text));
      return { kind: 'answer', answer: createAnswer(status, {}, body, 1_000) };
    },
    close: async () => {},
  };
  const lists = Object.fromEntries(Object.entries(calls).map(([action, call]) => [action, [call].flat()]));
  return createChangeGateway({ setup: { calls: lists, environment: process.env } }, transport);
}

const createKey: SetupCall = {
  kind: 'request',
  method: 'POST',
  path: '/keys',
  headers: { authorization: 'Bearer admin' },
  body: { name: 'x' },
  values,
};

test('sends requests to the gateway, and fills values of a key into a request', async () => {
  const sent: WireRequest[] = [];
  const change = changing(
    {
      createKey,
      deleteKey: {
        ...createKey,
        path: '/keys/{id}?key={key}',
        body: { keys: ['{key}', '{other}'], id: '{+id}' },
      },
    },
    (request) => {
      sent.push(request);
      return { status: 201, text: created };
    },
  );
  const key = await change('createKey', undefined);
  expect(key).toEqual({ key: 'sk-new', id: '7' });
  expect(await change('deleteKey', { key: 'sk/1', id: '7' })).toEqual({ key: 'sk/1', id: '7' });
  expect(sent).toEqual([
    {
      method: 'POST',
      path: '/keys',
      headers: { 'content-type': 'application/json', authorization: 'Bearer admin' },
      body: '{"name":"x"}',
    },
    expect.objectContaining({ path: '/keys/7?key=sk%2F1', body: '{"keys":["sk/1","{other}"],"id":7}' }),
  ]);
});

test.each([
  [{ status: 403, text: '' }, 'The request of setup.createKey got 403: POST /keys'],
  [
    { status: 200, text: '{}' },
    'setup.createKey returned no valid key, so the suite cannot delete the key that the call may have created.',
  ],
])('rejects the response %j to `createKey` with the reason', async (response, message) => {
  await expect(changing({ createKey }, () => response)('createKey', undefined)).rejects.toThrow(message);
});

test.each([
  ['{"success":false,"message":"no rights"}', ' with the message "no rights"'],
  ['{"error":{"message":"no rights"}}', ' with the message "no rights"'],
  ['{"error":true}', ' with an error'],
])('rejects the response 200 %s to `topUp` with the reason', async (text, reason) => {
  const change = changing({ topUp: createKey }, () => ({ status: 200, text }));
  await expect(change('topUp', { key: 'sk-1' })).rejects.toThrow(
    `The request of setup.topUp got 200${reason}: POST /keys`,
  );
});

test.each([
  ['{"success":false,"message":"The key sk-new is inactive"}'],
  ['{"success":false,"data":"sk-new"}'],
  ['{"error":{"message":"The key sk-new is inactive"}}'],
  ['{"error":"sk-new"}'],
])('the message about the response 200 %s to `createKey` does not quote the response', async (text) => {
  const change = changing({ createKey }, () => ({ status: 200, text }));
  await expect(change('createKey', undefined)).rejects.toMatchObject({
    message:
      'The request of setup.createKey got 200 with an error, which may contain the new key and is therefore not shown: POST /keys. Check setup.createKey in the profile.',
  });
});

test('the message about a failed call of `createKey` contains no value of earlier calls', async () => {
  const first: SetupCall = { ...createKey, values: { id: '/token' } };
  const second: SetupCall = { ...createKey, path: '/keys/{id}' };
  const change = changing({ createKey: [first, second] }, ({ path }) =>
    path === '/keys' ? { status: 200, text: created } : { status: 404, text: '' },
  );
  await expect(change('createKey', undefined)).rejects.toMatchObject({
    message: 'The request of setup.createKey got 404: POST /keys/{id}. Check setup.createKey in the profile.',
  });
});

test('runs commands without a shell, with the values of the key in their environment', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'setup-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(folder, 'admin.sh');
  writeFileSync(
    program,
    '#!/bin/sh\n[ "$1" = fail ] && exit 3\n[ "$1" = create ] && echo "sk-$2" || echo "{}"\n[ -z "$SETUP_KEY" ] || echo "$SETUP_KEY $SETUP_ID" > "$0.log"\n',
  );
  chmodSync(program, 0o755);
  const command = (...args: string[]): SetupCall => ({
    kind: 'command',
    command: [program, ...args],
    values,
  });
  const change = changing(
    { createKey: command('create', '$HOME;x'), deleteKey: command('delete'), drain: command('fail') },
    () => ({ status: 500, text: '' }),
  );
  expect(await change('createKey', undefined)).toEqual({ key: 'sk-$HOME;x' });
  await change('deleteKey', { key: 'sk-1', id: '2' });
  expect(readFileSync(`${program}.log`, 'utf8')).toBe('sk-1 2\n');
  await expect(change('drain', undefined)).rejects.toThrow(
    `The command of setup.drain failed (3): ${program}`,
  );
});

test('an action of several calls passes the values of each to the next', async () => {
  const list: SetupCall = { ...createKey, method: 'GET', path: '/keys?name={name}', body: undefined };
  const lines: string[] = [];
  const change = changing(
    { createKey: [{ ...createKey, values: { name: '/name' } }, list] },
    ({ method, path }) => {
      lines.push(`${method} ${path}`);
      return { status: 200, text: method === 'POST' ? '{"success":true,"name":"a b"}' : created };
    },
  );
  expect(await change('createKey', undefined)).toEqual({ name: 'a b', key: 'sk-new', id: '7' });
  expect(lines).toEqual(['POST /keys', 'GET /keys?name=a%20b']);
});

test('a message contains the ID of the key, but not the key', async () => {
  const path = '/keys/{id}/{key}';
  const change = changing({ deleteKey: { ...createKey, method: 'DELETE', path } }, () => ({
    status: 404,
    text: '',
  }));
  await expect(change('deleteKey', { key: 'sk-secret', id: '7' })).rejects.toMatchObject({
    message:
      'The request of setup.deleteKey got 404: DELETE /keys/7/{key}. Check setup.deleteKey in the profile.',
    isRefused: true,
  });
});

test.each([['..'], ['a\r\nX: 1'], ['\ud800']])(
  'a request whose path the ID %j would change is not sent',
  async (id) => {
    const deleteKey: SetupCall = { ...createKey, method: 'DELETE', path: '/keys/{+id}' };
    let sent = 0;
    const change = changing({ createKey, deleteKey }, () => {
      sent += 1;
      return { status: 200, text: JSON.stringify({ token: 'sk-new', info: [{ id }] }) };
    });
    const made = await change('createKey', undefined);
    await expect(change('deleteKey', made)).rejects.toMatchObject({
      message: expect.stringContaining('setup.deleteKey was not sent'),
      isRefused: true,
    });
    expect(sent).toBe(1);
  },
);

test('if a later call of `createKey` fails, the error contains the key that an earlier call created', async () => {
  const activate: SetupCall = { ...createKey, path: '/keys/{id}/activate' };
  const change = changing({ createKey: [createKey, activate] }, ({ path }) =>
    path === '/keys' ? { status: 200, text: created } : { status: 400, text: '' },
  );
  await expect(change('createKey', undefined)).rejects.toMatchObject({
    isRefused: false,
    created: { key: 'sk-new', id: '7' },
  });
});

test('a new key in a response 200 is used even if the response contains an error', async () => {
  const text = JSON.stringify({ token: 'sk-new', error: 'quota low' });
  expect(await changing({ createKey }, () => ({ status: 200, text }))('createKey', undefined)).toEqual({
    key: 'sk-new',
  });
});
