import { describe, expect, test } from 'vitest';
import { normalizeHost } from '../../../common/host.ts';
import { createHostTest, formatHostRefusal } from './admit-request.ts';

const machine = [
  'localhost',
  'LOCALHOST:80',
  'localhost.',
  'app.localhost:1',
  '127.0.0.1',
  '127.9.9.9:8788',
  '[::1]',
  '[::1]:80',
];
const others = [
  'evil.example',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'evil-localhost',
  '0.0.0.0',
  '192.0.2.7',
  '[2001:db8::1]',
  '[::ffff:7f00:1%25evil.example]',
  'evil.example#localhost',
  'localhost@evil.example',
  'evil.example/localhost',
  'localhost, evil.example',
  'localhost evil.example',
  '',
  ':80',
  'localhost:x',
  '*',
];

describe('createHostTest', () => {
  test.each(machine)('allows a name of this machine: %s', (host) => {
    expect(createHostTest([], '127.0.0.1')(host)).toBe(true);
  });

  test.each(others)('does not allow another host: %j', (host) => {
    expect(createHostTest([], '127.0.0.1')(host)).toBe(false);
  });

  test.each([
    { names: [], address: '192.0.2.7', host: '192.0.2.7:80', is: true },
    { names: [], address: '2001:DB8::1', host: '[2001:db8:0::1]:80', is: true },
    { names: [], address: 'gateway.lan', host: 'Gateway.LAN:80', is: true },
    { names: [], address: '192.0.2.7', host: '192.0.2.8', is: false },
    { names: [], address: '0.0.0.0', host: '192.0.2.7', is: true },
    { names: [], address: '::', host: '[2001:db8::1]:80', is: true },
    { names: [], address: '0.0.0.0', host: 'evil.example', is: false },
    { names: ['Gateway', 'b.example'], address: '127.0.0.1', host: 'gateway:8788', is: true },
    { names: ['gateway'], address: '127.0.0.1', host: 'gateway.evil.example', is: false },
    { names: ['gateway:8788'], address: '127.0.0.1', host: 'gateway:1', is: true },
    { names: ['*'], address: '127.0.0.1', host: 'evil.example', is: true },
    { names: [], address: '127.0.0.1', host: undefined, is: true },
  ])('with $names at $address, $host is allowed: $is', ({ names, address, host, is }) => {
    expect(createHostTest(names, address)(host)).toBe(is);
  });
});

test.each([
  [
    'Evil.Example:80',
    "The host evil.example is not allowed. Use --allow-host 'evil.example' to allow this host.",
  ],
  ["x'; rm -rf /", "The host of the request is not allowed. Use --allow-host '*' to allow all hosts."],
])('names the flag that allows the host %j', (host, text) => {
  expect(formatHostRefusal(host)).toBe(text);
});

test('normalizes a host to its name without a port and without a final dot', () => {
  expect(['a:1', 'A.', '[::1]:1', 'a b', '[::1'].map(normalizeHost)).toEqual([
    'a',
    'a',
    '[::1]',
    undefined,
    undefined,
  ]);
});
