import { expect, test } from 'vitest';
import { formatCurlLine } from './curl-line.ts';

const url = 'https://gateway.example/v1/models';
const line = (headers: Readonly<Record<string, string>>): string =>
  formatCurlLine({ method: 'GET', url, headers, body: null }, {});

test.each([
  ['headers that curl sends itself', { host: 'gateway.example', connection: 'keep-alive', accept: '*/*' }],
  ['a content coding that curl does not decode', { 'accept-encoding': 'gzip, br' }],
  ['the length of a body, which curl counts itself', { 'content-length': '69' }],
  ['headers of a browser', { 'sec-fetch-mode': 'cors', 'sec-ch-ua': '"Chromium"' }],
  ['headers of an SDK', { 'x-stainless-lang': 'js', 'user-agent': 'OpenAI/JS' }],
  ['a name that curl would read as a file', { '@/etc/hostname': 'x' }],
  ['a value that would begin another header', { 'x-tenant': 'a\r\nx-role: admin' }],
])('a curl line omits %s', (_, headers) => {
  expect(line(headers)).toBe(`curl -sS -i '${url}'`);
});

test('a curl line contains headers that may change the response', () => {
  expect(
    line({ host: 'tenant.example', 'accept-language': 'de', authorization: 'Bearer {{keys.valid}}' }),
  ).toBe(
    `curl -sS -i '${url}' -H 'host: tenant.example' -H 'accept-language: de' -H 'authorization: Bearer '"$GATEWAY_API_KEY"`,
  );
});

test.each([
  ['{{keys.valid}}', `"$LITELLM_KEY"`],
  ['{{keys.valid:prefix-less}}', `"\${LITELLM_KEY#sk-}"`],
  ['{{keys.valid:other-vendor}}', `"sk-ant-$(printf 'api03-%093d' 0)-AA"`],
  ['{{keys.valid:long}}', `"sk-$(printf '%0197d' 0)"`],
  ['{{keys.deleted}}', `"$GONE"`],
  ['{{keys.foreign}}', `"$GATEWAY_FOREIGN_KEY"`],
  ['{{keys.client}}', `"$CLIENT_API_KEY"`],
])('a curl line takes %s from the variable of the profile', (role, shell) => {
  const request = { method: 'GET', url, headers: { 'x-api-key': role }, body: null };
  const variables = { valid: 'LITELLM_KEY', deleted: 'GONE' };
  expect(formatCurlLine(request, variables)).toBe(`curl -sS -i '${url}' -H 'x-api-key: '${shell}`);
});

test.each([
  ['a part of a key', '{{keys.valid:truncated:part}}', '{{keys.valid:truncated:part}}'],
  ['a text that looks like a placeholder', '{{braces}}keys.valid}}', '{{keys.valid}}'],
  ['an inherited property', '{{constructor}}', '{{constructor}}'],
  ['a key with the name of an inherited property', '{{keys.constructor}}', '{{keys.constructor}}'],
])('a curl line contains %s as text', (_, redacted, text) => {
  expect(line({ 'x-a': redacted }).replaceAll("''", '')).toBe(`curl -sS -i '${url}' -H 'x-a: ${text}'`);
});

test('an invalid variable name is not used', () => {
  const request = { method: 'GET', url, headers: { 'x-api-key': '{{keys.valid}}' }, body: null };
  expect(formatCurlLine(request, { valid: 'X$(id)' })).toContain(`"$GATEWAY_API_KEY"`);
});

test.each(['@/etc/passwd', 'file:///etc/passwd', '-o pwned', 'gopher://127.0.0.1:1/_X'])(
  'the curl line for the address %s allows only HTTP, and contains the address after --url',
  (address) => {
    const text = formatCurlLine({ method: 'GET', url: address, headers: {}, body: null }, {});
    expect(text).toMatch(/^curl -sS -i --proto =http,https --url '(?!@)/);
  },
);

test('a curl line sends a byte that is not UTF-8', () => {
  const body = { text: 'caf\udce9', bytes: 4 };
  expect(formatCurlLine({ method: 'POST', url, headers: {}, body }, {})).toContain(`"$(printf 'caf\\351')"`);
});
