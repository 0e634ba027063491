import { gzipSync } from 'node:zlib';
import { parseDataFile } from '../../dist/common/data-file.js';
import { compileGlob } from '../../dist/common/glob.js';
import { writeJson } from '../../dist/common/write-json.js';
import { loadCatalog } from '../../dist/runner/catalog/catalog.js';
import { decodeBody, readContent } from '../../dist/runner/exchange/decode.js';
import { listNames } from '../../dist/runner/judge/match-model.js';
import { parseProfile } from '../../dist/runner/profile/read-profile.js';
import { formatCurlLine } from '../../dist/runner/report/curl/curl-line.js';
import { createRedact } from '../../dist/runner/report/redaction/redact.js';
import { createKeyHider } from '../../dist/runner/traffic/hide-keys.js';
import { inferCredential } from '../../dist/runner/traffic/inference/infer-credential.js';
import { createOperationMatcher, parseUrl } from '../../dist/runner/traffic/inference/match-operation.js';
import { createHarReader } from '../../dist/runner/traffic/recordings/parse-har.js';
import { readRecording } from '../../dist/runner/traffic/recordings/read-recording.js';
import { formatTable } from '../measure/figure.js';
import { median } from '../measure/rounds.js';

/**
 * A loop over untrusted input.
 * @typedef {object} Loop
 * @property {string} what
 * @property {number} size the smallest size. The other sizes are two, four and eight times as large
 * @property {(size: number) => () => unknown} make prepares an input of this size, and returns the loop over the input
 */

const pieceBytes = 256 * 1024;
const doublings = [1, 2, 4, 8];
const rounds = 3;
/**
 * The largest allowed ratio of the times for the largest and the smallest size. Linear work has a ratio of 8, and
 * quadratic work has a ratio of 64.
 */
const most = 16;

/** @param {string} text */
function* pieces(text) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

/** @param {string} text */
async function* stream(text) {
  yield* pieces(text);
}

/** @param {string} text */
const readHar = (text) => () => {
  const har = createHarReader();
  for (const piece of pieces(text)) {
    if (har.isOver()) break;
    for (const _ of har.read(piece));
  }
  for (const _ of har.end());
};

/** @param {string} text */
const readLines = (text) => async () => {
  for await (const items of readRecording(stream(text), 'file')) for (const _ of items);
};

/** @param {string} text */
const readYaml = (text) => () => {
  try {
    parseDataFile('file', text);
  } catch (error) {
    if (!(error instanceof Error && error.name === 'DataFileError')) throw error;
  }
};

/** Returns a HAR file with this property in its log. @param {string} member */
const har = (member) => `{"log":{"version":"1.2",${member}"entries":[]}}`;

/** @param {number} count @param {(index: number) => string} text */
const times = (count, text) => Array.from({ length: count }, (_, index) => text(index)).join('');

const growthKey = 'sk-growth-0123456789abcdefghij';
const sharedPart = 'abcdefghijkl';

/** Returns secrets that all begin with `sharedPart`. @param {number} count */
const secretsThatShare = (count) =>
  new Map(Array.from({ length: count }, (_, n) => [`${sharedPart}${n * 7919}`, 'keys.client']));

/** @param {string} text */
const redacting = (text) => {
  const redact = createRedact(new Map([[growthKey, 'keys.valid']]));
  return () => redact(text);
};

