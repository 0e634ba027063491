import { join } from 'node:path';
import { formatFigures } from '../measure/figure.js';
import { forkServer } from '../measure/fork.js';
import { conformanceScript, inRepository, runNode } from '../measure/process.js';
import { openRecorder } from '../measure/record.js';
import { generateEntries, toNdjson, writeHar } from '../measure/recording.js';
import { redocly } from '../measure/redocly.js';
import { runInTurn } from '../measure/rounds.js';
import { referenceProfile, withFolder } from '../measure/target.js';

const few = 10_000;
const many = 100_000;
const all = 1_000_000;

/**
 * The exit codes of `check` and `drift` that do not stand for an error: without findings (0), with findings (1), and
 * inconclusive (3).
 */
const codes = [0, 1, 3];

/** Records the exchanges of a default run against the reference gateway. */
async function record() {
  const gateway = await forkServer('reference-gateway');
  const recorder = await openRecorder(gateway.url);
  await runNode([conformanceScript, 'run', '--base-url', recorder.url, '--profile', referenceProfile]);
  recorder.close();
  gateway.close();
  return recorder;
}

/** @param {string} url @param {string} from */
const checkOf = (url, from) => [
  conformanceScript,
  'check',
  from,
  '--base-url',
  url,
  '--profile',
  referenceProfile,
];

/**
 * Measures the time and peak memory of one `check` of this number of NDJSON lines on standard input.
 * @param {number} count
 */
async function checkLines(count) {
  const { exchanges, url } = await record();
  const input = toNdjson(generateEntries(exchanges, url, count));
  const took = await runNode(checkOf(url, '-'), { codes, input });
  const of = `${count.toLocaleString('en')} exchanges of NDJSON`;
  return [
    {
      what: `peak memory of \`check\`, ${of}`,
      values: [took.peakMb],
      unit: /** @type {const} */ ('MB'),
      target: { most: 100 },
    },
    {
      what: `\`check\`, ${of}`,
      values: [took.ms / 1000],
      unit: /** @type {const} */ ('s'),
    },
  ];
}

const measure = () =>
  withFolder(async (folder) => {
    const { exchanges, url } = await record();
    const file = join(folder, 'traffic.har');
    await writeHar(file, generateEntries(exchanges, url, few));
    const api = inRepository('specs/openapi.yaml');
    const rounds = await runInTurn(
      { count: 5 },
      {
        check: () => runNode(checkOf(url, file), { codes }),
        drift: () => redocly(['drift', file, '--api', api, '--server', url], { codes }),
      },
    );
    const of = `${few.toLocaleString('en')} exchanges of HAR`;
    return formatFigures([
      {
        what: `Redocly drift ÷ \`check\`, ${of}: time`,
        values: rounds.map(({ check, drift }) => drift.ms / check.ms),
        unit: '×',
        target: { least: 1 },
      },
      {
        what: `Redocly drift ÷ \`check\`, ${of}: CPU time`,
        values: rounds.map(({ check, drift }) => drift.cpuMs / check.cpuMs),
        unit: '×',
      },
      { what: `\`check\`, ${of}`, values: rounds.map(({ check }) => check.ms / 1000), unit: 's' },
      {
        what: `peak memory of \`check\`, ${of}`,
        values: rounds.map(({ check }) => check.peakMb),
        unit: 'MB',
        target: { most: 100 },
      },
      {
        what: `peak memory of Redocly drift, ${of}`,
        values: rounds.map(({ drift }) => drift.peakMb),
        unit: 'MB',
      },
      ...(await checkLines(many)),
    ]);
  });

/** The time and memory of judging recorded traffic. @type {import('../run.js').Section} */
export const checkSection = {
  title: 'Recorded traffic',
  about: `\`conformance check\` and Redocly \`drift\` with \`specs/openapi.yaml\` judge the same recording, each with its defaults. The recording is a HAR file in the form that a browser writes. The file repeats the exchanges of a default run, with new trace IDs each time. \`drift\` validates requests and responses against the OpenAPI description. \`check\` infers the attributes of each exchange and checks all requirements that apply to it.`,
  measure,
  tried: `What was tried:

- The HAR reader finds the end of each entry by its braces, and parses an entry of at most 1 MiB as a whole. All other text is read character by character.
- Bodies are parsed once, and short bodies that repeat are not parsed again.
- URLs, the headers with which clients identify themselves, and the attributes and requirements of similar exchanges are looked up once. The caches have room for the 1,900 different requests of a whole run.
- The content of a response (model output, an error, or neither) is determined once for all requirements.
- Verdicts without findings share one object.
- Files are read in pieces of 256 KiB.

For 10,000 exchanges, a fifth of the time is the start. More than a third is spent in code that V8 has not yet optimized, and on its optimization. Each of the first 10,000 exchanges takes more than twice as long as a later exchange. The first 2,000 exchanges are read twice, to learn keys and models before anything is judged. An index of requirements by operation gained 4 %, which is not worth its code.`,
};

/** The time and memory of judging a recording that does not fit into memory. @type {import('../run.js').Section} */
export const million = {
  title: 'A million exchanges',
  about: `\`check\` reads a million exchanges from standard input. The exchanges are generated while they are read. The section is measured once, and only if it is named.`,
  measure: async () => formatFigures(await checkLines(all)),
};
