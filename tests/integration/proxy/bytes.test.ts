import { describe, expect, test } from 'vitest';
import { connectTo, openRecordingProxy, serve, serveOneConnection } from '../../support/raw-http.ts';

/** More headers than Node.js reads by default. */
const manyHeaders = Array.from({ length: 3_000 }, (_, index) => `a: ${index}`);
const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

describe('a request', () => {
  test.each([
    {
      about: 'with repeated headers, in their case and order,',
      sent: [
        'POST /v1/x?b=2&a=%2F%20 HTTP/1.1',
        'X-Zebra: 1',
        'x-APPLE: 2',
        'HOST: proxy.example',
        'Cookie: a=1',
        'Cookie: b=2',
        'authorization: Bearer sk-1',
        'Content-Length: 4',
      ],
      passed: [
        'POST /base/v1/x?b=2&a=%2F%20 HTTP/1.1',
        'X-Zebra: 1',
        'x-APPLE: 2',
        'HOST: GATEWAY',
        'Cookie: a=1',
        'Cookie: b=2',
        'authorization: Bearer sk-1',
        'Content-Length: 4',
        'Connection: keep-alive',
      ],
      body: '{"x"',
      passedBody: '{"x"',
    },
    {
      about: 'with hop-by-hop headers, which are removed,',
      sent: [
        'GET / HTTP/1.1',
        'Host: p',
        'Connection: close, X-Mine',
        'X-Mine: 1',
        'Keep-Alive: timeout=3',
        'Upgrade: h2c',
        'X-Latin: caf\xe9',
      ],
      passed: ['GET /base/ HTTP/1.1', 'Host: GATEWAY', 'X-Latin: caf\xe9', 'Connection: keep-alive'],
      body: '',
      passedBody: '',
    },
    {
      about: 'with a chunked body and a trailer',
      sent: ['POST /c HTTP/1.1', 'Host: p', 'transfer-encoding: chunked', 'Trailer: X-Sum'],
      passed: [
        'POST /base/c HTTP/1.1',
        'Host: GATEWAY',
        'transfer-encoding: chunked',
        'Trailer: X-Sum',
        'Connection: keep-alive',
      ],
      body: '3\r\nabc\r\n0\r\nX-Sum: 9\r\n\r\n',
      passedBody: '3\r\nabc\r\n0\r\nX-Sum: 9\r\n\r\n',
    },
    {
      about: 'with forbidden trailers, which are removed, and with TE',
      sent: ['POST /c HTTP/1.1', 'Host: p', 'TE: gzip, trailers', 'Transfer-Encoding: CHUNKED'],
      passed: [
        'POST /base/c HTTP/1.1',
        'Host: GATEWAY',
        'TE: trailers',
        'Transfer-Encoding: chunked',
        'Connection: keep-alive',
      ],
      body: '3\r\nabc\r\n0\r\nHost: x\r\nAuthorization: y\r\nConnection: z\r\nX-Sum: 9\r\n\r\n',
      passedBody: '3\r\nabc\r\n0\r\nX-Sum: 9\r\n\r\n',
    },
    {
      about: 'with a length after 3,000 other headers',
      sent: ['POST /m HTTP/1.1', 'Host: p', ...manyHeaders, 'Content-Length: 4'],
      passed: [
        'POST /base/m HTTP/1.1',
        'Host: GATEWAY',
        ...manyHeaders,
        'Content-Length: 4',
        'Connection: keep-alive',
      ],
      body: 'body',
      passedBody: 'body',
    },
    {
      about: 'without any framing of a body',
      sent: ['POST /n HTTP/1.1', 'Host: p'],
      passed: ['POST /base/n HTTP/1.1', 'Host: GATEWAY', 'Content-Length: 0', 'Connection: keep-alive'],
      body: '',
      passedBody: '',
    },
    {
      about: 'with an absolute target',
      sent: ['GET http://other.example/v1/models?a HTTP/1.1', 'Host: other.example'],
      passed: ['GET /base/v1/models?a HTTP/1.1', 'Host: GATEWAY', 'Connection: keep-alive'],
      body: '',
      passedBody: '',
    },
    {
      about: 'of HTTP/1.0 without a host',
      sent: ['GET /o HTTP/1.0'],
      passed: ['GET /base/o HTTP/1.1', 'Host: GATEWAY', 'Connection: keep-alive'],
      body: '',
      passedBody: '',
    },
  ])('$about is forwarded with only the necessary changes', async ({ sent, passed, body, passedBody }) => {
    const gateway = await serveOneConnection();
    const client = connectTo(await openRecordingProxy(`${gateway.baseUrl}/base/`));
    client.send(`${sent.join('\r\n')}\r\n\r\n${body}`);
    const line = await gateway.line;
    const host = new URL(gateway.baseUrl).host;
    const expected = `${passed.join('\r\n').replace('GATEWAY', host)}\r\n\r\n${passedBody}`;
    await line.waitFor(new RegExp(`${passedBody === '' ? '\r\n\r\n' : passedBody.slice(-4)}$`));
    expect(await line.waitFor(/./)).toBe(expected);
    line.send(ok);
    await client.waitFor(/\r\n\r\nok$/);
  });

  test('is reported as sent by the client, without hop-by-hop headers', async () => {
    const gateway = await serveOneConnection();
    const proxy = await openRecordingProxy(gateway.baseUrl);
    const client = connectTo(proxy);
    client.send(
      'POST /v1/x HTTP/1.1\r\nHost: p\r\nX-A: 1\r\nx-a: 2\r\nConnection: X-Mine\r\nX-Mine: 1\r\nContent-Length: 4\r\n\r\nbody',
    );
    (await gateway.line).send(ok);
    const [passed] = await proxy.waitForExchanges(1);
    expect(passed).toMatchObject({
      id: 'request 1',
      ended: 'whole',
      requestUnreadable: undefined,
      request: {
        method: 'POST',
        url: `${gateway.baseUrl}/v1/x`,
        body: 'body',
        headers: [
          ['host', 'p'],
          ['x-a', '1'],
          ['x-a', '2'],
          ['content-length', '4'],
        ],
      },
      result: { kind: 'answer', answer: { status: 200, text: 'ok', content: { kind: 'text' } } },
    });
  });
});

