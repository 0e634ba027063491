import { expect, test } from 'vitest';
import { readContent } from '../exchange/decode.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { deriveKeys, placeCredential } from '../request/keys.ts';
import { describeExchange, describeRequest } from './describe-exchange.ts';
import { createRedact } from './redaction/redact.ts';

const key = 'sk-described-0123456789abcdef';
const redact = createRedact(new Map([[key, 'keys.valid']]));

function described(headers: Record<string, string>): Readonly<Record<string, string>> | undefined {
  const text = '{}';
  const answer = { status: 401, headers, text, size: 2, content: readContent(text), pieces: 1 };
  const exchange: Exchange = {
    id: 'a#1',
    attributes: {},
    model: undefined,
    request: { method: 'GET', path: '/v1/models', headers: {}, body: undefined },
    result: { kind: 'answer', answer },
    startedAt: 0,
    durationMs: 0,
    earlier: [],
    controlAfter: undefined,
  };
  const context = { baseUrl: 'http://x', redact, cut: 0, keyVariables: {} };
  return describeExchange(exchange, context).response?.headers;
}

test('the challenge of a 401 is shown with keys redacted', () => {
  const challenge = `Bearer realm="api", error="invalid_token", error_description="no such key ${key}"`;
  expect(described({ 'www-authenticate': challenge })).toEqual({
    'www-authenticate': challenge.replace(key, '{{keys.valid}}'),
  });
});

test.each(['set-cookie', 'cookie', 'proxy-authorization'])('the value of %s is redacted', (name) => {
  expect(described({ [name]: 'session=abc' })).toEqual({ [name]: '{{redacted}}' });
});

const keys = deriveKeys({ valid: key, deleted: undefined, depleted: undefined, foreign: undefined });

test.each([
  ['followed', 'bearer', '{{keys.valid}} x7', '$GATEWAY_API_KEY x7"'],
  ['followed', 'x-api-key', '{{keys.valid}} x7', '$GATEWAY_API_KEY x7"'],
  ['followed', 'query', '{{keys.valid}}%20x7', '$GATEWAY_API_KEY%20x7"'],
  ['followed', 'basic', '{{keys.valid}} x7:', '"$GATEWAY_API_KEY x7:"'],
  ['listed', 'bearer', '{{keys.valid}},x7', '$GATEWAY_API_KEY,x7"'],
  ['listed', 'x-api-key', '{{keys.valid}},x7', '$GATEWAY_API_KEY,x7"'],
  ['listed', 'query', '{{keys.valid}}%2Cx7', '$GATEWAY_API_KEY%2Cx7"'],
  ['good', 'basic', 'Basic {{keys.valid}}', '"${GATEWAY_API_KEY}:"'],
  ['truncated', 'basic-password', 'Basic {{keys.valid:truncated}}', '--user "user:$(printf'],
  ['listed', 'body-member', '{{keys.valid}},x7', '"$GATEWAY_API_KEY"\',x7"'],
  ['extended', 'bearer', '{{keys.valid:extended}}', '${GATEWAY_API_KEY}x7"'],
  ['suffixed', 'bearer', '{{keys.valid:suffixed}}', '${GATEWAY_API_KEY}-x7"'],
  ['quoted', 'bearer', '"{{keys.valid}}"', '"$GATEWAY_API_KEY"\'"\''],
])('the key "%s" in "%s" is shown as it was sent, in the curl line too', (kind, place, shown, inCurl) => {
  const { headers, query, members } = placeCredential(place, keys.value(kind) ?? '');
  const { request, curl } = describeRequest(
    {
      method: 'GET',
      path: query === undefined ? '/v1/models' : `/v1/models?${query}`,
      headers,
      body: members && JSON.stringify(members),
    },
    { baseUrl: 'http://x', redact: createRedact(keys.secrets), keyVariables: {} },
  );
  expect(
    [request.url, request.user, request.body?.text, ...Object.values(request.headers)].join('\n'),
  ).toContain(shown);
  expect(curl).toContain(inCurl);
});
