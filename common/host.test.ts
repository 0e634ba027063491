import { expect, test } from 'vitest';
import { isLoopback } from './host.ts';

test.each([
  ['localhost', true],
  ['console.localhost', true],
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['::1', true],
  ['[::1]', true],
  ['::ffff:127.0.0.1', true],
  ['::ffff:7f00:1', true],
  ['[::ffff:7f00:1]', true],
  ['[::ffff:7f08:90a]', true],
  ['', false],
  ['localhost.example', false],
  ['127.example', false],
  ['192.0.2.7', false],
  ['::', false],
  ['::2', false],
  ['fe80::1%eth0', false],
  ['[::ffff:c000:207]', false],
  ['::ffff:192.0.2.7', false],
])('%j is a loopback name: %s', (name, expected) => {
  expect(isLoopback(name)).toBe(expected);
});
