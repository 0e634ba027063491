import { expect, test } from 'vitest';
import { formatFinding } from '../runner/judge/finding.ts';
import { showValue } from '../runner/judge/words.ts';
import { formatCaseText, formatReasons } from '../runner/view/test-result.ts';
import { createCase, createCheck, createReport } from '../tests/support/reports.ts';
import { escapeInvisibleText } from './page/markup.tsx';
import { formatOneLine } from './printable.ts';

/** Creates a report of a check with a finding in which the text is the received value. */
function createFailure(text: string) {
  const finding = { kind: 'wrong-attribute', name: 'header', expected: 'a', actual: text } as const;
  const check = createCheck('auth/x', 'violates', {
    findings: [{ exchange: 'c#1', message: formatFinding(finding), finding }],
  });
  const item = createCase('c', [check]);
  return { item, check, report: createReport([item]) };
}

const shown: Readonly<Record<string, (text: string) => string>> = {
  'a line': (text) => formatOneLine(text),
  'a text of the page': escapeInvisibleText,
  'a value': showValue,
  'the text of a failed Vitest test': (text) => {
    const { item, check, report } = createFailure(text);
    return formatCaseText(item, [check], report);
  },
  'the reason of a result': (text) =>
    formatReasons({ kind: 'failed', checks: [createFailure(text).check] }).join('\n'),
};

/** Letters that a reader cannot see, or that change what a reader sees, and how they are shown. */
const invisible: Readonly<Record<string, string>> = {
  '\u001b': '\\u001b',
  '\u009b': '\\u009b',
  '\u00ad': '\\u00ad',
  '\u061c': '\\u061c',
  '\u200b': '\\u200b',
  '\u202e': '\\u202e',
  '\u2066': '\\u2066',
  '\u2028': '\\u2028',
  '\ufeff': '\\ufeff',
  '\ud800': '\\ud800',
  '\u{e0041}': '\\u{e0041}',
};

test.each(Object.entries(shown))('%s shows each invisible letter by its code', (_, show) => {
  const letters = Object.keys(invisible);
  const text = show(`a${letters.join('b')}b`);
  expect(text).toContain(`a${Object.values(invisible).join('b')}b`);
  expect(letters.filter((letter) => text.includes(letter))).toEqual([]);
});

test('keeps line ends on a page, replaces line ends in a line, and escapes line ends in a value', () => {
  const text = 'a\nb\tc\r\nd';
  expect([escapeInvisibleText(text), formatOneLine(text), showValue(text)]).toEqual([
    'a\nb\tc\nd',
    'a b c\\u000d d',
    '"a\\nb\\tc\\r\\nd"',
  ]);
});
