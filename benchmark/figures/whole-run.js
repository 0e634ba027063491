import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { table } from '../measure/figure.js';
import { serve } from '../measure/fork.js';
import { conformance, processFile, runNode } from '../measure/process.js';
import { openRecorder } from '../measure/record.js';
import { inTurn } from '../measure/rounds.js';
import { profileWithoutBurst, referenceProfile, withFolder } from '../measure/target.js';

const reporters = ['json', 'html', 'junit', 'sarif', 'tap', 'markdown', 'github', 'har', 'badge'];
const atOnce = 8;

/**
 * The default run, and one of about 10,000 requests. That one is sent to a gateway without a frequency limit, which its
 * calls of billing-type endpoints would come to, and then everybody would wait.
 */
const sizes = [
  { repeat: 1, rounds: { count: 9 }, limit: true, ratio: 1.5, memory: 120 },
  { repeat: 10, rounds: { count: 3, before: 0 }, limit: false, ratio: 1.25, memory: 110 },
];

const measure = () =>
  withFolder(async (folder) => {
    const figures = [];
    for (const size of sizes) figures.push(...(await compare(folder, size)));
    return table(figures);
  });

/**
 * @param {string} folder
 * @param {typeof sizes[number]} size
 * @returns {Promise<import('../measure/figure.js').Figure[]>}
 */
async function compare(folder, { repeat, rounds, limit, ratio, memory }) {
  const profile = limit ? referenceProfile : profileWithoutBurst(folder);
  const options = limit ? {} : { profile: { rateLimit: null } };
  const gateway = await serve('reference-gateway', [JSON.stringify(options)]);
  const file = join(folder, 'requests.json');

  /** @param {string} url */
  const suite = (url) =>
    runNode([
      ...[conformance, 'run', '--base-url', url, '--profile', profile, '--reporter', 'terminal'],
      ...reporters.flatMap((name) => ['--reporter', `${name}=${join(folder, `report.${name}`)}`]),
      ...['--concurrency', String(atOnce), '--repeat', String(repeat)],
    ]);

  const recorder = await openRecorder(gateway.url);
  await suite(recorder.url);
  recorder.close();
  writeFileSync(file, JSON.stringify(recorder.exchanges.map(({ request }) => request)));
  const requests = recorder.exchanges.length.toLocaleString('en');

  const measured = await inTurn(rounds, {
    suite: async () => suite((await gateway.fresh()).url),
    bare: async () => runNode([processFile('bare-loop'), (await gateway.fresh()).url, file, String(atOnce)]),
  });
  gateway.close();
  return [
    {
      what: `run ÷ bare loop, ${requests} requests`,
      values: measured.map(({ suite, bare }) => suite.ms / bare.ms),
      unit: '×',
      target: { most: ratio },
    },
    {
      what: 'the same, of processor time',
      values: measured.map(({ suite, bare }) => suite.cpuMs / bare.cpuMs),
      unit: '×',
    },
    { what: 'the run', values: measured.map(({ suite }) => suite.ms / 1000), unit: 's' },
    {
      what: 'its most memory',
      values: measured.map(({ suite }) => suite.peakMb),
      unit: 'MB',
      target: { most: memory },
    },
  ];
}

/** What a whole run takes beside a bare loop. @type {import('../run.js').Part} */
export const wholeRun = {
  title: 'A whole run',
  about: `The default run with every reporter on, each into a file and the page of the terminal to stdout, against the bundled reference gateway in another process, and a bare loop that sends the same requests to the same gateway: undici's \`Pool\` and p-limit, 8 at once, every answer read to its end (\`processes/bare-loop.js\`). The requests are those that a run sent, recorded on their way, in that order and with all their headers. The loop waits for nothing between them: not for the controls before the rest, nor for a step of a case before the next. The gateway's process stays and is warm; for each of the two it begins anew, with nothing in its memory. The run of about 10,000 requests repeats all but the burst, and its gateway limits no frequency.`,
  measure,
  tried: `What was tried: requests go out by the pool's own dispatch, which makes no stream and no signal for each, the pool is filled in each phase, the controls of all operations go at once, each text is looked through for keys once, conditions are compiled, JUnit is written without a tree of nodes, reporters load while the gateway answers, each case is judged once, exchanges are described for those who look at them, what the reporters need is in the files of the command, and V8 is told to optimise later. What is left is spread: start and plan, the judging of about 1,100 obligations, the search for keys in every text, and nine reporters, of which the page takes half. With more rounds, a third goes to undici and to the socket as in the loop, a sixth to the collection of garbage in a heap that is kept small for the sake of memory, and the rest to building, judging and describing; what a round holds grows with its cases, of which there are a third more than when 10,000 requests took 108 MB; the loop has no counterpart to a round's controls, to phases, and to steps that wait for each other.`,
};
