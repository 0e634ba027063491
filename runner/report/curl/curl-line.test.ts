import { expect, test } from 'vitest';
import type { RequestReport } from '../report.ts';
import { formatCurl, formatCurlLine, joinCurlLines } from './curl-line.ts';

const url = 'https://gateway.example/v1/models';
const accept = { accept: '*/*' };
const line = (headers: Readonly<Record<string, string>>): string =>
  formatCurlLine({ method: 'GET', url, headers: { ...accept, ...headers }, body: null }, {});

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
    line({
      host: 'tenant.example',
      'accept-language': 'de',
      'sec-fetch-site': 'cross-site',
      authorization: 'Bearer {{keys.valid}}',
    }),
  ).toBe(
    `curl -sS -i '${url}' -H 'host: tenant.example' -H 'accept-language: de' -H 'sec-fetch-site: cross-site' -H "authorization: Bearer $GATEWAY_API_KEY"`,
  );
});

test.each<[string, Partial<RequestReport>, string]>([
  ['without `accept`', { headers: {} }, `'${url}' -H 'accept:'`],
  ['with an empty header', { headers: { ...accept, 'x-api-key': '' } }, `'${url}' -H 'x-api-key;'`],
  [
    'with a body without a content type',
    { method: 'POST', body: { text: '{}', bytes: 2 } },
    `'${url}' -H 'content-type:' --data-raw '{}'`,
  ],
  [
    'with a body in chunks',
    {
      method: 'POST',
      headers: { ...accept, 'content-type': 'a/b', 'transfer-encoding': 'chunked' },
      body: { text: '{}', bytes: 2 },
    },
    `'${url}' -H 'content-type: a/b' -H 'transfer-encoding: chunked' --data-raw '{}'`,
  ],
  [
    'of a method that allows a body, without a body',
    { method: 'PATCH' },
    `-X PATCH '${url}' -H 'content-length: 0'`,
  ],
  ['with dots in the path', { url: `${url}/../admin` }, `--path-as-is '${url}/../admin'`],
  ['with a space in the path', { url: `${url}/a b` }, `'${url}/a%20b'`],
  [
    'with Latin-1 letters in a header',
    { headers: { ...accept, 'x-a': 'é' } },
    `'${url}' -H "$(printf 'x-a: \\351')"`,
  ],
])('a curl line sends a request %s as it was sent', (_, request, rest) => {
  expect(formatCurlLine({ method: 'GET', url, headers: accept, body: null, ...request }, {})).toBe(
    `curl -sS -i ${rest}`,
  );
});

test.each([
  ['NUL', '{\0}', String.raw`'{\000}'`],
  ['a line break at the end', '{}\n', String.raw`'{}\012'`],
  ['a byte that is not UTF-8', 'caf\udce9', String.raw`'caf\351'`],
  ['a dash at the beginning, and a key', '-\0{{keys.valid}}', String.raw`'\055\000%s' "$GATEWAY_API_KEY"`],
])('a body with %s reaches curl through a pipe', (_, text, printed) => {
  const request = {
    method: 'POST',
    url,
    headers: { ...accept, 'content-type': 'a/b' },
    body: { text, bytes: 3 },
  };
  expect(formatCurlLine(request, {})).toBe(
    `printf ${printed} | curl -sS -i '${url}' -H 'content-type: a/b' --data-binary @-`,
  );
});

test('a command prints a long repetition, so that the line stays short', () => {
  const body = { text: `{"a":"${'x'.repeat(100_000)}"`, bytes: 100_007 };
  expect(formatCurlLine({ method: 'POST', url, headers: accept, body }, {})).toContain(
    `--data-raw '{"a":"'"$(awk 'BEGIN { while (n++ < 100000) printf "x" }')"'"'`,
  );
});

test('the line says that a body is truncated', () => {
  const body = { text: '{"a":', bytes: 200_000, sha256: '00' };
  expect(formatCurlLine({ method: 'POST', url, headers: accept, body }, {})).toMatch(
    /^: 'The report has only the first 5 characters of this body of 200000 bytes'; curl /,
  );
});

