import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const page = new URL('../RESULTS.md', import.meta.url);

const intro = `# Results

\`npm run build && npm run benchmark\` wrote this, and \`npm run benchmark NAME…\` only some of it. What is compared is run in turn, A B A B …, after a round that is not counted; a ratio is that of a round, and what is shown is the median of all rounds with the least and the most. Times are of whole processes, from before they are started until they have ended, unless something else is said. MB are 1,048,576 bytes.`;

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
