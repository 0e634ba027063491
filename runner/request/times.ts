import type { TimeFormat } from '../../common/profile-values.ts';
import type { Fixtures } from '../catalog/fixtures.ts';

const writers: Readonly<Record<TimeFormat, (time: number) => string>> = {
  'unix-seconds': (time) => String(Math.floor(time / 1000)),
  'unix-millis': (time) => String(time),
  'iso-date': (time) => new Date(time).toISOString().slice(0, 10),
  'iso-datetime': (time) => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z'),
};
/** Formats a time in the time format of a profile. `time` is in milliseconds since 1970-01-01 UTC. */
export function formatTime(format: TimeFormat, time: number): string {
  return writers[format](time);
}

const day = 86_400_000;
const minute = 60_000;
const second = 1_000;
/** The last second whose Unix time has nine digits, in milliseconds since 1970-01-01 UTC. */
const lastTimeOfNineDigits = 999_999_999_000;
/**
 * The time between the end of a valid range and now, in milliseconds. The end is in the past because the clock of the
 * gateway may be slow.
 */
const margin = 60_000;

/**
 * Returns the start and the end of a time range as texts. `range` is a value of the attribute `range`. `now` is in
 * milliseconds since 1970-01-01 UTC. A valid range is the 24 hours that end one minute before `now`.
 */
export function formatTimeRange(
  range: string,
  format: TimeFormat,
  now: number,
  { unparseableTime, almostTimes }: Pick<Fixtures, 'unparseableTime' | 'almostTimes'>,
): { readonly start: string; readonly end: string } {
  const write = writers[format];
  const [earlier, later] = [write(now - margin - day), write(now - margin)];
  const midnight = format === 'iso-datetime' ? 'T00:00:00Z' : '';
  switch (range) {
    case 'reversed':
      return { start: later, end: earlier };
    case 'reversed-year':
      return { start: later, end: write(now - margin - 365 * day) };
    case 'reversed-digits':
      return { start: later, end: write(lastTimeOfNineDigits) };
    case 'reversed-minutes':
      return { start: later, end: write(now - margin - minute) };
    case 'reversed-seconds':
      return { start: later, end: write(now - margin - second) };
    case 'unparseable-start':
      return { start: unparseableTime, end: later };
    case 'unparseable-end':
      return { start: earlier, end: unparseableTime };
    case 'letters-behind-start':
      return { start: earlier + almostTimes.letters, end: later };
    case 'letters-behind-end':
      return { start: earlier, end: later + almostTimes.letters };
    case 'no-such-date-start':
      return { start: almostTimes.day + midnight, end: later };
    case 'no-such-date-end':
      return { start: earlier, end: almostTimes.month + midnight };
    case 'infinite-start':
      return { start: almostTimes.infinite, end: later };
    case 'infinite-end':
      return { start: earlier, end: almostTimes.infinite };
    default:
      return { start: earlier, end: later };
  }
}
