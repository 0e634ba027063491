import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { type RecordingItem, readRecording } from './read-recording.ts';

const entry = {
  request: {
    method: 'GET',
    url: 'https://gateway.example/v1/models',
    headers: [{ name: 'Accept', value: '*/*' }],
  },
  response: { status: 200, headers: [{ name: 'x', value: 'y' }], content: { text: '{"é":1}' } },
};
const line = JSON.stringify(entry);
const log = { version: '1.2', creator: { name: 'a', version: '1' }, entries: [entry, entry] };

async function read(bytes: Uint8Array, size = 1_000): Promise<RecordingItem[]> {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
  }
  const items: RecordingItem[] = [];
  for await (const found of readRecording(pieces(), 'capture')) items.push(...found);
  return items;
}

const kinds = (items: readonly RecordingItem[]): string[] =>
  items.map(({ kind }) => kind).filter((kind) => kind !== 'metadata');

test('reports a body with too many content codings as unreadable', async () => {
  const value = Array.from({ length: 2_500 }, () => 'gzip').join(', ');
  const text = gzipSync('{}').toString('base64');
  const response = {
    status: 200,
    headers: [{ name: 'content-encoding', value }],
    content: { text, encoding: 'base64' },
  };
  const items = await read(Buffer.from(JSON.stringify({ ...entry, response })));
  expect(items).toMatchObject([
    {
      recorded: {
        result: {
          answer: {
            content: {
              kind: 'unreadable',
              reason: 'the body has 2500 content codings, but at most 5 are decoded',
            },
          },
        },
      },
    },
  ]);
});

test.each([
  ['base64', Buffer.from('{"a":"\xe4"}', 'latin1').toString('base64'), 'text'],
  [undefined, '{"a":"\ufffd"}', 'json'],
])('reads an error that is not valid UTF-8 with the encoding %s as $2', async (encoding, text, kind) => {
  const response = { status: 400, headers: [], content: { text, encoding } };
  const items = await read(Buffer.from(JSON.stringify({ ...entry, response })));
  expect(items).toMatchObject([{ recorded: { result: { answer: { content: { kind } } } } }]);
});

