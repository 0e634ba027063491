import { expect, test } from 'vitest';
import { explainRefusal } from './guard.ts';

test.each([
  ['127.0.0.1', 'localhost:8787', undefined],
  ['127.8.9.10', '127.0.0.1', undefined],
  ['::1', '[::1]:8787', undefined],
  ['::ffff:127.0.0.1', 'console.localhost', undefined],
  ['127.0.0.1', 'gateway.example', 403],
  ['192.0.2.7', 'localhost', 403],
  ['::ffff:192.0.2.7', '127.0.0.1', 403],
  [undefined, 'localhost', 403],
])(
  'without a password, or with an empty password, a request from %s for %s gets %s',
  (remoteAddress, host, status) => {
    const request = { headers: { host }, socket: remoteAddress === undefined ? {} : { remoteAddress } };
    expect(explainRefusal(request, undefined)?.status).toBe(status);
    expect(explainRefusal(request, '')?.status).toBe(status);
  },
);

test('with the password, a request from another machine is allowed', () => {
  const authorization = `Basic ${Buffer.from('anyone:secret').toString('base64')}`;
  const request = { headers: { authorization }, socket: { remoteAddress: '192.0.2.7' } };
  expect([explainRefusal(request, 'secret'), explainRefusal(request, 'other')?.status]).toEqual([
    undefined,
    401,
  ]);
});
