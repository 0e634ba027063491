/** The bytes with which a gateway responds to `/attack`, and the response that a client of the proxy gets. */
export interface ResponseRow {
  readonly name: string;
  /** The bytes as Latin-1. Each further text is sent a moment after the previous text. */
  readonly send: string | readonly string[];
  /** Whether the gateway closes the connection after these bytes. */
  readonly closes?: true;
  readonly method?: 'GET' | 'HEAD';
  /**
   * `refused`: an error of the proxy. `cut`: an incomplete body or an error of the proxy. An object: the status and
   * the body.
   */
  readonly gets: 'refused' | 'cut' | { readonly status: number; readonly body: string };
  /** A pattern for the head that the client gets. */
  readonly head?: RegExp;
}

const lines = (...all: readonly string[]): string => `${all.join('\r\n')}\r\n\r\n`;
const ok = (...headers: readonly string[]): string => lines('HTTP/1.1 200 OK', ...headers);
const evil = `${lines('HTTP/1.1 200 OK', 'X-Evil: 1', 'Content-Length: 4')}evil`;
const hello = { status: 200, body: 'hello' };
const length = 'Content-Length: 5';
const chunked = 'Transfer-Encoding: chunked';
const inChunk = '5\r\nhello\r\n0\r\n\r\n';
const many = Array.from({ length: 3_000 }, () => 'a: b');

const plain: readonly ResponseRow[] = [
  { name: 'a body with a length', send: `${ok(length)}hello`, gets: hello },
  { name: 'a chunked body', send: ok(chunked) + inChunk, gets: hello },
  { name: 'a body that ends with the connection', send: `${ok()}hello`, closes: true, gets: hello },
  { name: 'HTTP/1.0', send: `${ok(length).replace('1.1', '1.0')}hello`, gets: hello },
  {
    name: 'a length after 3,000 other headers',
    send: `${ok(...many, length)}hello`,
    gets: hello,
    head: /^content-length: 5\r$/im,
  },
  {
    name: 'chunked after 3,000 other headers',
    send: ok(...many, chunked) + inChunk,
    gets: hello,
    head: /^transfer-encoding: chunked\r$/im,
  },
  {
    name: 'a length with leading zeros',
    send: `${ok('Content-Length: 0005')}hello`,
    gets: hello,
    head: /^content-length: 5\r$/im,
  },
  { name: 'a chunk with extensions', send: `${ok(chunked)}5;a="b"\r\nhello\r\n0;c\r\n\r\n`, gets: hello },
  {
    name: 'trailers with framing headers',
    send: `${ok(chunked)}5\r\nhello\r\n0\r\nSet-Cookie: a=b\r\nHost: x\r\n\r\n`,
    gets: hello,
  },
  ...[
    ['content-length', length, 'hello'],
    ['close, Content-Length', length, 'hello'],
    ['transfer-encoding', chunked, inChunk],
    ['TRANSFER-ENCODING, close', chunked, inChunk],
    ['content-type', length, 'hello'],
  ].map(
    ([named = '', framing = '', body = '']): ResponseRow => ({
      name: `Connection names ${named}`,
      send: ok(`Connection: ${named}`, 'Content-Type: text/plain', framing) + body,
      closes: true,
      gets: hello,
      head: /^content-type: text\/plain\r$/im,
    }),
  ),
  { name: '204', send: lines('HTTP/1.1 204 No Content'), gets: { status: 204, body: '' } },
  {
    name: '204 with a length',
    send: lines('HTTP/1.1 204 No Content', length),
    gets: { status: 204, body: '' },
  },
  {
    name: '204 with chunked',
    send: lines('HTTP/1.1 204 No Content', chunked),
    gets: { status: 204, body: '' },
  },
  {
    name: '304 with a length',
    send: lines('HTTP/1.1 304 Not Modified', length),
    gets: { status: 304, body: '' },
  },
  {
    name: 'a HEAD response with a length',
    method: 'HEAD',
    send: ok(length),
    gets: { status: 200, body: '' },
  },
  {
    name: 'a HEAD response with chunked',
    method: 'HEAD',
    send: ok(chunked),
    gets: { status: 200, body: '' },
  },
  {
    name: '103 with a length',
    send: `${lines('HTTP/1.1 103 Early Hints', 'Content-Length: 0')}${ok(length)}hello`,
    gets: hello,
  },
  {
    name: '103 with a header that Connection names',
    send: `${lines('HTTP/1.1 103 Early \x01', 'Connection: Link', 'Link: x')}${ok(length)}hello`,
    gets: hello,
  },
  {
    name: '100 many times',
    send: `${lines('HTTP/1.1 100 Continue').repeat(20)}${ok(length)}hello`,
    gets: hello,
  },
  {
    name: 'an unassigned status',
    send: `${lines('HTTP/1.1 799 X', length)}hello`,
    gets: { status: 799, body: 'hello' },
  },
];

