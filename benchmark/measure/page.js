import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const page = new URL('../RESULTS.md', import.meta.url);

const intro = `# Results

\`npm run build && npm run benchmark\` writes this page, and \`npm run benchmark NAME…\` only some of its sections. \`BENCHMARK_NODES\` can list the binaries of other releases of Node, which are measured side by side. What is compared runs in turn, A B A B …, after a round that is not counted. A ratio is that of a round. The figures are the median of all rounds, the least and the most. Times are those of whole processes, from before their start until their end, unless stated otherwise. MB are 1,048,576 bytes.`;

/**
 * Puts a section into the page, in the place of the one of that name or where it belongs in that order.
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
