/** The bytes of a client, and the requests that a gateway may receive through the proxy. */
export interface AttackRow {
  readonly name: string;
  /** The bytes as Latin-1. Each further text is sent only after a response to the previous text. */
  readonly send: string | readonly string[];
  /**
   * The number of requests that the gateway receives. `refused`: none, and the proxy responds with an error.
   * `broken`: at most one, with an incomplete body.
   */
  readonly sees: number | 'refused' | 'broken';
  /** The length of the body of the first request in bytes, or undefined if the length is not checked. */
  readonly bytes?: number;
}

const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: p\r\nx-api-key: attacker\r\n\r\n';
const lines = (...all: readonly string[]): string => `${all.join('\r\n')}\r\n\r\n`;
/** Formats a POST with these headers and this body, by default a smuggled request. */
const post = (headers: readonly string[], body = smuggled): string =>
  lines('POST /attack HTTP/1.1', 'Host: p', ...headers) + body;
const get = (...headers: readonly string[]): string => lines('GET /attack HTTP/1.1', 'Host: p', ...headers);
const chunked = 'Transfer-Encoding: chunked';
const length = `Content-Length: ${smuggled.length}`;
/** A smuggled request as the only chunk of a body. */
const inChunk = `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`;
const chunkedBody = (body: string): string => post([chunked], body);

const plain: readonly AttackRow[] = [
  { name: 'a body with a length', send: post([length]), sees: 1, bytes: smuggled.length },
  { name: 'a chunked body', send: post([chunked], inChunk), sees: 1, bytes: smuggled.length },
  { name: 'no body', send: get(), sees: 1 },
  { name: 'a POST without framing, and another request', send: post([], get()), sees: 2 },
  { name: 'pipelined requests', send: get() + post([length]) + get(), sees: 3 },
  { name: 'a length of zero for a GET', send: get('Content-Length: 0'), sees: 1 },
  { name: 'a length with leading zeros', send: post([`Content-Length: 000${smuggled.length}`]), sees: 1 },
  { name: 'a tab before chunked', send: post(['Transfer-Encoding:\tchunked'], inChunk), sees: 1 },
  { name: 'chunked in another case', send: post(['Transfer-Encoding: ChUnKeD'], inChunk), sees: 1 },
  { name: 'a chunk with extensions', send: chunkedBody(`4;a=b;c="d"\r\nabcd\r\n0;e\r\n\r\n`), sees: 1 },
  { name: 'a chunk size with leading zeros', send: chunkedBody('0000004\r\nabcd\r\n0\r\n\r\n'), sees: 1 },
  { name: 'empty lines before a request', send: `\r\n\r\n${get()}`, sees: 1 },
  { name: 'HTTP/1.0', send: lines('GET /attack HTTP/1.0'), sees: 1 },
  { name: 'an absolute target', send: lines('GET http://p/attack HTTP/1.1', 'Host: p'), sees: 1 },
  {
    name: 'DELETE with a body',
    send: post([length]).replace('POST', 'DELETE'),
    sees: 1,
    bytes: smuggled.length,
  },
  {
    name: 'OPTIONS with a chunked body',
    send: post([chunked], inChunk).replace('POST', 'OPTIONS'),
    sees: 1,
    bytes: smuggled.length,
  },
  {
    name: 'an upgrade with a body',
    send: post(['Connection: Upgrade', 'Upgrade: h2c', length]),
    sees: 1,
    bytes: smuggled.length,
  },
  {
    name: 'an expectation, and the body without waiting',
    send: post(['Expect: 100-continue', length]),
    sees: 1,
    bytes: smuggled.length,
  },
  {
    name: 'a length after 3,000 other headers',
    send: post([...Array.from({ length: 3_000 }, () => 'a: b'), length]),
    sees: 1,
    bytes: smuggled.length,
  },
  {
    name: 'chunked after 3,000 other headers',
    send: post([...Array.from({ length: 3_000 }, () => 'a: b'), chunked], inChunk),
    sees: 1,
    bytes: smuggled.length,
  },
  {
    name: 'trailers with framing headers',
    send: chunkedBody('0\r\nX-Ok: 1\r\nHost: q\r\nAuthorization: x\r\n\r\n'),
    sees: 1,
  },
];

