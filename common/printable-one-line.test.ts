import { describe, expect, test } from 'vitest';
import { formatFinding } from '../runner/report/findings.ts';
import { showValue } from '../runner/report/format-value.ts';
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

describe.each(Object.entries(shown))('in %s', (_, show) => {
  test.each([
    ['a control character', '\u001b', '\\u001b'],
    ['a C1 control', '\u009b', '\\u009b'],
    ['a soft hyphen', '\u00ad', '\\u00ad'],
    ['an Arabic letter mark', '\u061c', '\\u061c'],
    ['a zero-width space', '\u200b', '\\u200b'],
    ['a change of direction', '\u202e', '\\u202e'],
    ['an isolate', '\u2066', '\\u2066'],
    ['a line separator', '\u2028', '\\u2028'],
    ['a byte order mark', '\ufeff', '\\ufeff'],
    ['a lone surrogate', '\ud800', '\\ud800'],
    ['a tag letter', '\u{e0041}', '\\u{e0041}'],
  ])('shows %s by its code', (_, letter, code) => {
    const text = show(`a${letter}b`);
    expect(text).toContain(`a${code}b`);
    expect(text).not.toContain(letter);
  });
});

test('keeps line ends on a page, replaces line ends in a line, and escapes line ends in a value', () => {
  const text = 'a\nb\tc\r\nd';
  expect([escapeInvisibleText(text), formatOneLine(text), showValue(text)]).toEqual([
    'a\nb\tc\nd',
    'a b c\\u000d d',
    '"a\\nb\\tc\\r\\nd"',
  ]);
});
