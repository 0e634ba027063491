import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { table } from '../measure/figure.js';
import { inRepository } from '../measure/process.js';

async function measure() {
  const from = performance.now();
  const child = spawn('npm', ['run', 'prove'], { cwd: inRepository('.'), stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`npm run prove ended with ${code}`);
  const values = [(performance.now() - from) / 1000];
  return table([{ what: '`npm run prove`', values, unit: 's', target: { most: 30 } }]);
}

/** How long the proof takes. @type {import('../run.js').Part} */
export const prove = {
  title: 'The proof',
  about: 'The suite against every fault and every variant of the reference gateway, once.',
  measure,
  tried: `What was tried: no reports are made where none is read, plans are made once for equal profiles, and both cores are used. What is left is the work of about 600 runs of 790 requests each, a tenth of a second of the processor for each run.`,
};
