import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { table } from '../measure/figure.js';
import { serve } from '../measure/fork.js';
import { conformance, processFile, runNode } from '../measure/process.js';
import { openRecorder } from '../measure/record.js';
import { inTurn } from '../measure/rounds.js';
import { referenceProfile, withFolder } from '../measure/target.js';

const reporters = ['json', 'html', 'junit', 'sarif', 'tap', 'markdown', 'github', 'har', 'badge'];
const atOnce = 8;

const measure = () => withFolder(compare);

/** @param {string} folder */
async function compare(folder) {
  const gateway = await serve('reference-gateway');
  const file = join(folder, 'requests.json');

  /** @param {string} url @param {number} repeat */
  const suite = (url, repeat) =>
    runNode([
      ...[conformance, 'run', '--base-url', url, '--profile', referenceProfile, '--reporter', 'terminal'],
      ...reporters.flatMap((name) => ['--reporter', `${name}=${join(folder, `report.${name}`)}`]),
      ...['--concurrency', String(atOnce), '--repeat', String(repeat)],
    ]);
  /** @param {string} url @param {number} repeat */
  const bare = (url, repeat) =>
    runNode([processFile('bare-loop'), url, file, String(atOnce), String(repeat)]);

  /** @param {number} repeat @param {{ count: number, before?: number }} count */
  const rounds = async (repeat, count) => {
    const recorder = await openRecorder((await gateway.fresh()).url);
    // The burst is sent in the last round alone, so that the requests of several rounds are recorded as a whole.
    await suite(recorder.url, repeat);
    recorder.close();
    writeFileSync(file, JSON.stringify(recorder.exchanges.map(({ request }) => request)));
    const measured = await inTurn(count, {
      suite: async () => suite((await gateway.fresh()).url, repeat),
      bare: async () => bare((await gateway.fresh()).url, 1),
    });
    return { requests: recorder.exchanges.length.toLocaleString('en'), measured };
  };

  /** @param {string} requests @param {Awaited<ReturnType<typeof rounds>>['measured']} measured @param {{ ratio: number, memory: number }} most */
  const figures = (requests, measured, most) => [
    {
      what: `run ÷ bare loop, ${requests} requests`,
      values: measured.map(({ suite, bare }) => suite.ms / bare.ms),
      unit: /** @type {const} */ ('×'),
      target: { most: most.ratio },
    },
    {
      what: 'the same, of processor time',
      values: measured.map(({ suite, bare }) => suite.cpuMs / bare.cpuMs),
      unit: /** @type {const} */ ('×'),
    },
    {
      what: 'the run',
      values: measured.map(({ suite }) => suite.ms / 1000),
      unit: /** @type {const} */ ('s'),
    },
    {
      what: 'its most memory',
      values: measured.map(({ suite }) => suite.peakMb),
      unit: /** @type {const} */ ('MB'),
      target: { most: most.memory },
    },
  ];

  try {
    const once = await rounds(1, { count: 9 });
    const often = await rounds(15, { count: 3, before: 0 });
    return table([
      ...figures(once.requests, once.measured, { ratio: 1.5, memory: 120 }),
      ...figures(often.requests, often.measured, { ratio: 1.25, memory: 110 }),
    ]);
  } finally {
    gateway.close();
  }
}

/** What a whole run takes beside a bare loop. @type {import('../run.js').Part} */
export const wholeRun = {
  title: 'A whole run',
  about: `The default run with every reporter on, each into a file and the page of the terminal to stdout, against the bundled reference gateway in another process, and a bare loop that sends the same requests to the same gateway: undici's \`Pool\` and p-limit, 8 at once, every answer read to its end (\`processes/bare-loop.js\`). The requests are those that a run sent, recorded on their way, in that order and with all their headers. The loop waits for nothing between them: not for the controls before the rest, nor for a step of a case before the next. The gateway's process stays and is warm; for each of the two it begins anew, with nothing in its memory.`,
  measure,
};
