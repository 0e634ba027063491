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
  items.map(({ kind }) => kind).filter((kind) => kind !== 'about');

test('a recorded body with more content codings than are decoded is reported as not decoded', async () => {
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
            content: { kind: 'unreadable', reason: 'it has 2500 content codings, and at most 5 are decoded' },
          },
        },
      },
    },
  ]);
});

describe('a recording is read', () => {
  test.each([
    { about: 'an exchange on each line', text: `${line}\n${line}`, found: ['exchange', 'exchange'] },
    { about: 'lines as Windows ends them', text: `${line}\r\n${line}\r\n`, found: ['exchange', 'exchange'] },
    { about: 'empty lines', text: `\n\n${line}\n\n`, found: ['exchange'] },
    { about: 'a mark at its beginning', text: `\uFEFF${line}\n${line}`, found: ['exchange', 'exchange'] },
    { about: 'a HAR on one line', text: JSON.stringify({ log }), found: ['exchange', 'exchange'] },
    { about: 'a HAR on many lines', text: JSON.stringify({ log }, null, 2), found: ['exchange', 'exchange'] },
    {
      about: 'a HAR in another order',
      text: JSON.stringify({ log: { entries: log.entries, version: '1.2' } }),
      found: ['exchange', 'exchange'],
    },
    { about: 'a HAR with a mark', text: `\uFEFF${JSON.stringify({ log })}`, found: ['exchange', 'exchange'] },
    {
      about: 'a long first line',
      text: `${JSON.stringify({ ...entry, pad: 'x'.repeat(80_000) })}\n${line}`,
      found: ['exchange', 'exchange'],
    },
    {
      about: 'a long first line that says something else first',
      text: `${JSON.stringify({ pad: 'x'.repeat(80_000), ...entry })}\n${line}`,
      found: ['exchange', 'exchange'],
    },
    {
      about: 'a line that is no JSON',
      text: `${line}\n{"a\n${line}`,
      found: ['exchange', 'no-exchange', 'exchange'],
    },
    {
      about: 'a line that is no exchange',
      text: `${line}\n[]\n1\nnull\n${line}`,
      found: ['exchange', 'no-exchange', 'no-exchange', 'no-exchange', 'exchange'],
    },
    { about: 'nothing', text: '', found: ['broken'] },
    { about: 'a page', text: '<html>', found: ['broken'] },
    { about: 'a list', text: `[${line}]`, found: ['broken'] },
    { about: 'a HAR without entries', text: '{"log":{"version":"1.2","entries":[]}}', found: [] },
  ])('with $about', async ({ text, found }) => {
    expect(kinds(await read(Buffer.from(text)))).toEqual(found);
  });

  test('packed with gzip is told how to be unpacked', async () => {
    expect(await read(Uint8Array.from([0x1f, 0x8b, 8, 0]))).toMatchObject(
      [{ kind: 'broken', problem: /gunzip/ }].map(({ kind }) => ({ kind })),
    );
  });

  test.each([
    { about: 'a HAR', text: JSON.stringify({ log }) },
    { about: 'lines', text: `${line}\n${line}\n` },
  ])('as far as it goes, wherever $about breaks off', async ({ text }) => {
    const bytes = Buffer.from(text);
    const whole = kinds(await read(bytes));
    for (let end = 1; end < bytes.length; end++) {
      const found = kinds(await read(bytes.subarray(0, end), 64));
      expect(found.filter((kind) => kind === 'exchange').length).toBeLessThanOrEqual(whole.length);
      const told = found.includes('broken') || found.every((kind) => kind === 'exchange');
      expect(told, `at byte ${end}: ${found}`).toBe(true);
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
  ])('but for an entry of a wrong kind: %j', async (wrong) => {
    const only = '__proto__' in wrong && Object.keys(wrong).includes('__proto__');
    const text = JSON.stringify(only ? wrong : { ...entry, ...wrong });
    expect(kinds(await read(Buffer.from(`${line}\n${text}`)))).toEqual(['exchange', 'no-exchange']);
  });

  test.each([{ postData: [], queryString: 5 }, { postData: { text: 5, params: {} } }, { bodySize: 'x' }])(
    'with members of a wrong kind that nobody needs: %j',
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
