import { expect, test } from 'vitest';
import type { TimeFormat } from '../../common/profile-values.ts';
import { formatTimeRange } from './times.ts';

const fixtures = {
  unparseableTime: 'never',
  almostTimes: { letters: 'abc', day: '2025-02-30', month: '2025-13-01', infinite: 'Infinity' },
};
// A valid range ends a minute before this time.
const now = Date.parse('2026-11-02T10:01:00.500Z');
test.each<[TimeFormat, string, string]>([
  ['unix-seconds', '1793527200', '1793613600'],
  ['unix-millis', '1793527200500', '1793613600500'],
  ['iso-date', '2026-11-01', '2026-11-02'],
  ['iso-datetime', '2026-11-01T10:00:00Z', '2026-11-02T10:00:00Z'],
])('formats times as %s', (format, earlier, later) => {
  const range = (name: string) => Object.values(formatTimeRange(name, format, now, fixtures));
  expect(range('valid')).toEqual([earlier, later]);
  expect(range('reversed')).toEqual([later, earlier]);
  const [start = '', end = ''] = range('reversed-minutes');
  const difference = format.startsWith('unix')
    ? Number(start) - Number(end)
    : Date.parse(start) - Date.parse(end);
  expect(difference).toBe({ 'unix-seconds': 60, 'iso-date': 0 }[String(format)] ?? 60_000);
  expect(range('letters-behind-start')).toEqual([`${earlier}abc`, later]);
  expect(range('letters-behind-end')).toEqual([earlier, `${later}abc`]);
  expect(range('infinite-start')).toEqual(['Infinity', later]);
  expect(range('infinite-end')).toEqual([earlier, 'Infinity']);
  expect(range('unparseable-start')).toEqual(['never', later]);
  expect(range('unparseable-end')).toEqual([earlier, 'never']);
});

test('the end of a range can have fewer digits than its start', () => {
  expect(formatTimeRange('reversed-digits', 'unix-seconds', now, fixtures).end).toBe('999999999');
});

test('a range can end a second or a year before its start, or have a date that does not exist', () => {
  expect(formatTimeRange('reversed-seconds', 'unix-seconds', now, fixtures)).toEqual({
    start: '1793613600',
    end: '1793613599',
  });
  expect(formatTimeRange('reversed-year', 'iso-date', now, fixtures)).toEqual({
    start: '2026-11-02',
    end: '2025-11-02',
  });
  expect(formatTimeRange('no-such-date-start', 'iso-date', now, fixtures).start).toBe('2025-02-30');
  expect(formatTimeRange('no-such-date-start', 'iso-datetime', now, fixtures).start).toBe(
    '2025-02-30T00:00:00Z',
  );
  expect(formatTimeRange('no-such-date-end', 'iso-date', now, fixtures).end).toBe('2025-13-01');
  expect(formatTimeRange('no-such-date-end', 'iso-datetime', now, fixtures).end).toBe('2025-13-01T00:00:00Z');
});
