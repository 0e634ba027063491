import { expect, test } from 'vitest';
import { curlLine } from './curl.ts';

const url = 'https://gateway.example/v1/models';
const line = (headers: Readonly<Record<string, string>>): string =>
  curlLine({ method: 'GET', url, headers, body: null }, { cut: 0, keyVariables: {} });

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

test.each([
  ['{{keys.valid}}', `"$LITELLM_KEY"`],
  ['{{keys.valid:prefix-less}}', `"\${LITELLM_KEY#sk-}"`],
  ['{{keys.valid:truncated}}', `"\${LITELLM_KEY%???}"`],
  ['{{keys.deleted}}', `"$GONE"`],
  ['{{keys.foreign}}', `"$GATEWAY_FOREIGN_KEY"`],
])('a curl line takes %s from the variable of the profile', (role, shell) => {
  const request = { method: 'GET', url, headers: { 'x-api-key': role }, body: null };
  const keyVariables = { valid: 'LITELLM_KEY', deleted: 'GONE' };
  expect(curlLine(request, { cut: 3, keyVariables })).toBe(`curl -sS -i '${url}' -H 'x-api-key: '${shell}`);
});