const nominations: readonly AttackRow[] = [
  ['content-length', length],
  ['Content-Length, close', length],
  ['close, CONTENT-LENGTH', length],
  ['transfer-encoding', chunked],
  ['keep-alive, Transfer-Encoding', chunked],
  ['host', length],
  ['authorization', length],
  ['x-api-key', length],
  ['content-type', length],
].map(([named = '', framing = '']) => ({
  name: `Connection names ${named}`,
  send: post([`Connection: ${named}`, framing], framing === chunked ? inChunk : smuggled),
  sees: 'refused',
}));

const refused: readonly AttackRow[] = [
  ...nominations,
  {
    name: 'Connection names the length in a second line',
    send: post(['Connection: close', 'Connection: content-length', length]),
    sees: 'refused',
  },
  {
    name: 'Connection names the length of a GET',
    send: get('Connection: content-length', length) + smuggled,
    sees: 'refused',
  },
  { name: 'a length and chunked', send: post([length, chunked], inChunk), sees: 'refused' },
  { name: 'chunked and a length', send: post([chunked, length], inChunk), sees: 'refused' },
  {
    name: 'a length and chunked, in HTTP/1.0',
    send: post([length, chunked], inChunk).replace('1.1', '1.0'),
    sees: 'refused',
  },
  { name: 'chunked in HTTP/1.0', send: post([chunked], inChunk).replace('1.1', '1.0'), sees: 'refused' },
  { name: 'two equal lengths', send: post([length, length]), sees: 'refused' },
  { name: 'two lengths', send: post(['Content-Length: 0', length]), sees: 'refused' },
  ...[
    '+5',
    '-5',
    '0x5',
    '5, 5',
    '5 5',
    '5;',
    '',
    '5.0',
    '1e1',
    '18446744073709551621',
    '9007199254740993',
    '\x0b5',
    '5\x0b',
  ].map(
    (value): AttackRow => ({
      name: `the length ${JSON.stringify(value)}`,
      send: post([`Content-Length: ${value}`]),
      sees: 'refused',
    }),
  ),
  { name: 'a folded length', send: post(['Content-Length: 5\r\n 5']), sees: 'refused' },
  ...[
    'chunked, identity',
    'identity, chunked',
    'gzip, chunked',
    'chunked, chunked',
    'xchunked',
    'chunkedx',
    'identity',
    '"chunked"',
    'chunked;q=1',
    'chunked\x0b',
    '\x0bchunked',
    '\x00chunked',
    'x\r\n chunked',
    '\r\n chunked',
    ',chunked',
    'chunked,',
  ].map(
    (value): AttackRow => ({
      name: `the transfer coding ${JSON.stringify(value)}`,
      send: post([`Transfer-Encoding: ${value}`], inChunk),
      sees: 'refused',
    }),
  ),
  { name: 'two transfer codings', send: post([chunked, chunked], inChunk), sees: 'refused' },
  {
    name: 'two transfer codings, one unknown',
    send: post(['Transfer-Encoding: x', chunked], inChunk),
    sees: 'refused',
  },
  ...[
    'Content-Length : 5',
    ' Content-Length: 5',
    '\tContent-Length: 5',
    'Content-Length\t: 5',
    'Transfer-Encoding : chunked',
    'Transfer-Encoding\x0b: chunked',
    'Content\x00-Length: 5',
    ': 5',
    'X',
    'X: a\x00b',
    'X: a\x01b',
    'X: a\rTransfer-Encoding: chunked',
    'X: a\nTransfer-Encoding: chunked',
    'X: a\r\n b',
    'X: a\n\rb',
  ].map(
    (line): AttackRow => ({ name: `the line ${JSON.stringify(line)}`, send: post([line]), sees: 'refused' }),
  ),
  { name: 'Content_Length', send: post([`Content_Length: 5`, length]), sees: 'refused' },
  { name: 'Transfer_Encoding', send: post(['Transfer_Encoding: chunked', length]), sees: 'refused' },
  { name: 'lines that end in LF', send: get('X: y').replaceAll('\r\n', '\n'), sees: 'refused' },
  { name: 'lines that end in CR', send: get('X: y').replaceAll('\r\n', '\r'), sees: 'refused' },
  {
    name: 'a head that ends in LF CR',
    send: `GET /attack HTTP/1.1\r\nHost: p\r\n\rX: y\r\n\r\n`,
    sees: 'refused',
  },
  { name: 'two hosts', send: lines('GET /attack HTTP/1.1', 'Host: p', 'Host: q'), sees: 'refused' },
  { name: 'no host', send: lines('GET /attack HTTP/1.1'), sees: 'refused' },
  ...['HTTP/0.9', 'HTTP/1.2', 'HTTP/2.0', 'HTTP/1.10', 'http/1.1', 'HTTP/1,1'].map(
    (version): AttackRow => ({
      name: `the version ${version}`,
      send: get().replace('HTTP/1.1', version),
      sees: 'refused',
    }),
  ),
  { name: 'a request without a version', send: 'GET /attack\r\n\r\n', sees: 'refused' },
  { name: 'the preface of HTTP/2', send: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', sees: 'refused' },
  ...['GET', 'HEAD', 'TRACE'].flatMap((method): AttackRow[] => [
    { name: `${method} with a body`, send: post([length]).replace('POST', method), sees: 'refused' },
    {
      name: `${method} with a chunked body`,
      send: post([chunked], inChunk).replace('POST', method),
      sees: 'refused',
    },
  ]),
  { name: 'CONNECT', send: `${lines('CONNECT p:80 HTTP/1.1', 'Host: p:80')}${smuggled}`, sees: 'refused' },
  ...['@q/attack', '*', 'attack', 'ftp://p/attack', 'http:///attack', 'javascript:x'].map(
    (target): AttackRow => ({
      name: `the target ${target}`,
      send: get().replace('/attack', target),
      sees: 'refused',
    }),
  ),
  ...['/a\tb', '/a\x00b', '/a\x7fb', '/a\xffb', '/a b'].map(
    (target): AttackRow => ({
      name: `the target ${JSON.stringify(target)}`,
      send: get().replace('/attack', target),
      sees: 'refused',
    }),
  ),
  { name: 'a method in lower case', send: get().replace('GET', 'get'), sees: 'refused' },
  {
    name: 'a smuggled request after a refused one',
    send: post(['Connection: content-length', length], '') + get() + get(),
    sees: 'refused',
  },
];

const broken: readonly AttackRow[] = [
  ...[
    ['a size that is too large', '10000000000000004\r\nabcd\r\n0\r\n\r\n'],
    ['a size in C notation', '0x4\r\nabcd\r\n0\r\n\r\n'],
    ['a negative size', '-4\r\nabcd\r\n0\r\n\r\n'],
    ['a blank after the size', '4 \r\nabcd\r\n0\r\n\r\n'],
    ['no size', '\r\nabcd\r\n0\r\n\r\n'],
    ['a size that ends in LF', '4\nabcd\n0\n\n'],
    ['an extension that ends in LF', `4;\n${'abcd'}\r\n0\r\n\r\n`],
    ['CR in an extension', '4;a\rb\r\nabcd\r\n0\r\n\r\n'],
    ['letters after a chunk', '4\r\nabcdXX\r\n0\r\n\r\n'],
    ['LF after a chunk', '4\r\nabcd\n0\r\n\r\n'],
    ['a size smaller than its chunk', `2\r\nabcd\r\n0\r\n\r\n${smuggled}`],
    ['a length in the trailers', `0\r\n${length}\r\n\r\n${smuggled}`],
    ['a coding in the trailers', `0\r\n${chunked}\r\n\r\n${inChunk}`],
    ['a trailer without a colon', '0\r\nX\r\n\r\n'],
    ['a folded trailer', '0\r\nX: a\r\n b\r\n\r\n'],
    ['NUL in a trailer', '0\r\nX: a\x00b\r\n\r\n'],
  ].map(
    ([name = '', body = '']): AttackRow => ({
      name: `chunks with ${name}`,
      send: chunkedBody(body),
      sees: 'broken',
    }),
  ),
];

const early: readonly AttackRow[] = [
  {
    name: 'a body that continues after an early response',
    send: [
      `${lines('POST /early HTTP/1.1', 'Host: p', `Content-Length: ${smuggled.length + 4}`)}half`,
      smuggled,
    ],
    sees: 1,
  },
  {
    name: 'chunks that continue after an early response',
    send: [`${lines('POST /early HTTP/1.1', 'Host: p', chunked)}4\r\nhalf\r\n`, inChunk],
    sees: 1,
  },
  {
    name: 'a request after an early response',
    send: [
      `${lines('POST /early HTTP/1.1', 'Host: p', `Content-Length: ${smuggled.length + 4}`)}half`,
      smuggled + get(),
    ],
    sees: 2,
  },
  {
    name: 'a body after a final response to an expectation',
    send: [lines('POST /early HTTP/1.1', 'Host: p', 'Expect: 100-continue', length), smuggled],
    sees: 1,
  },
];

/** Requests that a proxy and a gateway could interpret differently. */
export const requestRows: readonly AttackRow[] = [...plain, ...refused, ...broken, ...early];
