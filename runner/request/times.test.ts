import { expect, test } from 'vitest';
import type { TimeFormat } from '../../contract/profile-values.ts';
import { timeRange } from './times.ts';

// The range ends a minute earlier.
const now = Date.parse('2026-11-02T10:01:00.500Z');
test.each<[TimeFormat, string, string]>([
  ['unix-seconds', '1793527200', '1793613600'],
  ['unix-millis', '1793527200500', '1793613600500'],
  ['iso-date', '2026-11-01', '2026-11-02'],
  ['iso-datetime', '2026-11-01T10:00:00Z', '2026-11-02T10:00:00Z'],
])('formats times as %s', (format, earlier, later) => {
  const range = (name: string) => Object.values(timeRange(name, format, now, 'never'));
  expect(range('valid')).toEqual([earlier, later]);
  expect(range('reversed')).toEqual([later, earlier]);
  const [start = '', end = ''] = range('reversed-minutes');
  const difference = format.startsWith('unix')
    ? Number(start) - Number(end)
    : Date.parse(start) - Date.parse(end);
  expect(difference).toBe({ 'unix-seconds': 60, 'iso-date': 0 }[String(format)] ?? 60_000);
  expect(range('unparseable-start')).toEqual(['never', later]);
  expect(range('unparseable-end')).toEqual([earlier, 'never']);
});