/** Rows whose bytes after the first response must not reach any client. */
const surplus: readonly ResponseRow[] = [
  { name: 'characters after the body, later', send: [`${ok(length)}hello`, 'letters'], gets: hello },
  { name: 'a second response, later', send: [`${ok(length)}hello`, evil], gets: hello },
  { name: 'half of a second response, later', send: [`${ok(length)}hello`, evil.slice(0, 20)], gets: hello },
  { name: 'a second response with the first', send: `${ok(length)}hello${evil}`, gets: hello },
  { name: 'a second response after chunks', send: ok(chunked) + inChunk + evil, gets: hello },
  {
    name: '103 after the response',
    send: [`${ok(length)}hello`, lines('HTTP/1.1 103 X') + evil],
    gets: hello,
  },
  {
    name: '204 and a second response',
    send: [lines('HTTP/1.1 204 No Content'), evil],
    gets: { status: 204, body: '' },
  },
  {
    name: '304 with a body',
    send: [lines('HTTP/1.1 304 Not Modified', length), 'hello'],
    gets: { status: 304, body: '' },
  },
  {
    name: 'a HEAD response with a body',
    method: 'HEAD',
    send: [ok(length), evil],
    gets: { status: 200, body: '' },
  },
];

const refused: readonly ResponseRow[] = [
  { name: 'a length and chunked', send: ok(length, chunked) + inChunk, gets: 'refused' },
  { name: 'chunked and a length', send: ok(chunked, length) + inChunk, gets: 'refused' },
  { name: 'chunked in HTTP/1.0', send: ok(chunked).replace('1.1', '1.0') + inChunk, gets: 'refused' },
  { name: 'two equal lengths', send: `${ok(length, length)}hello`, gets: 'refused' },
  { name: 'two lengths', send: `${ok(length, 'Content-Length: 0')}hello`, gets: 'refused' },
  ...['+5', '-5', '0x5', '5, 5', '5 5', '', '5.0', '18446744073709551621', '9007199254740993', '\x0b5'].map(
    (value): ResponseRow => ({
      name: `the length ${JSON.stringify(value)}`,
      send: `${ok(`Content-Length: ${value}`)}hello`,
      closes: true,
      gets: 'refused',
    }),
  ),
  ...[
    'chunked, identity',
    'identity, chunked',
    'gzip, chunked',
    'xchunked',
    'identity',
    'chunked\x0b',
    '\x0bchunked',
    'x\r\n chunked',
    '\r\n chunked',
    ',chunked',
    'chunked;q=1',
  ].map(
    (value): ResponseRow => ({
      name: `the transfer coding ${JSON.stringify(value)}`,
      send: ok(`Transfer-Encoding: ${value}`) + inChunk,
      closes: true,
      gets: 'refused',
    }),
  ),
  { name: 'two transfer codings', send: ok(chunked, chunked) + inChunk, closes: true, gets: 'refused' },
  ...[
    'Content-Length : 5',
    ' Content-Length: 5',
    'Transfer-Encoding : chunked',
    'X: a\x00b',
    'X: a\x01b',
    'X: a\rContent-Length: 0',
    'X: a\nContent-Length: 0',
    'X: a\r\n b',
    ': x',
    'X',
    'X\x00Y: z',
  ].map(
    (line): ResponseRow => ({
      name: `the line ${JSON.stringify(line)}`,
      send: `${ok(line, length)}hello`,
      closes: true,
      gets: 'refused',
    }),
  ),
  {
    name: 'lines that end in LF',
    send: `HTTP/1.1 200 OK\nContent-Length: 5\n\nhello`,
    closes: true,
    gets: 'refused',
  },
  ...[
    'HTTP/0.9 200 OK',
    'HTTP/2.0 200 OK',
    'HTTP/1.10 200 OK',
    'http/1.1 200 OK',
    'HTTP/1.1 099 X',
    'HTTP/1.1 2000 X',
    'HTTP/1.1 20 X',
    'HTTP/1.1 200 \x01',
    'HTTP/1.1 200 a\rb',
    'HTTP/1.1 -200 X',
  ].map(
    (line): ResponseRow => ({
      name: `the line ${JSON.stringify(line)}`,
      send: `${lines(line, length)}hello`,
      closes: true,
      gets: 'refused',
    }),
  ),
  { name: 'no head', send: 'hello', closes: true, gets: 'refused' },
  { name: 'nothing', send: '', closes: true, gets: 'refused' },
  {
    name: '101 without a requested upgrade',
    send: lines('HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: x') + evil,
    gets: 'refused',
  },
];

const cut: readonly ResponseRow[] = [
  {
    name: 'a body shorter than its length',
    send: `${ok('Content-Length: 9')}hello`,
    closes: true,
    gets: 'cut',
  },
  { name: 'chunks without their end', send: `${ok(chunked)}5\r\nhello\r\n`, closes: true, gets: 'cut' },
  ...[
    ['a size that is too large', '10000000000000005\r\nhello\r\n0\r\n\r\n'],
    ['a size in C notation', '0x5\r\nhello\r\n0\r\n\r\n'],
    ['a negative size', '-5\r\nhello\r\n0\r\n\r\n'],
    ['a size that ends in LF', '5\nhello\n0\n\n'],
    ['CR in an extension', '5;a\rb\r\nhello\r\n0\r\n\r\n'],
    ['letters after a chunk', '5\r\nhelloXX\r\n0\r\n\r\n'],
    ['a length in the trailers', `5\r\nhello\r\n0\r\n${length}\r\n\r\n`],
    ['a folded trailer', '5\r\nhello\r\n0\r\nX: a\r\n b\r\n\r\n'],
  ].map(
    ([name = '', body = '']): ResponseRow => ({
      name: `chunks with ${name}`,
      send: ok(chunked) + body,
      gets: 'cut',
    }),
  ),
];

/** Responses that a proxy and a client could interpret differently. */
export const responseRows: readonly ResponseRow[] = [...plain, ...surplus, ...refused, ...cut];
