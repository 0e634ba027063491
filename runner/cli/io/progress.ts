import { styleText } from 'node:util';
import type { EngineEvent } from '../../run/run-event.ts';
import type { Wait } from '../../send/rate-limiter.ts';
import { outcomeLooks } from '../../view/signs.ts';
import { isCi, isColourEnabled } from './terminal.ts';

export interface Progress {
  readonly show: (event: EngineEvent) => void;
  /** Ends the display, and removes the line from a terminal. */
  readonly clear: () => void;
}

/** The style of a progress display: a line that is overwritten on a terminal (`live`), or lines in a log every 10 s. */
export interface ProgressStyle {
  readonly live: boolean;
  readonly colour: boolean;
  readonly target?: string;
}

/** Returns the progress style for stderr of this process. */
export function chooseProgressStyle(): ProgressStyle {
  return {
    live: process.stderr.isTTY === true && !isCi(process.env),
    colour: isColourEnabled(process.env, process.stderr.isTTY),
  };
}

type Stream = Pick<NodeJS.WriteStream, 'write' | 'columns'>;

const [liveEveryMs, logEveryMs] = [100, 10_000];
const usualColumns = 80;
const clearLine = '\r\u001b[K';

/** The maximum number of cases that wait to be judged. Each waiting case keeps the exchanges of its round in memory. */
const mostUnjudged = 2_000;

/** Starts a progress display of a run: the numbers of requests and of violating cases, and the reason for a wait. */
export function createProgress(stream: Stream, { target, ...style }: ProgressStyle): Progress {
  const broken = new Set<string>();
  const unjudged: Extract<EngineEvent, { readonly kind: 'case' }>[] = [];
  const countViolations = (): number => {
    for (const { id, judge } of unjudged.splice(0)) if (judge() === 'violates') broken.add(id);
    return broken.size;
  };
  const waits = createWaits();
  let counts: Pick<ProgressState, 'done' | 'planned'> = { done: 0, planned: undefined };
  const clear = startProgress(stream, style, () => ({
    ...counts,
    unit: 'requests',
    violations: countViolations(),
    target,
    waiting: waits.text(),
  }));
  return {
    show: (event) => {
      if (event.kind === 'planned') counts = { ...counts, planned: event.estimate.requests };
      else if (event.kind === 'wait') waits.add(event.wait);
      else if (event.kind === 'exchange') counts = { done: event.sent, planned: event.planned };
      else if (event.kind === 'case' && unjudged.push(event) >= mostUnjudged) countViolations();
    },
    clear,
  };
}

/** The time for which short waits are shown, in milliseconds, so that the line does not flicker. */
const shortestShown = 1000;
/** The causes of waits, in the order of precedence. */
const causes: readonly Wait['cause'][] = ['unreachable', 'limited', 'failed', 'rate'];

/** Keeps, for each cause, the wait that ends last. `text` describes the first wait in the order of `causes`. */
function createWaits(): { readonly add: (wait: Wait) => void; readonly text: () => string | undefined } {
  const latest = new Map<Wait['cause'], { wait: Wait; end: number; hidden: number }>();
  return {
    add: (wait) => {
      const now = performance.now();
      const end = now + wait.milliseconds;
      if (wait.milliseconds === 0) latest.delete(wait.cause);
      else if ((latest.get(wait.cause)?.end ?? 0) <= end)
        latest.set(wait.cause, { wait, end, hidden: Math.max(end, now + shortestShown) });
    },
    text: () => {
      const now = performance.now();
      const shown = causes.flatMap((cause) => latest.get(cause) ?? []).find(({ hidden }) => hidden > now);
      return shown && formatWait(shown.wait, formatClock(Math.max(0, shown.end - now)));
    },
  };
}

function formatWait(wait: Wait, left: string): string {
  switch (wait.cause) {
    case 'unreachable':
      return `the gateway does not respond: waiting at most ${left}`;
    case 'limited':
      return `${wait.status}${wait.isStated ? ' with Retry-After' : ''}: waiting ${left}`;
    case 'failed':
      return `${wait.status ?? 'no response'}: retrying in ${left}`;
    case 'rate': {
      const { perSecond } = wait;
      const rate = Number.isInteger(perSecond) ? `${perSecond}/s` : `${Math.round(perSecond * 60)}/m`;
      return `--rate ${rate}`;
    }
  }
}

const megabyte = 1_000_000;

/** Starts a display for reading files of `bytes` bytes (undefined: unknown). `read` returns the bytes read so far. */
export function createReadingProgress(
  stream: Stream,
  style: ProgressStyle,
  { bytes, read }: { readonly bytes: number | undefined; readonly read: () => number },
): Pick<Progress, 'clear'> {
  const planned = bytes === undefined ? undefined : Math.ceil(bytes / megabyte);
  return {
    clear: startProgress(stream, style, () => ({
      done: Math.floor(read() / megabyte),
      planned,
      unit: 'MB',
      violations: undefined,
    })),
  };
}