describe('readRecording', () => {
  test.each([
    { about: 'reads an exchange on each line', text: `${line}\n${line}`, found: ['exchange', 'exchange'] },
    {
      about: 'reads lines that end with CRLF',
      text: `${line}\r\n${line}\r\n`,
      found: ['exchange', 'exchange'],
    },
    { about: 'skips empty lines', text: `\n\n${line}\n\n`, found: ['exchange'] },
    {
      about: 'reads NDJSON with a byte order mark',
      text: `\uFEFF${line}\n${line}`,
      found: ['exchange', 'exchange'],
    },
    { about: 'reads a HAR on one line', text: JSON.stringify({ log }), found: ['exchange', 'exchange'] },
    {
      about: 'reads a HAR on many lines',
      text: JSON.stringify({ log }, null, 2),
      found: ['exchange', 'exchange'],
    },
    {
      about: 'reads a HAR whose entries come first',
      text: JSON.stringify({ log: { entries: log.entries, version: '1.2' } }),
      found: ['exchange', 'exchange'],
    },
    {
      about: 'reads a HAR with a byte order mark',
      text: `\uFEFF${JSON.stringify({ log })}`,
      found: ['exchange', 'exchange'],
    },
    {
      about: 'reads NDJSON with a long first line',
      text: `${JSON.stringify({ ...entry, pad: 'x'.repeat(80_000) })}\n${line}`,
      found: ['exchange', 'exchange'],
    },
    {
      about: 'reads NDJSON whose long first line begins with an unknown member',
      text: `${JSON.stringify({ pad: 'x'.repeat(80_000), ...entry })}\n${line}`,
      found: ['exchange', 'exchange'],
    },
    {
      about: 'reports a line that is not JSON, and reads on',
      text: `${line}\n{"a\n${line}`,
      found: ['exchange', 'lost', 'exchange'],
    },
    {
      about: 'reports a first line that is not JSON, and reads on',
      text: `{"a\n${line}\n${line}`,
      found: ['lost', 'exchange', 'exchange'],
    },
    {
      about: 'reports one problem for a HAR with a syntax error in the first line',
      text: '{"a\n  "log": {\n    "entries": [] } }',
      found: ['broken'],
    },
    {
      about: 'reports lines that are not exchanges, and reads on',
      text: `${line}\n[]\n1\nnull\n${line}`,
      found: ['exchange', 'invalid-entry', 'invalid-entry', 'invalid-entry', 'exchange'],
    },
    { about: 'rejects an empty recording', text: '', found: ['broken'] },
    { about: 'rejects an HTML page', text: '<html>', found: ['broken'] },
    { about: 'rejects a JSON array', text: `[${line}]`, found: ['broken'] },
    { about: 'reads a HAR without entries', text: '{"log":{"version":"1.2","entries":[]}}', found: [] },
  ])('$about', async ({ text, found }) => {
    expect(kinds(await read(Buffer.from(text)))).toEqual(found);
  });

  test.each([
    ['a HAR', JSON.stringify({ log })],
    ['NDJSON', `${line}\n${line}\n`],
  ])('reads %s that is compressed with gzip', async (_, text) => {
    expect(kinds(await read(gzipSync(text), 7))).toEqual(['exchange', 'exchange']);
  });

  const packed = gzipSync(`${line}\n`.repeat(2_000));
  test.each([
    ['is cut off', packed.subarray(0, -9), 'incomplete'],
    ['is damaged', Buffer.concat([packed.subarray(0, 12), Buffer.alloc(99, 0xff)]), 'damaged'],
    ['is compressed again', gzipSync(packed), 'compressed twice'],
  ])('reports a compressed recording that %s', async (_, bytes, problem) => {
    expect((await read(bytes)).at(-1)).toEqual({
      kind: 'broken',
      place: 'capture',
      problem: expect.stringContaining(problem),
    });
  });

  test.each([
    ['Charles', '[{"status":"COMPLETE","method":"GET","actualPort":443}]'],
    ['Insomnia', '{"_type":"export","__export_format":4,"resources":[]}'],
    ['Postman', '{"info":{"_postman_id":"1","name":"a","schema":"x"},"item":[]}'],
    ['Newman', '{\n  "collection": {\n    "_": {}\n  },\n  "run": {}\n}'],
  ])('names the tool of an export of %s', async (tool, text) => {
    expect(await read(Buffer.from(text))).toEqual([
      { kind: 'broken', place: 'capture', problem: expect.stringContaining(tool) },
    ]);
  });

  test.each([
    ['with a line feed as invalid', 'nope\n', ['exchange', 'lost']],
    ['without a line feed as invalid and as cut off', 'nope', ['exchange', 'lost', 'broken']],
  ])('reports an invalid last line %s', async (_, last, expected) => {
    expect(kinds(await read(Buffer.from(`${line}\n${last}`)))).toEqual(expected);
  });

  test('reads bodies that are JSON values', async () => {
    const { request, response } = entry;
    const body = { model: 'm', messages: [] };
    const [item] = await read(
      Buffer.from(
        JSON.stringify({
          request: { ...request, method: 'POST', body },
          response: { status: response.status, headers: response.headers, body: [1] },
        }),
      ),
    );
    expect(item).toMatchObject({
      recorded: { request: { body: JSON.stringify(body) }, result: { answer: { text: '[1]' } } },
    });
  });

  test('yields undefined metadata first if the entries of a HAR precede the creator', async () => {
    const items = await read(
      Buffer.from(JSON.stringify({ log: { entries: [entry], creator: { name: 'a' } } })),
    );
    expect(items.map((item) => (item.kind === 'metadata' ? item.value : item.kind))).toEqual([
      undefined,
      'exchange',
      { name: 'a' },
    ]);
  });

  test.each([
    { about: 'a HAR', text: JSON.stringify({ log }) },
    { about: 'NDJSON', text: `${line}\n${line}\n` },
  ])('reads only exchanges, or reports a problem, wherever $about is cut off', async ({ text }) => {
    const bytes = Buffer.from(text);
    for (let end = 1; end < bytes.length; end++) {
      const found = kinds(await read(bytes.subarray(0, end), 64));
      const isExplained = found.includes('broken') || found.every((kind) => kind === 'exchange');
      expect(isExplained, `at byte ${end}: ${found}`).toBe(true);
    }
  });

  test.each([
    { request: { ...entry.request, method: 1 } },
    { request: { ...entry.request, url: {} } },
    { request: { ...entry.request, headers: [null] } },
    { request: { ...entry.request, headers: [{ name: 'authorization', value: null }] } },
    { request: null },
    { response: { status: '200' } },
    { response: { status: 200, headers: [[1]] } },
    JSON.parse('{"__proto__":{"request":{"method":"GET","url":"/v1/models"}}}'),
  ])('does not read an entry with a member of a wrong type: %j', async (wrong) => {
    const only = '__proto__' in wrong && Object.keys(wrong).includes('__proto__');
    const text = JSON.stringify(only ? wrong : { ...entry, ...wrong });
    const isExchange = /^\{"re(quest|sponse)"/.test(text);
    const kind = isExchange ? 'lost' : 'invalid-entry';
    expect(kinds(await read(Buffer.from(`${line}\n${text}`)))).toEqual(['exchange', kind]);
  });

  test.each([{ postData: [], queryString: 5 }, { postData: { text: 5, params: {} } }, { bodySize: 'x' }])(
    'reads an entry if only unused members have a wrong type: %j',
    async (wrong) => {
      const odd = {
        ...entry,
        time: {},
        startedDateTime: [],
        request: { ...entry.request, ...wrong },
        response: { ...entry.response, content: [1] },
      };
      expect(kinds(await read(Buffer.from(`${line}\n${JSON.stringify(odd)}`)))).toEqual([
        'exchange',
        'exchange',
      ]);
    },
  );
});