/** @returns {Promise<readonly Loop[]>} */
async function loops() {
  const catalog = await loadCatalog();
  const profile = parseProfile(
    {
      baseUrl: 'http://x',
      keys: { valid: 'sk-a' },
      operations: { generate: 'POST /v1/m/{+model}/generate' },
    },
    catalog,
  );
  // Without a base URL, the path of an operation may begin anywhere in the path of a request.
  const { match } = createOperationMatcher({ ...profile, baseUrl: '' });
  return [
    {
      what: 'a pattern with many `*` on a long name',
      size: 50_000,
      make: (size) => {
        const [test, text] = [compileGlob(`${'*a'.repeat(size)}*b*`), 'a'.repeat(2 * size)];
        return () => test(text);
      },
    },
    {
      what: 'HAR: nested lists between entries',
      size: 100_000,
      make: (size) => readHar(har(`"z":${'['.repeat(size)}${']'.repeat(size)},`)),
    },
    {
      what: 'HAR: members between entries',
      size: 10_000,
      make: (size) => readHar(har(times(size, (n) => `"z${n}":[${n}],`))),
    },
    {
      what: 'HAR: an entry of any length',
      size: 500_000,
      make: (size) => readHar(`{"log":{"entries":[{"a":"${'\\"{'.repeat(size)}"}]}}`),
    },
    { what: 'NDJSON: lines', size: 10_000, make: (size) => readLines(times(size, (n) => `{"a":${n}}\n`)) },
    {
      what: 'NDJSON: a line of any length',
      size: 500_000,
      make: (size) => readLines(`{"a":1}\n{"a":"${'x'.repeat(size)}"}\n`),
    },
    {
      what: 'JSON: nesting',
      size: 20_000,
      make: (size) => () => readContent('['.repeat(size) + ']'.repeat(size)),
    },
    {
      what: 'YAML: keys in a mapping',
      size: 2_000,
      make: (size) => readYaml(times(size, (n) => `k${n}: 1\n`)),
    },
    { what: 'YAML: nesting', size: 10_000, make: (size) => readYaml('['.repeat(size)) },
    {
      what: 'YAML: aliases',
      size: 100,
      make: (size) => readYaml(times(size, (n) => `- &a${n} 1\n- *a${n}\n`)),
    },
    {
      what: 'YAML: aliases that multiply',
      size: 200,
      make: (size) =>
        readYaml(`a: &a0 [1]\n${times(size, (n) => `b${n}: &a${n + 1} [${`*a${n},`.repeat(9)}]\n`)}`),
    },
    {
      what: 'the path of a recorded request',
      size: 5_000,
      make: (size) => {
        const url = '/v1/m/x'.repeat(size);
        return () => match({ method: 'POST', url, parsed: parseUrl(url) }, () => undefined);
      },
    },
    {
      what: 'the credential of a recorded request',
      size: 100_000,
      make: (size) => () =>
        inferCredential(
          {
            headers: [['authorization', `Bearer ${'['.repeat(size)}`]],
            inQuery: undefined,
            members: {},
            mayBeInUrl: false,
          },
          () => undefined,
          true,
        ),
    },
    {
      what: 'the message of an error',
      size: 10_000,
      make: (size) => () =>
        listNames('message at '.repeat(size), { place: 'messages[0].x', types: [] }, new Map()),
    },
    {
      what: 'content codings of a body',
      size: 100,
      make: (size) => {
        let bytes = Buffer.from('{}');
        for (let layer = 0; layer < size; layer += 1) bytes = gzipSync(bytes, { level: 1 });
        const coding = Array(size).fill('gzip').join(', ');
        return () => decodeBody(bytes, coding, 1024 * 1024);
      },
    },
    {
      what: 'redaction: cookies of a request',
      size: 100,
      make: (size) => {
        const cookies = Array.from({ length: size }, (_, n) => `cookie-value-${n}-${n * 7919}`);
        const text = cookies.map((value, n) => `c${n}=${value}`).join('; ');
        return () => createKeyHider(new Map(), 'live').redactionFor(cookies)(text);
      },
    },
    {
      what: 'redaction: n secrets that share a part with a text of 240 KB',
      size: 25,
      make: (size) => () => createRedact(secretsThatShare(size))(sharedPart.repeat(20_000)),
    },
    {
      what: 'redaction: a text of n shared parts, and 200 secrets',
      size: 5_000,
      make: (size) => () => createRedact(secretsThatShare(200))(sharedPart.repeat(size)),
    },
    {
      what: 'redaction: n secrets and a text of 200 n shared parts',
      size: 50,
      make: (size) => () => createRedact(secretsThatShare(size))(sharedPart.repeat(200 * size)),
    },
    {
      what: 'redaction: a text of n keys',
      size: 2_000,
      make: (size) => redacting(growthKey.repeat(size)),
    },
    {
      what: 'redaction: a text of n keys in base64',
      size: 2_000,
      make: (size) => redacting(Buffer.from(growthKey.repeat(size)).toString('base64')),
    },
    {
      what: 'redaction: a list of n bytes',
      size: 20_000,
      make: (size) => redacting(JSON.stringify(Array.from({ length: size }, (_, n) => n % 256))),
    },
    {
      what: 'redaction: a text of n escapes',
      size: 20_000,
      make: (size) => redacting('%26%2365%3B'.repeat(size)),
    },
    {
      what: 'redaction: a text of n backslashes',
      size: 50_000,
      make: (size) => redacting('\\'.repeat(size)),
    },
    {
      what: 'redaction: the beginning of a text of n keys',
      size: 2_000,
      make: (size) => {
        const redact = createRedact(new Map([[growthKey, 'keys.valid']]));
        return () => redact(growthKey.repeat(size), 10_000);
      },
    },
    {
      what: 'a report: spaces in a text',
      size: 20_000,
      make: (size) => () => writeJson({ text: ' '.repeat(size) }),
    },
    {
      what: 'a curl line: line breaks in a body',
      size: 20_000,
      make: (size) => () =>
        formatCurlLine(
          {
            method: 'POST',
            url: 'http://x',
            headers: {},
            body: { text: `${'\n'.repeat(size)}x`, bytes: size },
          },
          {},
        ),
    },
  ];
}

/** Returns the CPU time of the work in milliseconds. @param {() => unknown} work */
async function measureMs(work) {
  const from = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1_000;
}

/** @param {Loop} loop */
async function rowOf({ what, size, make }) {
  const works = doublings.map((factor) => make(factor * size));
  // An unmeasured first call compiles the code.
  await measureMs(works[0] ?? (() => undefined));
  /** @type {number[][]} */
  const took = doublings.map(() => []);
  for (let round = 0; round < rounds; round += 1)
    for (const [index, work] of works.entries()) took[index]?.push(await measureMs(work));
  const middles = took.map(median);
  const [first = Number.NaN, last = Number.NaN] = [middles[0], middles.at(-1)];
  // Times below one millisecond are too short to measure reliably.
  const ratio = last / Math.max(first, 1);
  return [
    what,
    size.toLocaleString('en'),
    ...middles.map((ms) => ms.toFixed(1)),
    `**${ratio.toFixed(1)} ×**`,
    ratio <= most ? 'met' : '**not met**',
  ];
}

async function measure() {
  const measured = [];
  for (const loop of await loops()) measured.push(await rowOf(loop));
  return formatTable(['input', 'n', 'ms of n', '2n', '4n', '8n', '8n ÷ n', `limit: ${most} ×`], measured);
}

/** The growth of the time of loops with the size of untrusted input. @type {import('../run.js').Section} */
export const growth = {
  title: 'Time against size',
  about:
    'This section measures loops over input that comes from a gateway, a recording, a client or a file in a pull request. The input is made to be expensive, and has four sizes. One process measures all loops. Linear work has a ratio of 8, and quadratic work has a ratio of 64. Work that stops at a limit has a ratio below 8. The times are CPU times, medians of three rounds.',
  measure,
};