/**
 * Starts a display that appears after the first progress or at the first wait. Returns a function that ends the display
 * and removes the line from a terminal.
 */
function startProgress(
  stream: Stream,
  { live, colour }: Omit<ProgressStyle, 'target'>,
  state: () => Omit<ProgressState, 'elapsed'>,
): () => void {
  const start = performance.now();
  let shown = false;
  const write = (): void => {
    const now: ProgressState = { ...state(), elapsed: performance.now() - start };
    if (now.done === 0 && !now.waiting) return;
    if (!live) {
      stream.write(`${formatProgressLog(now)}\n`);
      return;
    }
    shown = true;
    const line = formatProgressLine(now, stream.columns ?? usualColumns, (format, text) =>
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

/** The state of a run, or of reading recordings. `elapsed` is in milliseconds. */
export interface ProgressState {
  readonly done: number;
  /** The planned amount; undefined if unknown. `done` can exceed the planned amount. */
  readonly planned: number | undefined;
  readonly unit: 'requests' | 'MB';
  readonly violations: number | undefined;
  readonly elapsed: number;
  readonly target?: string | undefined;
  /** The reason why requests wait, and the remaining time. */
  readonly waiting?: string | undefined;
}

type Paint = (colour: 'red' | 'dim', text: string) => string;

const longestBar = 30;
const shortestBar = 8;
const gap = '  ';
const leastForEstimate = { done: 10, elapsed: 1000 };

/** Formats a line of fewer than `columns` characters. If the line is too long, omits the last parts first. */
export function formatProgressLine(
  advance: ProgressState,
  columns: number,
  paint: Paint = (_, text) => text,
): string {
  const { done, unit, violations = 0, elapsed } = advance;
  const of = plannedAmount(advance);
  const left = estimateTimeLeft(advance, of);
  const amount = [done, ...(of === undefined ? [] : [of])].join('/') + (unit === 'MB' ? ' MB' : '');
  const parts: LinePart[] = [
    { text: formatTarget(advance, ' ') + amount, colour: undefined },
    ...(violations > 0
      ? [{ text: `${violations} ${outcomeLooks.violates.sign}`, colour: 'red' as const }]
      : []),
    ...(advance.waiting === undefined ? [] : [{ text: advance.waiting, colour: undefined }]),
    ...(left === undefined ? [] : [{ text: `${formatClock(left)} left`, colour: 'dim' as const }]),
    { text: `${formatClock(elapsed)} so far`, colour: 'dim' },
  ];
  const room = columns - 1;
  const selectParts = (length: number): LinePart[] =>
    parts.filter((_, index) => lengthOf(parts.slice(0, index + 1)) <= length);
  const partsWithBar = selectParts(room - shortestBar - gap.length);
  const kept = partsWithBar.length > 0 ? partsWithBar : selectParts(room);
  const bar = of === undefined ? 0 : Math.min(longestBar, room - lengthOf(kept) - gap.length);
  const filled = Math.round((done / Math.max(1, of ?? 1)) * bar);
  return [
    ...(bar < shortestBar ? [] : ['█'.repeat(filled) + paint('dim', '░'.repeat(bar - filled))]),
    ...kept.map(({ text, colour }) => (colour ? paint(colour, text) : text)),
  ].join(gap);
}

export function formatProgressLog(advance: ProgressState): string {
  const { done, unit, violations, elapsed, waiting } = advance;
  const of = plannedAmount(advance);
  const left = estimateTimeLeft(advance, of);
  return [
    `${formatTarget(advance, ': ')}${done} ${of === undefined ? '' : `of ${of} `}${unit}`,
    ...(violations === undefined ? [] : [`${violations} ${violations === 1 ? 'violation' : 'violations'}`]),
    ...(waiting === undefined ? [] : [waiting]),
    ...(left === undefined ? [] : [`${formatClock(left)} left`]),
    `${formatClock(elapsed)} so far`,
  ].join(', ');
}

function plannedAmount({ done, planned }: ProgressState): number | undefined {
  return planned === undefined ? undefined : Math.max(planned, done);
}

function formatTarget({ target }: ProgressState, then: string): string {
  return target === undefined ? '' : target + then;
}

interface LinePart {
  readonly text: string;
  readonly colour: 'red' | 'dim' | undefined;
}

function lengthOf(parts: readonly LinePart[]): number {
  return parts.map(({ text }) => text).join(gap).length;
}

/**
 * Estimates the remaining time in milliseconds; undefined at the beginning, at the end, and without a planned amount.
 */
function estimateTimeLeft({ done, elapsed }: ProgressState, of: number | undefined): number | undefined {
  if (of === undefined || done === of || done < leastForEstimate.done || elapsed < leastForEstimate.elapsed)
    return undefined;
  return ((of - done) * elapsed) / done;
}

function formatClock(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
