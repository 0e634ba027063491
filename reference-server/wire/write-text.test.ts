import { connect } from 'node:net';
import { expect, test } from 'vitest';
import type { Overrides } from '../gateway/decisions.ts';
import { createReferenceServer } from '../index.ts';
import { encodeChunk } from './wire-changes.ts';

const body = '{"model":"gpt-reference","messages":[]}';
const key = 'authorization: Bearer sk-Reference-Valid-0123456789abcdefghijKLMNOP\r\n';
const call = `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\n${key}content-length: ${body.length}\r\n\r\n${body}`;
const last = call.replace('\r\n', '\r\nconnection: close\r\n');
const requests = [
  call,
  'GET /v1/models HTTP/1.1\r\nhost: x\r\n\r\n',
  'PUT /v1/models HTTP/1.1\r\nhost: x\r\n\r\n',
  `HEAD /v1/models HTTP/1.1\r\nhost: x\r\n${key}\r\n`,
  call.replace('HTTP/1.1\r\n', 'HTTP/1.0\r\nconnection: keep-alive\r\n'),
];

const fixed: Overrides = () => ({
  createTraceId: () => 'trace',
  createRecordId: () => 'record',
  createAnswer: (_model, { number }) => ({
    parts: [{ kind: 'text', text: number === 3 ? 'Grüße' : 'a reply' }],
    finish: 'end',
    stop: null,
  }),
});
const asBytes: Overrides = (base) => ({
  ...fixed(base),
  transmit: (wire) => ({
    ...wire,
    chunks: wire.chunks.map((chunk) => ({ after: chunk.after, data: encodeChunk(chunk) })),
  }),
});

/** Sends requests on one connection, one after another or all in one piece, and returns the responses. */
async function readResponses(
  decisions: Overrides,
  texts: readonly string[],
  pipelined: boolean,
): Promise<string> {
  const server = await createReferenceServer({ decisions, now: () => 0 });
  const { hostname, port } = new URL(server.url);
  const answered = await new Promise<string>((resolve, reject) => {
    let text = '';
    const left = pipelined ? [texts.join('')] : [...texts];
    const socket = connect(Number(port), hostname).setEncoding('utf8').setNoDelay();
    const next = () => void (left.length > 0 && socket.write(left.shift() ?? ''));
    socket.on('connect', next).on('error', reject);
    socket.on('close', () => resolve(text));
    socket.on('data', (part) => {
      text += part;
      next();
    });
  });
  await server.close();
  return answered.replaceAll(/^Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r$/gm, 'Date: now\r');
}

test.each([false, true])('writes the same bytes as Node.js; pipelined: %s', async (pipelined) => {
  for (const texts of [
    [call, call, call, last],
    [...requests, last],
  ]) {
    const written = await readResponses(fixed, texts, pipelined);
    expect(written).toBe(await readResponses(asBytes, texts, pipelined));
    expect(written).toContain('Keep-Alive: timeout=72\r\n');
    expect([...written.matchAll(/HTTP\/1\.1 \d/g)]).toHaveLength(texts.length);
  }
});

test.each([
  ['the header `connection`', ['connection', 'close'], /^connection: close\r$/m, 1],
  ['an unknown header', ['x-other', 'grün'], /^x-other: gr\ufffdn\r$/m, 2],
] as const)('Node.js writes a response with %s', async (_what, header, expected, answered) => {
  const named: Overrides = (base) => ({
    ...fixed(base),
    transmit: (wire) => ({ ...wire, headers: [...wire.headers, header] }),
  });
  const written = await readResponses(named, [call, last], false);
  const [, first, ...others] = written.split('HTTP/1.1 ');
  expect(first).toMatch(expected);
  expect(others).toHaveLength(answered - 1);
});

test('closes the connection without a response if a header value is invalid', async () => {
  const broken: Overrides = (base) => ({ ...fixed(base), createTraceId: () => 'a\r\nb: c' });
  expect(await readResponses(broken, [call], false)).toBe('');
});
