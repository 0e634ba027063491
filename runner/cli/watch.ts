import { type Latest, remember, wordChange } from '../gate/word-change.ts';
import { exitCodes } from '../report/exit-code.ts';
import type { Report } from '../report/report.ts';
import { onEndingSignal } from './ending-signals.ts';
import { readKeys } from './read-keys.ts';
import { isUserError, userErrorCode } from './user-error.ts';
import { watchFiles } from './watch-files.ts';

/** What a run came to. */
export interface Ran {
  readonly code: number;
  /** Undefined where nothing was sent. */
  readonly report: Report | undefined;
}

/** What is watched, and what runs each time. */
export interface Watch {
  readonly paths: readonly string[];
  /** The files that a run writes. */
  readonly written: readonly string[];
  /** Runs everything, or these cases. */
  readonly run: (cases: readonly string[] | undefined) => Promise<Ran>;
  readonly tell: (line: string) => void;
}

/** What makes it go on after a run. */
type Cue = { readonly kind: 'all' | 'failed' | 'quit' } | { readonly kind: 'changed'; readonly path: string };

const cues: Readonly<Record<string, Cue>> = {
  r: { kind: 'all' },
  '\r': { kind: 'all' },
  '\n': { kind: 'all' },
  f: { kind: 'failed' },
  q: { kind: 'quit' },
};
const endOfText = '\u0003';

/**
 * Runs again and again, when a key is pressed or a file below the paths changes, until it is left; gives the exit code of
 * the last run. Keys are read where stdin is a terminal. A profile that can't be used ends it in the first run only.
 */
export async function watch({ paths, written, run, tell }: Watch): Promise<number> {
  const pending: Cue[] = [];
  let wake = (): void => {};
  const cue = (next: Cue): void => {
    pending.push(next);
    wake();
  };
  let running = false;
  // In a run it is the run's own to end; it then comes back with 130.
  const leave = (): void => (running ? undefined : cue({ kind: 'quit' }));
  const onKey = (key: string): void => {
    if (key === endOfText || (key === 'q' && running)) process.kill(process.pid, 'SIGINT');
    else if (cues[key]) cue(cues[key]);
  };
  const asksKeys = process.stdin.isTTY === true;
  const stopFiles = watchFiles(
    paths,
    written,
    (path) => cue({ kind: 'changed', path }),
    (error) => tell(`Changes can't be watched for any more: ${error.message}`),
  );
  const stopKeys = asksKeys ? readKeys(process.stdin, onKey) : () => {};
  const release = onEndingSignal(leave);
  let latest: Latest = new Map();
  let failed: readonly string[] = [];
  const runOnce = async (cases: readonly string[] | undefined): Promise<number> => {
    running = true;
    const { code, report } = await run(cases).finally(() => (running = false));
    if (report) {
      if (latest.size > 0) tell(wordChange(latest, report));
      latest = remember(latest, report);
      failed = stillFailed(failed, report);
    }
    return code;
  };
  try {
    let code = await runOnce(undefined);
    while (code !== exitCodes.interrupted) {
      tell(hint(asksKeys, paths));
      while (pending.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      const told = pending.splice(0);
      if (told.some(({ kind }) => kind === 'quit')) break;
      const onlyFailed = told.every(({ kind }) => kind === 'failed');
      if (onlyFailed && failed.length === 0) {
        tell('Nothing failed in the last run.');
        continue;
      }
      for (const item of told) if (item.kind === 'changed') tell(`${item.path} changed.`);
      code = await runOnce(onlyFailed ? failed : undefined).catch((error: unknown) => {
        if (!isUserError(error)) throw error;
        tell(error.message);
        return userErrorCode(error);
      });
    }
    return code;
  } finally {
    release();
    stopKeys();
    stopFiles();
  }
}

/** The cases that failed when they were last sent. */
function stillFailed(before: readonly string[], { cases }: Report): string[] {
  const sent = new Set(cases.map(({ id }) => id));
  const now = cases.filter(({ outcome }) => outcome === 'violates' || outcome === 'inconclusive');
  return [...before.filter((id) => !sent.has(id)), ...now.map(({ id }) => id)];
}

function hint(asksKeys: boolean, paths: readonly string[]): string {
  const changes = paths.length === 0 ? [] : [`a change below ${paths.join(', ')} runs again`];
  const keys = asksKeys ? ['enter runs again, f what failed, q ends'] : [];
  return `Waiting: ${[...changes, ...keys].join('; ')}.`;
}