const head = (lines: readonly string[]): string => `${lines.join('\r\n')}\r\n\r\n`;
/** The headers that Node.js adds for its connection to the client. */
const kept = ['Connection: keep-alive', 'Keep-Alive: timeout=65'];

describe('a response', () => {
  test.each([
    {
      about: 'with repeated headers, in their case and order,',
      request: 'GET',
      answer: head([
        'HTTP/1.1 418 Short And Stout',
        'X-Trace-ID: 1',
        'set-cookie: a=1',
        'Set-Cookie: b=2',
        'Date: never',
        'Connection: close, X-Own',
        'X-Own: 1',
        'content-length: 0',
      ]),
      passed: head([
        'HTTP/1.1 418 Short And Stout',
        'X-Trace-ID: 1',
        'set-cookie: a=1',
        'Set-Cookie: b=2',
        'Date: never',
        'content-length: 0',
        ...kept,
      ]),
    },
    {
      about: 'to HEAD',
      request: 'HEAD',
      answer: head(['HTTP/1.1 200 OK', 'Content-Length: 1234', 'ETag: "x"']),
      passed: head(['HTTP/1.1 200 OK', 'Content-Length: 1234', 'ETag: "x"', ...kept]),
    },
    {
      about: 'to HEAD with chunked coding',
      request: 'HEAD',
      answer: head(['HTTP/1.1 200 OK', 'Transfer-Encoding: chunked']),
      passed: head(['HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', ...kept]),
    },
    {
      about: '204',
      request: 'GET',
      answer: head(['HTTP/1.1 204 No Content', 'X-A: 1']),
      passed: head(['HTTP/1.1 204 No Content', 'X-A: 1', ...kept]),
    },
    {
      about: '304 with a content length',
      request: 'GET',
      answer: head(['HTTP/1.1 304 Not Modified', 'Content-Length: 99']),
      passed: head(['HTTP/1.1 304 Not Modified', 'Content-Length: 99', ...kept]),
    },
    {
      about: 'without a reason phrase',
      request: 'GET',
      answer: `${head(['HTTP/1.1 200 ', 'Content-Length: 1'])}x`,
      passed: `${head(['HTTP/1.1 200 ', 'Content-Length: 1', ...kept])}x`,
    },
    {
      about: 'with a chunked body and a trailer',
      request: 'GET',
      answer: `${head(['HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', 'Trailer: X-Sum'])}2\r\nab\r\n0\r\nX-Sum: 1\r\n\r\n`,
      passed: `${head(['HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', 'Trailer: X-Sum', ...kept])}2\r\nab\r\n0\r\nX-Sum: 1\r\n\r\n`,
    },
    {
      about: 'with forbidden trailers, which are removed,',
      request: 'GET',
      answer: `${head(['HTTP/1.1 200 OK', 'Transfer-Encoding: chunked'])}2\r\nab\r\n0\r\nHost: q\r\nSet-Cookie: x\r\nContent_Length: 9\r\nConnection: z\r\nX-Sum: 1\r\n\r\n`,
      passed: `${head(['HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', ...kept])}2\r\nab\r\n0\r\nX-Sum: 1\r\n\r\n`,
    },
    {
      about: 'with a length after 3,000 other headers',
      request: 'GET',
      answer: `${head(['HTTP/1.1 200 OK', ...manyHeaders, 'Content-Length: 1'])}x`,
      passed: `${head(['HTTP/1.1 200 OK', ...manyHeaders, 'Content-Length: 1', ...kept])}x`,
    },
    {
      about: 'after an interim 103',
      request: 'GET',
      answer: `${head(['HTTP/1.1 103 Early Hints', 'Link: </a>', 'Link: </b>'])}${head(['HTTP/1.1 200 OK', 'Content-Length: 0'])}`,
      passed: `${head(['HTTP/1.1 103 Early Hints', 'Link: </a>', 'Link: </b>'])}${head(['HTTP/1.1 200 OK', 'Content-Length: 0', ...kept])}`,
    },
  ])('$about is forwarded with only the necessary changes', async ({ request, answer, passed }) => {
    const gateway = await serveOneConnection();
    const proxy = await openRecordingProxy(gateway.baseUrl);
    const client = connectTo(proxy);
    client.send(`${request} / HTTP/1.1\r\nHost: p\r\n\r\n`);
    const line = await gateway.line;
    await line.waitFor(/\r\n\r\n$/);
    line.send(answer);
    expect((await proxy.waitForExchanges(1))[0]).toMatchObject({
      ended: 'whole',
      result: { kind: 'answer' },
    });
    expect(await client.waitFor(new RegExp(`^.{${passed.length}}`, 's'))).toBe(passed);
  });

  test('of unknown length to an HTTP/1.0 client ends with the connection', async () => {
    const gateway = await serve((_, response) => response.end('all of it'));
    const client = connectTo(await openRecordingProxy(gateway));
    client.send('GET / HTTP/1.0\r\n\r\n');
    const received = await client.waitForEnd();
    expect(received).toMatch(/\r\n\r\nall of it$/);
    expect(received).not.toMatch(/transfer-encoding/i);
  });
});

test('a request body with Expect: 100-continue is sent when the gateway asks for the body', async () => {
  const gateway = await serveOneConnection();
  const client = connectTo(await openRecordingProxy(gateway.baseUrl));
  client.send('POST / HTTP/1.1\r\nHost: p\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n');
  const line = await gateway.line;
  expect(await line.waitFor(/\r\n\r\n$/)).toMatch(/\r\nExpect: 100-continue\r\n/);
  line.send('HTTP/1.1 100 Continue\r\n\r\n');
  expect(await client.waitFor(/\r\n\r\n$/)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  client.send('body');
  await line.waitFor(/body$/);
  line.send(ok);
  await client.waitFor(/200 OK.*ok$/s);
});

test('the proxy refuses a WebSocket with 501, and does not report the request as an exchange', async () => {
  const proxy = await openRecordingProxy('http://127.0.0.1:9');
  const client = connectTo(proxy);
  client.send('GET /v1/realtime HTTP/1.1\r\nHost: p\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  expect(await client.waitFor(/WebSockets/)).toMatch(/^HTTP\/1.1 501 .*x-conformance-proxy: error/is);
  expect(proxy.exchanges).toEqual([]);
});
