import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../common/package-root.ts';
import type { Report } from '../../runner/report/report.ts';
import { createScratchFolder, type FinishedCommand, programArguments } from './command.ts';
import { runInProcess } from './in-process-command.ts';

/** A finished `check`, with its JSON report and its working folder. */
export interface FinishedCheck extends FinishedCommand {
  readonly report: Report;
  readonly cwd: string;
}

/**
 * Runs `check` with these files in a new folder. `folder` contains the texts of files to create in the folder, by
 * name. `stdin` is the standard input.
 */
export async function check({
  files,
  folder = {},
  flags = [],
  stdin,
}: {
  readonly files: readonly string[];
  readonly folder?: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
  readonly stdin?: string;
}): Promise<FinishedCheck> {
  const cwd = createScratchFolder();
  for (const [name, text] of Object.entries(folder)) writeFileSync(join(cwd, name), text);
  const reporters = ['--reporter', 'terminal', '--reporter', 'json=report.json'];
  const args = ['check', ...files, ...reporters, ...flags];
  const finished =
    stdin === undefined ? await runInProcess(args, { cwd }) : await withInput(args, cwd, stdin);
  return { ...finished, cwd, report: JSON.parse(readFileSync(join(cwd, 'report.json'), 'utf8')) };
}

function withInput(args: readonly string[], cwd: string, text: string): Promise<FinishedCommand> {
  return new Promise((resolve, reject) => {
    const env = { PATH: process.env.PATH ?? '' };
    const child = spawn(process.execPath, [...programArguments, ...args], { cwd, env });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (piece: Buffer) => {
      stdout += piece.toString();
    });
    child.stderr.on('data', (piece: Buffer) => {
      stderr += piece.toString();
    });
    child.on('error', reject).on('close', (code) => resolve({ code, stdout, stderr }));
    child.stdin.end(text);
  });
}

/** Returns the outcome of each requirement, by ID. */
export function outcomesById({ requirements }: Report): Readonly<Record<string, string>> {
  return Object.fromEntries(requirements.map(({ id, outcome }) => [id, outcome]));
}

/** Returns the IDs of the requirements with the outcome `violates` or `warns`. */
export function listFailedIds({ requirements }: Report): string[] {
  return requirements
    .filter(({ outcome }) => outcome === 'violates' || outcome === 'warns')
    .map(({ id }) => id);
}

/** The folder with the recordings of other tools. */
export const captureFolder = join(packageRoot, 'tests/proof/captures');

/** Returns the path of a recording by mitmproxy. */
export function findMitmproxyCapture(name: string): string {
  return join(captureFolder, `mitmproxy/${name}.har`);
}

/** The properties of a HAR entry that tests read. */
export interface HarEntry {
  readonly startedDateTime: string;
  readonly time: number;
  readonly request: HarMessage & { readonly method: string; readonly url: string };
  readonly response: HarMessage & { readonly status: number; readonly content: { readonly text: string } };
}

export interface HarMessage {
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly postData?: { readonly text: string };
}

/** Returns the entries of a recording. */
export function entriesOf(file: string): readonly HarEntry[] {
  return JSON.parse(readFileSync(file, 'utf8')).log.entries;
}

/** Returns the origin of the gateway in a recording. */
export function originOf(file: string): string {
  return new URL(entriesOf(file)[0]?.request.url ?? '').origin;
}
