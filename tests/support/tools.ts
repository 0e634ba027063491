import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** The path of Debian's Python, which finds the Python packages of Debian. */
export const python = '/usr/bin/python3';

/**
 * The path of Chromium. Default: the path of Debian's Chromium, which `.ci/run` installs. `CHROMIUM` sets another path.
 */
export const chromiumPath = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** A program that some tests need and that `npm ci` does not install. */
interface Tool {
  readonly isInstalled: () => boolean;
  readonly install: string;
}

const tools = {
  chromium: {
    isInstalled: () => existsSync(chromiumPath),
    install: 'apt-get install chromium, or set CHROMIUM to the path of a Chromium or Chrome',
  },
  go: { isInstalled: () => runs('go', 'version'), install: 'apt-get install golang-go' },
  python: { isInstalled: () => runs(python, '--version'), install: 'apt-get install python3' },
  uvicorn: {
    isInstalled: () => runs(python, '-c', 'import uvicorn'),
    install: 'apt-get install python3-uvicorn',
  },
  gunicorn: {
    isInstalled: () => runs(python, '-c', 'import gunicorn'),
    install: 'apt-get install gunicorn',
  },
  script: {
    isInstalled: () => process.platform === 'linux' && existsSync('/usr/bin/script'),
    install: 'apt-get install bsdutils, on Linux',
  },
} satisfies Readonly<Record<string, Tool>>;

export type ToolName = keyof typeof tools;

/**
 * Whether a tool is not installed, so that the tests that need the tool are skipped. In CI, `require-tools.ts` fails
 * the run instead.
 */
export function isToolMissing(name: ToolName): boolean {
  return !tools[name].isInstalled();
}

/** Returns a line for each of these tools that is not installed, with the command that installs the tool. */
export function listMissingTools(names: readonly ToolName[]): string[] {
  return names
    .filter(isToolMissing)
    .map((name) => `${name} is not installed. To run the tests: ${tools[name].install}`);
}

function runs(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args).status === 0;
}
