import { spawn } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ignoreOwnFolder, ownFolder } from './own-folder.ts';
import { isCi, log, logPath } from './terminal.ts';

interface PageFlags {
  readonly reporter: readonly string[];
  readonly open: boolean;
}

const isPage = (text: string): boolean => text.startsWith('html=');

/** Returns the values of `--reporter`, with an HTML report in a file if `--open` needs one. */
export function addPage({ reporter, open }: PageFlags): readonly string[] {
  return open && !reporter.some(isPage) ? [...reporter, `html=${join(ownFolder, 'report.html')}`] : reporter;
}

/** Logs the paths of written HTML reports, and opens the first of them with `open`. */
export async function showPages(
  written: readonly { readonly name: string; readonly file: string | undefined }[],
  open: boolean,
): Promise<void> {
  const files = written.flatMap(({ name, file }) =>
    name === 'html' && file !== undefined && !file.startsWith('/dev/') ? [file] : [],
  );
  if (files.some((file) => dirname(file) === ownFolder)) ignoreOwnFolder();
  for (const file of files) logPath('HTML report: ', file);
  const [first] = files;
  if (open && first !== undefined && !(await openInBrowser(first)))
    log('conformance: No browser can be opened here.');
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The program that opens a URL in the browser, with its arguments; undefined in CI or without a display. */
export function chooseOpener(
  platform: NodeJS.Platform,
  env: Environment,
): readonly [string, ...string[]] | undefined {
  if (isCi(env)) return undefined;
  if (platform === 'darwin') return ['open'];
  // `start` is a word of cmd.exe, which would interpret characters such as `&` in the path.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined;
}

/** Resolves to false if there is no program to open the file with. */
async function openInBrowser(file: string): Promise<boolean> {
  const [program, ...args] = chooseOpener(process.platform, process.env) ?? [];
  if (program === undefined) return false;
  const child = spawn(program, [...args, pathToFileURL(resolve(file)).href], {
    detached: true,
    stdio: 'ignore',
  });
  child.unref();
  return new Promise((settle) => {
    child.once('spawn', () => settle(true)).once('error', () => settle(false));
  });
}
