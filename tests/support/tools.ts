import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The path of Debian's Python, which finds the Python packages of Debian. */
export const python = '/usr/bin/python3';

/**
 * The path of Chromium. Default: the path of Debian's Chromium, which `.ci/run` installs. `CHROMIUM` sets another path.
 */
export const chromiumPath = process.env.CHROMIUM ?? '/usr/bin/chromium';

const sdkFolder = process.env.PYTHON_SDKS ?? join(homedir(), '.cache', 'conformance-python-sdks');
const sdkRequirements = fileURLToPath(new URL('../proof/answers/requirements.txt', import.meta.url));

/**
 * The path of a Python with the SDKs for Python. It belongs to the virtual environment that `.ci/run` creates.
 * `PYTHON_SDKS` sets the path of another one.
 */
export const sdkPython = join(sdkFolder, 'bin', 'python');

/** Fails if a package has another version than in the file of the requirements. Importing them all takes seconds. */
const compareVersions = `
import sys
from importlib.metadata import version
packages = [line.split("==") for line in open(sys.argv[1]).read().split()]
sys.exit(any(version(name) != wanted for name, wanted in packages))`;

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
  'python-sdks': {
    isInstalled: () => runs(sdkPython, '-c', compareVersions, sdkRequirements),
    install: `${python} -m venv ${sdkFolder} && ${sdkFolder}/bin/pip install -r ${sdkRequirements}`,
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
