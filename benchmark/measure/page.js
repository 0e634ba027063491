import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const page = new URL('../RESULTS.md', import.meta.url);

const intro = `# Results

\`npm run build && npm run benchmark\` writes this page, except for the sections \`million\` and \`scale\`. \`npm run benchmark NAME…\` writes only the named sections. \`BENCHMARK_NODES\` can list the binaries of other releases of Node.js, with which the sections \`start\` and \`run\` are also measured. Programs that are compared run in turn, A B A B …, in most sections after a round that is not measured. A ratio compares the programs in the same round. In most sections, each figure is the median of all rounds, with the minimum and the maximum. Unless stated otherwise, a time is that of a whole process, from before its start to its end. 1 MB is 1,048,576 bytes.`;

/**
 * Replaces the section with this name in RESULTS.md, or inserts the section at its place in the order.
 * @param {readonly string[]} order
 * @param {string} name
 * @param {string} text
 */
export function writeSection(order, name, text) {
  const before = existsSync(page) ? readFileSync(page, 'utf8') : '';
  const sections = new Map(
    [...before.matchAll(/^<!-- (\S+) -->\n\n([\s\S]*?)(?=\n\n<!-- |\n*$(?![\s\S]))/gm)].map((found) => [
      found[1],
      found[2],
    ]),
  );
  sections.set(name, text);
  const known = order.flatMap((key) =>
    sections.has(key) ? [`<!-- ${key} -->\n\n${sections.get(key)?.trim()}`] : [],
  );
  writeFileSync(page, `${[intro, ...known].join('\n\n')}\n`);
}
