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
  tried: `What was tried: each entry of a HAR is found by its braces and parsed as a whole, and only what stands around entries is read letter by letter; bodies are parsed once, and short ones that come again are not looked at again; addresses, what a client says of itself, the facts of exchanges that are alike and what speaks of them are looked up once; a verdict that says nothing new is the same object for all. What is new in the heap has four times the room of a run, which takes 5 MB, and V8 optimises sooner than in a run; half of that budget, V8's quicker compilers, and eight times the room gained nothing more. A file is read in pieces of 256 KiB. Together they took it to about a third of the processor time of before. Of what is left at 10,000 exchanges, a fifth is the start, and more than a third goes to V8 running what it has not optimised yet, and optimising it: of the first 10,000 exchanges, each takes more than twice as long as of those after them. To find what speaks of new facts by an index, as a plan does, gained nothing.`,
};

/** What judging a recording takes that no memory holds. @type {import('../run.js').Part} */
export const million = {
  title: 'A million exchanges',
  about: `As above, through standard input, made while they are read, once. It takes minutes, and is measured where it is named.`,
  measure: async () => table(await checkLines(all)),
};
