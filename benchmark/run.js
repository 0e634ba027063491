// npm run benchmark [NAME…]
// Measures these figures, or all but the long ones, and writes their sections of RESULTS.md. Other sections stay.
import { cpus, loadavg } from 'node:os';
import { check, million } from './figures/check.js';
import { growth } from './figures/growth.js';
import { peers } from './figures/peers.js';
import { prove } from './figures/prove.js';
import { proxy } from './figures/proxy.js';
import { referenceGateway } from './figures/reference-gateway.js';
import { scale } from './figures/scale.js';
import { slowGateway } from './figures/slow-gateway.js';
import { start } from './figures/start.js';
import { wholeRun } from './figures/whole-run.js';
import { nodes } from './measure/nodes.js';
import { writeSection } from './measure/page.js';

/**
 * A section of the page: what is measured and how, the function that measures it and returns Markdown, whether it does
 * so with every release of Node, and what was tried to be faster.
 * @typedef {{ title: string, about: string, measure: () => Promise<string>, byNode?: true, tried?: string }} Part
 */

/** @type {Readonly<Record<string, Part>>} */
const parts = {
  start,
  run: wholeRun,
  'slow-gateway': slowGateway,
  peers,
  check,
  million,
  'reference-gateway': referenceGateway,
  prove,
  proxy,
  growth,
  scale,
};

/** Measured only where they are named. */
const long = ['million', 'scale'];

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  process.stderr.write(`There is no ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}.\n`);
  process.exit(2);
}

const load = () => (loadavg()[0] ?? 0).toFixed(2);

for (const name of asked.length > 0 ? asked : Object.keys(parts).filter((name) => !long.includes(name))) {
  const part = parts[name];
  if (!part) continue;
  process.stderr.write(`${name} …\n`);
  const before = load();
  const from = performance.now();
  const measured = await part.measure();
  const seconds = Math.round((performance.now() - from) / 1000);
  const machine = `${new Date().toISOString().slice(0, 10)}, ${part.byNode ? nodes.map(({ name }) => name).join(', ') : nodes[0]?.name}, ${cpus().length} cores (${cpus()[0]?.model.trim()}), load average ${before} at the start and ${load()} at the end, ${seconds} s.`;
  process.stdout.write(`${measured}\n\n${machine}\n\n`);
  writeSection(
    Object.keys(parts),
    name,
    [`## ${part.title}`, part.about, measured, machine, part.tried].filter(Boolean).join('\n\n'),
  );
}
