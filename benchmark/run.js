// `npm run benchmark [NAME…]` measures the named sections, or all except `million` and `scale`, and writes
// the results to RESULTS.md. Other sections stay unchanged. It measures `dist/`, so build first. Compared programs run in
// turn, in processes of their own (`processes/`). newman is installed from the registry into a temporary folder; without a
// network, the results have a note.
//
// BENCHMARK_NODES lists the binaries of other releases of Node.js, separated by colons (on Windows, by semicolons):
//   npm install --prefix /tmp/node-24 node@24
//   BENCHMARK_NODES=/tmp/node-24/node_modules/node/bin/node npm run benchmark start run
import { cpus, loadavg } from 'node:os';
import { checkSection, million } from './figures/check.js';
import { growth } from './figures/growth.js';
import { peers } from './figures/peers.js';
import { proveSection } from './figures/prove.js';
import { proxy } from './figures/proxy.js';
import { referenceGateway } from './figures/reference-gateway.js';
import { scale } from './figures/scale.js';
import { slowGateway } from './figures/slow-gateway.js';
import { start } from './figures/start.js';
import { wholeRun } from './figures/whole-run.js';
import { nodes } from './measure/nodes.js';
import { writeSection } from './measure/page.js';

/**
 * A section of RESULTS.md. `about` describes the measurement, and `measure` returns the measured values as Markdown.
 * `byNode` is set if the section is measured with each release in `nodes`. `tried` lists attempts to make the measured
 * program faster.
 * @typedef {{ title: string, about: string, measure: () => Promise<string>, byNode?: true, tried?: string }} Section
 */

/** @type {Readonly<Record<string, Section>>} */
const sections = {
  start,
  run: wholeRun,
  'slow-gateway': slowGateway,
  peers,
  check: checkSection,
  million,
  'reference-gateway': referenceGateway,
  prove: proveSection,
  proxy,
  growth,
  scale,
};

/** Sections that are measured only if the user names the section. */
const onlyIfNamed = ['million', 'scale'];

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(sections, name));
if (unknown.length > 0) {
  process.stderr.write(
    `Unknown section: ${unknown.join(', ')}. Known: ${Object.keys(sections).join(', ')}.\n`,
  );
  process.exit(2);
}

const load = () => (loadavg()[0] ?? 0).toFixed(2);

const names = asked.length > 0 ? asked : Object.keys(sections).filter((name) => !onlyIfNamed.includes(name));
for (const name of names) {
  const section = sections[name];
  if (!section) continue;
  process.stderr.write(`${name} …\n`);
  const before = load();
  const from = performance.now();
  const measured = await section.measure();
  const seconds = Math.round((performance.now() - from) / 1000);
  const machine = `${new Date().toISOString().slice(0, 10)}, ${section.byNode ? nodes.map(({ name }) => name).join(', ') : nodes[0]?.name}, ${cpus().length} cores (${cpus()[0]?.model.trim()}), load average ${before} at the start and ${load()} at the end, ${seconds} s.`;
  process.stdout.write(`${measured}\n\n${machine}\n\n`);
  writeSection(
    Object.keys(sections),
    name,
    [`## ${section.title}`, section.about, measured, machine, section.tried].filter(Boolean).join('\n\n'),
  );
}
