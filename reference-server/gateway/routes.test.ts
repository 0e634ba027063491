import { expect, test } from 'vitest';
import { compileRoutes, matchRoute, readParameter } from './routes.ts';

const routes = compileRoutes({
  models: 'GET /v1/models',
  model: 'GET /v1/models/{model}',
  generate: 'POST /v1beta/models/{+model}:generateContent',
  streamGenerate: 'POST /v1beta/models/{model}:streamGenerateContent?alt=sse',
  nativeModel: 'GET /v1beta/models/{model}',
  balance: 'GET /v1/billing?view=balance',
  usage: 'GET /v1/billing?view=usage&from={start}&to={end}',
  record: null,
});

const match = (line: string) => {
  const [method = '', target = ''] = line.split(' ');
  const url = new URL(target, 'http://x');
  return matchRoute(routes, { method, path: target.replace(/\?.*/, ''), query: url.searchParams });
};

test.each([
  ['GET /v1/models', 'models', []],
  ['HEAD /v1/models', 'models', []],
  ['GET /v1/models/a', 'model', ['a']],
  ['GET /v1/models/vendor/a:b', 'model', ['vendor/a:b']],
  ['GET /v1/models/vendor%2Fa%3Ab', 'model', ['vendor/a:b']],
  ['POST /v1beta/models/a%2Fb:c:generateContent', 'generate', ['a/b:c']],
  ['POST /v1beta/models/a%3AgenerateContent', 'generate', ['a']],
  ['POST /v1beta/models/a:streamGenerateContent?alt=sse', 'streamGenerate', ['a']],
  ['POST /v1beta/models/a:streamGenerateContent', 'streamGenerate', ['a']],
  ['GET /v1/billing?view=balance', 'balance', []],
  ['GET /v1/billing?view=usage', 'usage', []],
])('routes %s to %s', (line, id, captures) => {
  const found = match(line);
  expect(found.kind === 'found' && { id: found.route.operation.id, captures: found.captures }).toEqual({
    id,
    captures,
  });
});

test.each([
  ['GET /', 'unknown-path'],
  ['GET /v1/models/', 'unknown-path'],
  ['GET /V1/models', 'unknown-path'],
  ['GET /v1/modelsx', 'unknown-path'],
  ['POST /v1/models', 'wrong-method'],
  ['GET /v1beta/models/a:generateContent', 'wrong-method'],
  ['GET /v1/models/%zz', 'bad-url'],
])('does not route %s: %s', (line, kind) => {
  expect(match(line).kind).toBe(kind);
});

test('reads a parameter from its place in the template', () => {
  const found = match('GET /v1/billing?view=usage&from=1');
  if (found.kind !== 'found') throw new Error('not found');
  const query = new URLSearchParams('from=1');
  expect(readParameter(found, 'start', { query, body: undefined })).toBe('1');
  expect(readParameter(found, 'end', { query, body: undefined })).toBeUndefined();
});

test.each(['/v1/models', 'get /v1/models', 'GET v1/models'])('rejects the request line %j', (line) => {
  expect(() => compileRoutes({ models: line })).toThrow(/is not a valid request line/);
});
