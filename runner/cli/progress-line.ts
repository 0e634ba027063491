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
