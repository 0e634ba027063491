import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vitest/config';
import { packageRoot } from '../../../common/package-root.ts';

/** The modules that produce an output, each with the name of the exported function that returns the output. */
const outputs: Readonly<Record<string, string>> = {
  'reporters/badge.ts': 'badge',
  'reporters/brief.ts': 'brief',
  'reporters/github.ts': 'github',
  'reporters/har.ts': 'har',
  'reporters/html/page.tsx': 'html',
  'reporters/json.ts': 'json',
  'reporters/junit.ts': 'junit',
  'reporters/markdown.ts': 'markdown',
  'reporters/tap.ts': 'tap',
  'reporters/terminal/report.ts': 'terminal',
  'reporters/comparison/html/page.tsx': 'comparisonHtml',
  'reporters/comparison/markdown.ts': 'comparisonMarkdown',
  'reporters/comparison/terminal.ts': 'comparisonTerminal',
  'reporters/gateways/html/page.tsx': 'gatewaysHtml',
  'reporters/gateways/markdown.ts': 'gatewaysMarkdown',
  'reporters/gateways/terminal.ts': 'gatewaysTerminal',
  // The reporter of SARIF uses this function.
  '../common/write-json.ts': 'writeJson',
};

/** Reporters that write JSON with `writeJson`, and modules of `runner/reporters/` that are not reporters. */
const covered = [
  'reporters/ctrf.ts',
  'reporters/sarif.ts',
  'reporters/reporter.ts',
  'reporters/reporters.ts',
  'reporters/markdown-cause.ts',
  'reporters/markdown-sdk-table.ts',
  'reporters/markdown-table.ts',
];

/**
 * Returns a plugin that searches every text that a reporter returns in a test for keys. Throws an error if a module of
 * `outputs` does not exist, or a `.ts` file of `runner/reporters/` is not listed.
 */
export function watchReporters(): Plugin {
  const module = fileURLToPath(new URL('search-for-keys.ts', import.meta.url));
  const names = new Map(
    Object.entries(outputs).map(([path, name]) => [join(packageRoot, 'runner', path), name]),
  );
  const lost = [...names.keys()].filter((path) => !existsSync(path));
  if (lost.length > 0)
    throw new Error(`tests/support/leaks/watch-reporters.ts: no such file: ${lost.join(', ')}`);
  const unlisted = readdirSync(join(packageRoot, 'runner', 'reporters'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => `reporters/${file}`)
    .filter((path) => outputs[path] === undefined && !covered.includes(path));
  if (unlisted.length > 0)
    throw new Error(`tests/support/leaks/watch-reporters.ts does not list ${unlisted.join(', ')}`);
  return {
    name: 'watch-reporters',
    enforce: 'pre',
    transform(code, id) {
      const name = names.get(id.replace(/\?.*$/, ''));
      if (name === undefined) return undefined;
      return `${code}
import { searchOutput } from ${JSON.stringify(module)};
{
  const make = ${name};
  ${name} = (...given) => searchOutput('The output of ${name}()', make(...given));
}
`;
    },
  };
}
