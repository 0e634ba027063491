/** How far a run is; times in milliseconds. */
export interface Advance {
  readonly sent: number;
  /** How many requests were foreseen; there may come to be more. */
  readonly planned: number;
  readonly violations: number;
  readonly elapsed: number;
  /** What is judged, where it is one of several. */
  readonly target?: string | undefined;
}

type Paint = (colour: 'red' | 'dim', text: string) => string;

const longestBar = 30;
const shortestBar = 8;
const gap = '  ';
/** Of fewer requests than this, and in less time, no pace can be told. */
const soonest = { sent: 10, elapsed: 1000 };

/** How far a run is, in one line shorter than so many columns; what says least is left out where there is no room. */
export function progressLine(advance: Advance, columns: number, paint: Paint = (_, text) => text): string {
  const { sent, violations, elapsed } = advance;
  const of = Math.max(advance.planned, sent);
  const left = timeLeft(advance, of);
  const facts: Fact[] = [
    { text: `${name(advance, ' ')}${sent}/${of}`, colour: undefined },
    ...(violations > 0 ? [{ text: `${violations} ✗`, colour: 'red' as const }] : []),
    ...(left === undefined ? [] : [{ text: `${clock(left)} left`, colour: 'dim' as const }]),
    { text: `${clock(elapsed)} so far`, colour: 'dim' },
  ];
  const room = columns - 1;
  const fitting = (length: number): Fact[] =>
    facts.filter((_, index) => lengthOf(facts.slice(0, index + 1)) <= length);
  const beside = fitting(room - shortestBar - gap.length);
  const kept = beside.length > 0 ? beside : fitting(room);
  const bar = Math.min(longestBar, room - lengthOf(kept) - gap.length);
  const filled = Math.round((sent / Math.max(1, of)) * bar);
  return [
    ...(bar < shortestBar ? [] : ['█'.repeat(filled) + paint('dim', '░'.repeat(bar - filled))]),
    ...kept.map(({ text, colour }) => (colour ? paint(colour, text) : text)),
  ].join(gap);
}

/** The same for a log, where lines stay. */
export function progressText(advance: Advance): string {
  const { sent, violations, elapsed } = advance;
  const of = Math.max(advance.planned, sent);
  const left = timeLeft(advance, of);
  return [
    `${name(advance, ': ')}${sent} of ${of} requests`,
    `${violations} ${violations === 1 ? 'violation' : 'violations'}`,
    ...(left === undefined ? [] : [`${clock(left)} left`]),
    `${clock(elapsed)} so far`,
  ].join(', ');
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
function timeLeft({ sent, elapsed }: Advance, of: number): number | undefined {
  if (sent === of || sent < soonest.sent || elapsed < soonest.elapsed) return undefined;
  return ((of - sent) * elapsed) / sent;
}

function clock(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
