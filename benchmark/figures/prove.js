import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { formatFigures } from '../measure/figure.js';
import { inRepository } from '../measure/process.js';

const rounds = 3;

async function measure() {
  const values = [];
  while (values.length < rounds) {
    const from = performance.now();
    const child = spawn('npm', ['run', 'prove'], { cwd: inRepository('.'), stdio: 'ignore' });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`npm run prove ended with ${code}`);
    values.push((performance.now() - from) / 1000);
  }
  return formatFigures([{ what: '`npm run prove`', values, unit: 's', target: { most: 30 } }]);
}

/** The time of `npm run prove`. @type {import('../run.js').Section} */
export const proveSection = {
  title: 'The proof',
  about:
    'The suite runs against every fault and every variant of the reference gateway: against a variant with all cases, and against a fault with the cases that check the requirements that the fault violates.',
  measure,
  tried: `What was tried:

- No report is built if no test reads it.
- Equal profiles share a plan.
- The runs use all cores, at most four.
- The gateways are called without a connection, except for responses whose bytes they change.
- V8 optimizes later.
- The workers are bundled, so that they start faster.

The remaining time is the work of 800 runs, and the time until V8 has optimized the code in each worker.`,
};
