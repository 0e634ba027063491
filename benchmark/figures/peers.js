import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asArazzo, asCollection, expectedOf } from '../measure/assertions.js';
import { table } from '../measure/figure.js';
import { serve } from '../measure/fork.js';
import { installNewman } from '../measure/newman.js';
import { conformance, inRepository, runNode } from '../measure/process.js';
import { openRecorder } from '../measure/record.js';
import { redocly } from '../measure/redocly.js';
import { inTurn } from '../measure/rounds.js';
import { profileWithoutBurst, withFolder } from '../measure/target.js';

/** How often the suite is sent, how many rounds are counted, and how much faster the run is to be. */
const sizes = [
  { repeat: 1, rounds: { count: 5 }, respect: 2.5, newman: 12 },
  { repeat: 8, rounds: { count: 2, before: 0 }, respect: 4, newman: 30 },
];

const measure = () =>
  withFolder(async (folder) => {
    const newman = installNewman(join(folder, 'newman'));
    // Without a frequency limit, so that nobody has to wait.
    const gateway = await serve('reference-gateway', [JSON.stringify({ profile: { rateLimit: null } })]);
    try {
      const figures = [];
      for (const size of sizes)
        figures.push(...(await compare({ ...size, folder, gateway, newmanFile: newman })));
      const missing = '\n\nnewman could not be installed: the registry was not reached.';
      return table(figures) + (newman === undefined ? missing : '');
    } finally {
      gateway.close();
    }
  });

/**
 * @param {typeof sizes[number] & { folder: string, gateway: import('../measure/fork.js').Served, newmanFile: string | undefined }} parts
 * @returns {Promise<import('../measure/figure.js').Figure[]>}
 */
async function compare({ repeat, rounds, respect, newman, folder, gateway, newmanFile }) {
  const profile = profileWithoutBurst(folder);
  /** @param {string} url @param {readonly string[]} [more] */
  const ours = (url, more = []) =>
    runNode([
      ...[conformance, 'run', '--base-url', url, '--profile', profile, '--suite', 'auth'],
      ...['--repeat', String(repeat), ...more],
    ]);

  const recorder = await openRecorder((await gateway.fresh()).url);
  const file = join(folder, 'report.json');
  await ours(recorder.url, ['--reporter', `json=${file}`]);
  recorder.close();
  /** @type {{ cases: { obligations: unknown[] }[] }} */
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const judged = report.cases.reduce((sum, { obligations }) => sum + obligations.length, 0) * repeat;
  const steps = recorder.exchanges.map(({ request, answer }, index) => ({
    request,
    expected: index < judged ? expectedOf(answer) : undefined,
  }));
  mkdirSync(join(folder, 'peers'), { recursive: true });
  copyFileSync(inRepository('specs/openapi.yaml'), join(folder, 'peers/openapi.yaml'));

  /** @param {string} name @param {(url: string) => object} made */
  const prepared = async (name, made) => {
    const path = join(folder, 'peers', name);
    writeFileSync(path, JSON.stringify(made((await gateway.fresh()).url)));
    return path;
  };
  /** @type {Record<string, () => ReturnType<typeof runNode>>} */
  const sides = {
    ours: async () => ours((await gateway.fresh()).url),
    respect: async () => {
      const path = await prepared('workflow.arazzo.json', (url) => asArazzo(steps, url));
      return redocly(['respect', path, '--max-steps', '100000']);
    },
    ...(newmanFile !== undefined && {
      newman: async () => {
        const path = await prepared('collection.json', (url) => asCollection(steps, url));
        return runNode([newmanFile, 'run', path]);
      },
    }),
  };
  const measured = await inTurn(rounds, sides);

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

/** How long other runners of assertions over HTTP take. @type {import('../run.js').Part} */
export const peers = {
  title: 'Other runners',
  about: `The suite \`auth\` against the bundled reference gateway in another process, by \`conformance run --suite auth\`, by Redocly \`respect\` and by newman, each as it comes. The peers get the requests that ours sent, recorded on their way, as an Arazzo workflow and as a Postman collection. An assertion of ours is a requirement judged for a case; theirs is one criterion or one \`pm.test\` for a request, that the status is what it was and, of an error, that \`error.type\` is: as many as ours. Both send one request after the other, and have no way to send several at once; ours sends 8. Ours also looks for keys in all texts, and writes its page.`,
  measure,
  tried: `What was tried: all that makes a run faster counts here, too. What is left of ours for a few hundred assertions is for the most part its start, its plan and its report, which ten times the assertions share; beyond that, the search for keys in every text, and the controls that the others need not send.`,
};
