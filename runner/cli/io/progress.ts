import { styleText } from 'node:util';
import type { Wait } from '../../execute/rate-limiter.ts';
import type { EngineEvent } from '../../run/run-event.ts';
import { isCi, wantsColour } from './terminal.ts';

/** Says on stderr how far a run is. */
export interface Progress {
  readonly show: (event: EngineEvent) => void;
  /** Takes the line away; nothing is shown any more. */
  readonly clear: () => void;
}

/** The output of the progress: a line that is overwritten in a terminal, a new line at intervals in a log. */
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
  const waits = makeWaits();
  let counts: Pick<Advance, 'done' | 'planned'> = { done: 0, planned: undefined };
  const clear = showAdvance(stream, style, () => ({
    ...counts,
    unit: 'requests',
    violations: broken.size,
    target,
    waiting: waits.text(),
  }));
  return {
    show: (event) => {
      if (event.kind === 'planned') counts = { ...counts, planned: event.estimate.requests };
      else if (event.kind === 'wait') waits.add(event.wait);
      else if (event.kind === 'exchange') counts = { done: event.sent, planned: event.planned };
      else if (event.kind === 'case' && event.outcome === 'violates') broken.add(event.id);
    },
    clear,
  };
}

/** A wait stays on the line for this long at least, in milliseconds, so that the line does not flicker. */
const shortestShown = 1000;
/** The waits, the one that delays a run most first. */
const causes: readonly Wait['cause'][] = ['limited', 'failed', 'rate'];

/** Keeps the latest wait of each cause. */
function makeWaits(): { readonly add: (wait: Wait) => void; readonly text: () => string | undefined } {
  const latest = new Map<
    Wait['cause'],
    { readonly wait: Wait; readonly end: number; readonly hidden: number }
  >();
  return {
    add: (wait) => {
      const now = performance.now();
      const end = now + wait.milliseconds;
      if ((latest.get(wait.cause)?.end ?? 0) > end) return;
      latest.set(wait.cause, { wait, end, hidden: Math.max(end, now + shortestShown) });
    },
    text: () => {
      const now = performance.now();
      const shown = causes.flatMap((cause) => latest.get(cause) ?? []).find(({ hidden }) => hidden > now);
      return shown && waitText(shown.wait, clock(Math.max(0, shown.end - now)));
    },
  };
}

function waitText(wait: Wait, left: string): string {
  switch (wait.cause) {
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
    if (now.done === 0 && !(live && now.waiting)) return;
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

/** How far a run or the reading of recordings is; times in milliseconds. */
export interface Advance {
  readonly done: number;
  /** How much was foreseen, where anybody knows; there may come to be more. */
  readonly planned: number | undefined;
  readonly unit: 'requests' | 'MB';
  /** Where it is known before the end. */
  readonly violations: number | undefined;
  readonly elapsed: number;
  /** What is judged, where it is one of several. */
  readonly target?: string | undefined;
  /** Why requests wait and for how long; not in a log. */
  readonly waiting?: string | undefined;
}

type Paint = (colour: 'red' | 'dim', text: string) => string;

const longestBar = 30;
const shortestBar = 8;
const gap = '  ';
/** Of less than this, and in less time, no pace can be told. */
const soonest = { done: 10, elapsed: 1000 };

/** How far a run is, in one line shorter than so many columns; what says least is left out where there is no room. */
export function progressLine(advance: Advance, columns: number, paint: Paint = (_, text) => text): string {
  const { done, unit, violations = 0, elapsed } = advance;
  const of = foreseen(advance);
  const left = timeLeft(advance, of);
  const amount = [done, ...(of === undefined ? [] : [of])].join('/') + (unit === 'MB' ? ' MB' : '');
  const facts: Fact[] = [
    { text: name(advance, ' ') + amount, colour: undefined },
    ...(violations > 0 ? [{ text: `${violations} ✗`, colour: 'red' as const }] : []),
    ...(advance.waiting === undefined ? [] : [{ text: advance.waiting, colour: undefined }]),
    ...(left === undefined ? [] : [{ text: `${clock(left)} left`, colour: 'dim' as const }]),
    { text: `${clock(elapsed)} so far`, colour: 'dim' },
  ];
  const room = columns - 1;
  const fitting = (length: number): Fact[] =>
    facts.filter((_, index) => lengthOf(facts.slice(0, index + 1)) <= length);
  const beside = fitting(room - shortestBar - gap.length);
  const kept = beside.length > 0 ? beside : fitting(room);
  const bar = of === undefined ? 0 : Math.min(longestBar, room - lengthOf(kept) - gap.length);
  const filled = Math.round((done / Math.max(1, of ?? 1)) * bar);
  return [
    ...(bar < shortestBar ? [] : ['█'.repeat(filled) + paint('dim', '░'.repeat(bar - filled))]),
    ...kept.map(({ text, colour }) => (colour ? paint(colour, text) : text)),
  ].join(gap);
}

/** The same for a log, where lines stay. */
export function progressText(advance: Advance): string {
  const { done, unit, violations, elapsed } = advance;
  const of = foreseen(advance);
  const left = timeLeft(advance, of);
  return [
    `${name(advance, ': ')}${done} ${of === undefined ? '' : `of ${of} `}${unit}`,
    ...(violations === undefined ? [] : [`${violations} ${violations === 1 ? 'violation' : 'violations'}`]),
    ...(left === undefined ? [] : [`${clock(left)} left`]),
    `${clock(elapsed)} so far`,
  ].join(', ');
}

function foreseen({ done, planned }: Advance): number | undefined {
  return planned === undefined ? undefined : Math.max(planned, done);
}

function name({ target }: Advance, then: string): string {
  return target === undefined ? '' : target + then;
}

interface Fact {
  readonly text: string;
  readonly colour: 'red' | 'dim' | undefined;
}

function lengthOf(facts: readonly Fact[]): number {
  return facts.map(({ text }) => text).join(gap).length;
}

/** How long the rest takes at the pace so far; undefined while that can't be told. */
function timeLeft({ done, elapsed }: Advance, of: number | undefined): number | undefined {
  if (of === undefined || done === of || done < soonest.done || elapsed < soonest.elapsed) return undefined;
  return ((of - done) * elapsed) / done;
}

function clock(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
