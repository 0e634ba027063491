import { expect, test } from 'vitest';
import { readContent } from '../transport/decode.ts';
import type { Exchange } from '../transport/exchange.ts';
import { describeExchange } from './describe-exchange.ts';
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