test.each([
  ['{{keys.valid}}', '$LITELLM_KEY'],
  ['{{keys.valid}}x7', '${LITELLM_KEY}x7'],
  ['{{keys.valid}}[0]', '${LITELLM_KEY}[0]'],
  ['{{keys.valid}} x7', '$LITELLM_KEY x7'],
  ['{{keys.valid:prefix-less}}', '${LITELLM_KEY#sk-}'],
  ['{{keys.valid:other-vendor}}', "sk-ant-api03-$(printf '%093d' 0)-AA"],
  ['{{keys.valid:long}}', "sk-$(printf '%0197d' 0)"],
  ['{{keys.deleted}}', '$GONE'],
  ['{{keys.foreign}}', '$GATEWAY_FOREIGN_KEY'],
  ['{{keys.client}}', '$CLIENT_API_KEY'],
  ['{{keys.created}}', '$SETUP_KEY'],
  ['{{setup.accountId}}', '$SETUP_ACCOUNT_ID'],
])('a curl line takes %s from a variable', (role, shell) => {
  const request = { method: 'GET', url, headers: { ...accept, 'x-api-key': role }, body: null };
  const variables = { valid: 'LITELLM_KEY', deleted: 'GONE' };
  expect(formatCurlLine(request, variables)).toBe(`curl -sS -i '${url}' -H "x-api-key: ${shell}"`);
});

test('a text that double quotes would change is in single quotes', () => {
  expect(line({ 'x-a': '"!$`\\{{keys.valid}}' })).toBe(
    `curl -sS -i '${url}' -H 'x-a: "!$\`\\'"$GATEWAY_API_KEY"`,
  );
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
  expect(formatCurlLine(request, { valid: 'X$(id)' })).toContain('"x-api-key: $GATEWAY_API_KEY"');
});

test.each(['@/etc/passwd', 'file:///etc/passwd', '-o pwned', 'gopher://127.0.0.1:1/_X'])(
  'the curl line for the address %s allows only HTTP, and contains the address after --url',
  (address) => {
    const text = formatCurlLine({ method: 'GET', url: address, headers: {}, body: null }, {});
    expect(text).toMatch(/^curl -sS -i --proto =http,https --url '(?!@)/);
  },
);

test('the lines of an exchange with a created key create the key first, and read the values that later lines need', () => {
  const models = { method: 'GET', url, headers: { ...accept, 'x-api-key': '{{keys.created}}' }, body: null };
  const admin = { url: 'https://gateway.example/keys', headers: accept, body: null };
  const curl = formatCurl(
    {
      request: models,
      before: [
        {
          kind: 'setup',
          action: 'createKey',
          request: { ...admin, method: 'GET' },
          values: { key: '/data/0/key', id: '/data/0/the id' },
        },
        { kind: 'request', request: models, underWay: 2 },
        {
          kind: 'setup',
          action: 'deleteKey',
          request: { ...admin, url: `${admin.url}/{{setup.id}}`, method: 'DELETE' },
          values: {},
        },
      ],
    },
    {},
  );
  const call = `curl -sS -i '${url}' -H "x-api-key: $SETUP_KEY"`;
  expect(curl.split('\n')).toEqual([
    "CREATED=$(curl -sS 'https://gateway.example/keys')",
    `SETUP_KEY=$(node -p 'JSON.parse(process.argv[1]).data[0].key' "$CREATED")`,
    `SETUP_ID=$(node -p 'JSON.parse(process.argv[1]).data[0]["the id"]' "$CREATED")`,
    `for call in 1 2; do ${call} > /dev/null & done`,
    'curl -sS -i -X DELETE "https://gateway.example/keys/$SETUP_ID"',
    'wait',
    call,
  ]);
  expect(joinCurlLines(curl)).not.toContain('\n');
});

test('a command of `setup` is left to the reader, who enters the key', () => {
  const request = { method: 'GET', url, headers: accept, body: null };
  const setup = { kind: 'setup', request: null } as const;
  const curl = formatCurl(
    {
      request,
      before: [
        { ...setup, action: 'createKey', values: { key: '/key' } },
        { ...setup, action: 'deleteKey', values: {} },
      ],
    },
    {},
  );
  expect(curl.split('\n').slice(0, 2)).toEqual([
    `echo 'Run the command of setup.createKey in the profile, then enter the value "key" of the created key.'; read -r SETUP_KEY`,
    "echo 'Run the command of setup.deleteKey in the profile, then press Enter.'; read -r REPLY",
  ]);
});
