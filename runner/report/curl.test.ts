import { expect, test } from 'vitest';
import { curlLine } from './curl.ts';

const url = 'https://gateway.example/v1/models';
const line = (headers: Readonly<Record<string, string>>): string =>
  curlLine({ method: 'GET', url, headers, body: null }, 0);

test.each([
  ['what curl sends by itself', { host: 'gateway.example', connection: 'keep-alive', accept: '*/*' }],
  ['a coding that curl does not undo', { 'accept-encoding': 'gzip, br' }],
  ['the length of a body, which curl counts itself', { 'content-length': '69' }],
  ['what a browser says of itself', { 'sec-fetch-mode': 'cors', 'sec-ch-ua': '"Chromium"' }],
  ['what an SDK says of itself', { 'x-stainless-lang': 'js', 'user-agent': 'OpenAI/JS' }],
])('a curl line leaves out %s', (_, headers) => {
  expect(line(headers)).toBe(`curl -sS -i '${url}'`);
});

test('a curl line keeps what may change an answer', () => {
  expect(
    line({ host: 'tenant.example', 'accept-language': 'de', authorization: 'Bearer {{keys.valid}}' }),
  ).toBe(
    `curl -sS -i '${url}' -H 'host: tenant.example' -H 'accept-language: de' -H 'authorization: Bearer '"$GATEWAY_API_KEY"`,
  );
});
