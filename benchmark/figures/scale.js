import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatTable } from '../measure/figure.js';
import { forkServer } from '../measure/fork.js';
import { conformanceScript, runNode } from '../measure/process.js';
import { referenceProfile, withFolder } from '../measure/target.js';

const sizes = [10_000, 100_000];
const repeats = [2, 12];

const measure = () =>
  withFolder(async (folder) => {
    const file = join(folder, 'report.json');

    /**
     * Runs the suite against a gateway with this number of additional models. Resolves to the time and the memory of
     * the process, the number of cases in all rounds, and the number of sent requests.
     * @param {number} models
     * @param {readonly string[]} flags
     */
    const judged = async (models, flags) => {
      const gateway = await forkServer('many-models', [String(models)]);
      try {
        const took = await runNode([
          ...[conformanceScript, 'run', '--base-url', gateway.url, '--profile', referenceProfile],
          ...['--reporter', `json=${file}`, ...flags],
        ]);
        const { summary, rounds, requests } = JSON.parse(readFileSync(file, 'utf8'));
        return { ...took, cases: summary.cases.planned * rounds, requests: requests.sent };
      } finally {
        gateway.close();
      }
    };

    const own = await judged(0, []);
    const one = await judged(1, ['--models', 'scale-1']);
    const all = [{ what: 'no listed models', ...own }];
    for (const size of sizes) {
      const models = Math.ceil((size - own.cases) / (one.cases - own.cases));
      all.push({
        what: `${models} models`,
        ...(await judged(models, ['--models', 'scale-*', '--max-models', String(models)])),
      });
    }
    for (const rounds of repeats)
      all.push({ what: `${rounds} rounds`, ...(await judged(0, ['--repeat', String(rounds)])) });
    return formatTable(
      ['run', 'cases', 'requests', 's', 'CPU s', 'requests/s', 'CPU ms per case', 'peak memory, MB'],
      all.map(({ what, cases, requests, ms, cpuMs, peakMb }) => [
        what,
        cases.toLocaleString('en'),
        requests.toLocaleString('en'),
        (ms / 1000).toFixed(1),
        (cpuMs / 1000).toFixed(1),
        ((1000 * requests) / ms).toFixed(0),
        (cpuMs / cases).toFixed(2),
        peakMb.toFixed(0),
      ]),
    );
  });

/** The time and memory of large runs. @type {import('../run.js').Section} */
export const scale = {
  title: 'Many models and many rounds',
  about:
    'This section measures runs against the reference gateway in another process: the default run, runs with `--models` and enough models for about 10,000 and 100,000 cases, and runs with `--repeat`. Each run is measured once, as a whole process from its start to its end.',
  measure,
};
