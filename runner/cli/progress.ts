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
export function makeProgress(stream: Stream, { live, colour, target }: ProgressStyle): Progress {
  const start = performance.now();
  const broken = new Set<string>();
  let counts = { sent: 0, planned: 0 };
  let shown = false;
  const write = (): void => {
    if (counts.sent === 0) return;
    const elapsed = performance.now() - start;
    const advance: Advance = { ...counts, violations: broken.size, elapsed, target };
    if (!live) {
      stream.write(`${progressText(advance)}\n`);
      return;
    }
    shown = true;
    const line = progressLine(advance, stream.columns ?? usualColumns, (format, text) =>
      colour ? styleText(format, text, { validateStream: false }) : text,
    );
    stream.write(clearLine + line);
  };
  const timer = setInterval(write, live ? liveEveryMs : logEveryMs).unref();
  return {
    show: (event) => {
      if (event.kind === 'exchange') counts = { sent: event.sent, planned: event.planned };
      else if (event.kind === 'case' && event.outcome === 'violates') broken.add(event.id);
    },
    clear: () => {
      clearInterval(timer);
      if (shown) stream.write(clearLine);
      shown = false;
    },
  };
}
