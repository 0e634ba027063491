import { join } from 'node:path';
import { table } from '../measure/figure.js';
import { serve } from '../measure/fork.js';
import { conformance, inRepository, runNode } from '../measure/process.js';
import { openRecorder } from '../measure/record.js';
import { asLines, entries, writeHar } from '../measure/recording.js';
import { redocly } from '../measure/redocly.js';
import { inTurn } from '../measure/rounds.js';
import { referenceProfile, withFolder } from '../measure/target.js';

const few = 10_000;
const many = 100_000;
const all = 1_000_000;

/** What both end with where they found something in a recording, or not. */
const codes = [0, 1, 3];

/** The exchanges of a default run, and where they went. */
async function record() {
  const gateway = await serve('reference-gateway');
  const recorder = await openRecorder(gateway.url);
  await runNode([conformance, 'run', '--base-url', recorder.url, '--profile', referenceProfile]);
  recorder.close();
  gateway.close();
  return recorder;
}

/** @param {string} url @param {string} from */
const checkOf = (url, from) => [conformance, 'check', from, '--base-url', url, '--profile', referenceProfile];

/**
 * How long `check` takes for so many lines on its standard input, and how much memory.
 * @param {number} count
 */
async function checkLines(count) {
  const { exchanges, url } = await record();
  const input = asLines(entries(exchanges, url, count));
  const took = await runNode(checkOf(url, '-'), { codes, input });
  const of = `${count.toLocaleString('en')} exchanges of NDJSON`;
  return [
    {
      what: `most memory of \`check\`, ${of}`,
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
    await writeHar(file, entries(exchanges, url, few));
    const api = inRepository('specs/openapi.yaml');
    const rounds = await inTurn(
      { count: 5 },
      {
        check: () => runNode(checkOf(url, file), { codes }),
        drift: () => redocly(['drift', file, '--api', api, '--server', url], { codes }),
      },
    );
    const of = `${few.toLocaleString('en')} exchanges of HAR`;
    return table([
      {
        what: `Redocly drift ÷ \`check\`, ${of}`,
        values: rounds.map(({ check, drift }) => drift.ms / check.ms),
        unit: '×',
        target: { least: 1 },
      },
      {
        what: 'the same, of processor time',
        values: rounds.map(({ check, drift }) => drift.cpuMs / check.cpuMs),
        unit: '×',
      },
      { what: `\`check\`, ${of}`, values: rounds.map(({ check }) => check.ms / 1000), unit: 's' },
      {
        what: 'its most memory',
        values: rounds.map(({ check }) => check.peakMb),
        unit: 'MB',
        target: { most: 100 },
      },
      { what: 'that of drift', values: rounds.map(({ drift }) => drift.peakMb), unit: 'MB' },
      ...(await checkLines(many)),
    ]);
  });

/** What judging recordings takes. @type {import('../run.js').Part} */
export const check = {
  title: 'Recorded traffic',
  about: `The exchanges of a default run, recorded as a browser would write them, again and again with trace ids of their own, judged by \`conformance check\` and by Redocly \`drift\` with \`specs/openapi.yaml\`, each as it comes. drift holds requests and answers against the description; \`check\` tells of each exchange what was sent, and holds it against each requirement that speaks of it.`,
  measure,
  tried: `What was tried: bodies are parsed once, addresses and what speaks of an exchange are looked up once, and the heap is kept small, which brought memory to half of that of drift. What is left: half of the time goes to reading JSON piece by piece in JavaScript, which keeps memory the same for a million exchanges, and the rest to the search for keys and to about a hundred requirements; drift holds no more than the schemas.`,
};

/** What judging a recording takes that no memory holds. @type {import('../run.js').Part} */
export const million = {
  title: 'A million exchanges',
  about: `As above, through standard input, made while they are read, once. It takes minutes, and is measured where it is named.`,
  measure: async () => table(await checkLines(all)),
};
