import { styleText } from 'node:util';
import type { RunEvent } from '../run-event.ts';
import { isCi, wantsColour } from './colour.ts';
import { type Advance, progressLine, progressText } from './progress-line.ts';

/** Says on stderr how far a run is. */
export interface Progress {
  readonly show: (event: RunEvent) => void;
  /** Takes the line away; nothing is shown any more. */
  readonly clear: () => void;
}

/** Where the progress is shown: a line that is written again and again, or in a log a new one now and then. */
export interface ProgressStyle {
  readonly live: boolean;
  readonly colour: boolean;
  /** What is judged, where it is one of several. */
  readonly target?: string;
}

/** How this process shows progress. */
export function progressStyle(): ProgressStyle {
  return {
    live: process.stderr.isTTY === true && !isCi(process.env),
    colour: wantsColour(process.env, process.stderr.isTTY),
  };
}

/** What of a stream is asked for. */
type Stream = Pick<NodeJS.WriteStream, 'write' | 'columns'>;

const liveEveryMs = 100;
const logEveryMs = 10_000;
const usualColumns = 80;
const clearLine = '\r\u001b[K';

/** Makes the progress of a run that begins now. */
export function makeProgress(stream: Stream, { target, ...style }: ProgressStyle): Progress {
  const broken = new Set<string>();
  let counts = { done: 0, planned: 0 };
  const clear = showAdvance(stream, style, () => ({
    ...counts,
    unit: 'requests',
    violations: broken.size,
    target,
  }));
  return {
    show: (event) => {
      if (event.kind === 'exchange') counts = { done: event.sent, planned: event.planned };
      else if (event.kind === 'case' && event.outcome === 'violates') broken.add(event.id);
    },
    clear,
  };
}

const megabyte = 1_000_000;

/** Makes the progress of a reading that begins now, of so many bytes where that is known; `read` says how many were. */
export function makeReadingProgress(
  stream: Stream,
  style: ProgressStyle,
  { bytes, read }: { readonly bytes: number | undefined; readonly read: () => number },
): Pick<Progress, 'clear'> {
  const planned = bytes === undefined ? undefined : Math.ceil(bytes / megabyte);
  return {
    clear: showAdvance(stream, style, () => ({
      done: Math.floor(read() / megabyte),
      planned,
      unit: 'MB',
      violations: undefined,
    })),
  };
}

/** Shows from now on how far something is, once anything is done; gives what takes the line away and ends it. */
function showAdvance(
  stream: Stream,
  { live, colour }: Omit<ProgressStyle, 'target'>,
  advance: () => Omit<Advance, 'elapsed'>,
): () => void {
  const start = performance.now();
  let shown = false;
  const write = (): void => {
    const now: Advance = { ...advance(), elapsed: performance.now() - start };
    if (now.done === 0) return;
    if (!live) {
      stream.write(`${progressText(now)}\n`);
      return;
    }
    shown = true;
    const line = progressLine(now, stream.columns ?? usualColumns, (format, text) =>
      colour ? styleText(format, text, { validateStream: false }) : text,
    );
    stream.write(clearLine + line);
  };
  const timer = setInterval(write, live ? liveEveryMs : logEveryMs).unref();
  return () => {
    clearInterval(timer);
    if (shown) stream.write(clearLine);
    shown = false;
  };
}
