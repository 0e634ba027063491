import type { TestProject } from 'vitest/node';
import { listMissingTools, type ToolName } from './tools.ts';

const needed: Readonly<Record<string, readonly ToolName[]>> = {
  integration: ['chromium', 'script'],
  proof: ['chromium', 'go', 'python', 'python-sdks', 'uvicorn', 'gunicorn', 'script'],
};

/**
 * Prints a line for each missing tool that tests of this Vitest project need. If `CI` is set and a tool is missing,
 * throws an error instead.
 */
export default function requireTools({ name }: TestProject): void {
  const lines = listMissingTools(needed[name] ?? []);
  if (lines.length > 0 && process.env.CI)
    throw new Error(['Tests must not be skipped in CI.', ...lines].join('\n'));
  for (const line of lines) console.log(`Some ${name} tests are skipped: ${line}`);
}
