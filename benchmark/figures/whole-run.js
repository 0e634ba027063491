import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatFiguresByNode } from '../measure/figure.js';
import { forkServer } from '../measure/fork.js';
import { nodes } from '../measure/nodes.js';
import { conformanceScript, processFile, runNode } from '../measure/process.js';
import { openRecorder } from '../measure/record.js';
import { runInTurn } from '../measure/rounds.js';
import { profileWithoutBurst, referenceProfile, withFolder } from '../measure/target.js';

const everyFile = ['json', 'html', 'junit', 'sarif', 'tap', 'markdown', 'github', 'har', 'badge'];
const concurrency = 8;
const mostMemory = 150;

/**
 * The default run, the default run with every reporter, and a run of about 20,000 requests with every reporter. For the
 * last run, the gateway enforces no rate limit, since the run and the loop would otherwise have to wait.
 */
const sizes = [
  { about: 'the default run', files: [], repeat: 1, rounds: { count: 9 }, limit: true, ratio: 2 },
  { about: 'every reporter', files: everyFile, repeat: 1, rounds: { count: 9 }, limit: true, ratio: 3 },
  {
    about: 'every reporter',
    files: everyFile,
    repeat: 10,
    rounds: { count: 3, before: 0 },
    limit: false,
    ratio: undefined,
  },
];

const measure = () =>
  withFolder(async (folder) => {
    const columns = [];
    for (const { path, name } of nodes) {
      const figures = [];
      for (const size of sizes) figures.push(...(await compare(folder, path, size)));
      columns.push({ name, figures });
    }
    return formatFiguresByNode(columns);
  });

/**
 * @param {string} folder
 * @param {string} node
 * @param {typeof sizes[number]} size
 * @returns {Promise<import('../measure/figure.js').Figure[]>}
 */
async function compare(folder, node, { about, files, repeat, rounds, limit, ratio }) {
  const profile = limit ? referenceProfile : profileWithoutBurst(folder);
  const options = limit ? {} : { profile: { rateLimit: null } };
  const gateway = await forkServer('reference-gateway', [JSON.stringify(options)]);
  const file = join(folder, 'requests.json');

  /** @param {string} url */
  const suite = (url) =>
    runNode(
      [
        ...[conformanceScript, 'run', '--base-url', url, '--profile', profile, '--reporter', 'terminal'],
        ...files.flatMap((name) => ['--reporter', `${name}=${join(folder, `report.${name}`)}`]),
        ...['--concurrency', String(concurrency), '--repeat', String(repeat)],
      ],
      { node },
    );

  const recorder = await openRecorder(gateway.url);
  await suite(recorder.url);
  recorder.close();
  writeFileSync(file, JSON.stringify(recorder.exchanges.map(({ request }) => request)));
  const requests = recorder.exchanges.length.toLocaleString('en');

  const measured = await runInTurn(rounds, {
    suite: async () => suite((await gateway.fresh()).url),
    bare: async () =>
      runNode([processFile('bare-loop'), (await gateway.fresh()).url, file, String(concurrency)], { node }),
  });
  gateway.close();
  const what = `${about}, ${requests} requests`;
  return [
    {
      what: `${what}: CPU time ÷ bare loop`,
      values: measured.map(({ suite, bare }) => suite.cpuMs / bare.cpuMs),
      unit: '×',
      ...(ratio !== undefined && { target: { most: ratio } }),
    },
    {
      what: `${what}: time ÷ bare loop`,
      values: measured.map(({ suite, bare }) => suite.ms / bare.ms),
      unit: '×',
    },
    { what: `${what}: time`, values: measured.map(({ suite }) => suite.ms / 1000), unit: 's' },
    {
      what: `${what}: peak memory`,
      values: measured.map(({ suite }) => suite.peakMb),
      unit: 'MB',
      target: { most: mostMemory },
    },
  ];
}

/** The time and memory of a full run, relative to a bare loop. @type {import('../run.js').Section} */
export const wholeRun = {
  title: 'A full run',
  about: `The default run, which reports only to the terminal, and a run with every reporter are compared with a bare loop. The runs and the loop call the bundled reference gateway in another process. The bare loop sends the same requests with undici's \`Pool\` and p-limit, 8 concurrently, and reads every response to its end (\`processes/bare-loop.js\`). A proxy recorded the requests of the loop during a run, with their order and all headers. The loop never waits between requests, but a run sends its controls before the cases, and the steps of a case one after the other. The process of the gateway stays warm, but each run and each loop gets a new gateway. The run of about 20,000 requests repeats all cases except the burst, and its gateway has no rate limit.`,
  measure,
  tried: `What was tried:

- The cases of a default run are listed in a data file, so that a run does not select the cases.
- If the common attributes of the cases of a scenario, or of its cases of one operation, exclude a requirement, the requirement is not evaluated for these cases.
- The coverage of combinations is counted without the attributes of the cases, unless a combination was not judged.
- A run loads about ten bundled files instead of 64.
- A valid body is created once for each model.
- The data that all checks of a case share, such as the controls of its operation, is determined once.
- If every case conforms, exchanges are described, and searched for keys, only for a reporter that shows them. The terminal report shows none.
- The reporters \`json\`, \`html\` and \`har\` create their documents in pieces, which are written one after another. The search for keys looks for the beginning of four encodings with one expression.

With Node.js 20, V8's compiler and garbage collector on other threads take about 40 % of the CPU time of the default run. The start and the plan take about a quarter. The bare loop has less code to compile and plans nothing. With every reporter, the descriptions and the redaction of the exchanges, and three documents of 5 to 10 MB, take almost twice the CPU time of the bare loop. With Node.js 24, V8's space for short-lived objects can grow larger: with the limit of Node.js 20 (\`--max-semi-space-size=16\`), the default run needs 148 MB instead of 179 MB.`,
  byNode: true,
};
