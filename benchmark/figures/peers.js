import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectedOf, toArazzo, toCollection } from '../measure/assertions.js';
import { formatFigures } from '../measure/figure.js';
import { forkServer } from '../measure/fork.js';
import { installNewman } from '../measure/newman.js';
import { conformanceScript, inRepository, runNode } from '../measure/process.js';
import { openRecorder } from '../measure/record.js';
import { redocly } from '../measure/redocly.js';
import { runInTurn } from '../measure/rounds.js';
import { profileWithoutBurst, withFolder } from '../measure/target.js';

/**
 * The compared sizes: the rounds of the suite (`repeat`), the measured rounds, and the least ratio to reach for each
 * peer.
 */
const sizes = [
  { repeat: 1, rounds: { count: 5 }, respect: 2.5, newman: 12 },
  { repeat: 8, rounds: { count: 2, before: 0 }, respect: 4, newman: 30 },
];

const measure = () =>
  withFolder(async (folder) => {
    const newman = installNewman(join(folder, 'newman'));
    // The gateway enforces no rate limit, so that no runner has to wait.
    const gateway = await forkServer('reference-gateway', [JSON.stringify({ profile: { rateLimit: null } })]);
    try {
      const figures = [];
      for (const size of sizes)
        figures.push(...(await compare({ ...size, folder, gateway, newmanFile: newman })));
      const missing = '\n\nnewman could not be installed: the registry was not reached.';
      return formatFigures(figures) + (newman === undefined ? missing : '');
    } finally {
      gateway.close();
    }
  });

/**
 * @param {typeof sizes[number] & { folder: string, gateway: import('../measure/fork.js').ServerProcess, newmanFile:
 * string | undefined }} parts
 * @returns {Promise<import('../measure/figure.js').Figure[]>}
 */
async function compare({ repeat, rounds, respect, newman, folder, gateway, newmanFile }) {
  const profile = profileWithoutBurst(folder);
  /** @param {string} url @param {readonly string[]} [more] */
  const ours = (url, more = []) =>
    runNode([
      ...[conformanceScript, 'run', '--base-url', url, '--profile', profile, '--suite', 'auth'],
      ...['--repeat', String(repeat), ...more],
    ]);

  const recorder = await openRecorder((await gateway.fresh()).url);
  const file = join(folder, 'report.json');
  await ours(recorder.url, ['--reporter', `json=${file}`]);
  recorder.close();
  /** @type {{ cases: { checks: unknown[] }[] }} */
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const judged = report.cases.reduce((sum, { checks }) => sum + checks.length, 0) * repeat;
  const steps = recorder.exchanges.map(({ request, answer }, index) => ({
    request,
    expected: index < judged ? expectedOf(answer) : undefined,
  }));
  mkdirSync(join(folder, 'peers'), { recursive: true });
  copyFileSync(inRepository('specs/openapi.yaml'), join(folder, 'peers/openapi.yaml'));

  /** @param {string} name @param {(url: string) => object} create */
  const writeFor = async (name, create) => {
    const path = join(folder, 'peers', name);
    writeFileSync(path, JSON.stringify(create((await gateway.fresh()).url)));
    return path;
  };
  /** @type {Record<string, () => ReturnType<typeof runNode>>} */
  const sides = {
    ours: async () => ours((await gateway.fresh()).url),
    respect: async () => {
      const path = await writeFor('workflow.arazzo.json', (url) => toArazzo(steps, url));
      return redocly(['respect', path, '--max-steps', '100000']);
    },
    ...(newmanFile !== undefined && {
      newman: async () => {
        const path = await writeFor('collection.json', (url) => toCollection(steps, url));
        return runNode([newmanFile, 'run', path]);
      },
    }),
  };
  const measured = await runInTurn(rounds, sides);

  const of = `${judged.toLocaleString('en')} assertions, ${steps.length.toLocaleString('en')} requests`;
  /** @param {'respect' | 'newman'} peer @param {number} least */
  const figure = (peer, least) => ({
    what: `Redocly ${peer} ÷ ours, ${of}`,
    values: measured.map((round) => ms(round[peer]) / ms(round.ours)),
    unit: /** @type {const} */ ('×'),
    target: { least },
  });
  return [
    figure('respect', respect),
    ...(newmanFile === undefined ? [] : [{ ...figure('newman', newman), what: `newman ÷ ours, ${of}` }]),
    { what: `ours, ${of}`, values: measured.map(({ ours }) => ms(ours) / 1000), unit: 's' },
  ];
}

/** @param {{ ms: number } | undefined} took */
const ms = (took) => took?.ms ?? Number.NaN;

/** The time of a run, relative to other runners of HTTP assertions. @type {import('../run.js').Section} */
export const peers = {
  title: 'Other runners',
  about: `The runners are \`conformance run --suite auth\` ("ours"), Redocly \`respect\` and newman. Each runner uses its defaults, except for the maximum number of steps of \`respect\`. The runners call the bundled reference gateway in another process. A proxy recorded the requests of \`conformance run\`. Redocly sends the recorded requests as an Arazzo workflow, and newman sends them as a Postman collection. An assertion of \`conformance run\` is one requirement in one case. An assertion of Redocly or newman is one criterion or one \`pm.test\` for a request: the same status and, for errors, the same \`error.type\`. The number of assertions is the same for all runners. Redocly and newman send one request at a time, and \`conformance run\` sends 8 concurrently. \`conformance run\` also searches all texts for keys.`,
  measure,
  tried: `What was tried: everything that makes a full run faster. With a few hundred assertions, most of the remaining time is the start, the plan and the report, which do not grow with the number of assertions. The rest is the search for keys in every text, and the controls, which Redocly and newman do not need.`,
};
