import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rows } from '../measure/figure.js';
import { serve } from '../measure/fork.js';
import { conformance, runNode } from '../measure/process.js';
import { referenceProfile, withFolder } from '../measure/target.js';

const sizes = [1_000, 10_000, 100_000];

const measure = () =>
  withFolder(async (folder) => {
    const file = join(folder, 'report.json');

    /** One run with so many models of the gateway, and so many rounds. @param {number} models @param {readonly string[]} flags */
    const judged = async (models, flags) => {
      const gateway = await serve('many-models', [String(models)]);
      try {
        const took = await runNode([
          ...[conformance, 'run', '--base-url', gateway.url, '--profile', referenceProfile],
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
    const all = [];
    for (const size of sizes) {
      const models = Math.ceil((size - own.cases) / (one.cases - own.cases));
      all.push({ what: `${models} models`, ...(await judged(models, ['--models', 'scale-*'])) });
    }
    for (const size of sizes.slice(0, -1)) {
      const rounds = Math.ceil(size / own.cases);
      all.push({ what: `${rounds} rounds`, ...(await judged(0, ['--repeat', String(rounds)])) });
    }
    return rows(
      [
        'of',
        'cases',
        'requests',
        's',
        'processor s',
        'requests/s',
        'ms of the processor a case',
        'most memory, MB',
      ],
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

/** What a run takes as it grows. @type {import('../run.js').Part} */
export const scale = {
  title: 'Many models, and many rounds',
  about:
    'A run with `--models` against the reference gateway in another process, with as many models as make so many cases, and runs with `--repeat`. Each is a single run of a process of its own, whose start counts; the memory is what it held at most.',
  measure,
};
