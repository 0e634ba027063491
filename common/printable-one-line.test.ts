import { describe, expect, test } from 'vitest';
import { formatFinding } from '../runner/judge/finding.ts';
import { showValue } from '../runner/judge/words.ts';
import type { CaseReport, CheckReport, Report, RequirementReport } from '../runner/report/report.ts';
import { formatCaseText, formatReasons } from '../runner/view/test-result.ts';
import { escapeInvisibleText } from './page/markup.tsx';
import { formatOneLine } from './printable.ts';

const requirement: RequirementReport = {
  id: 'auth/x',
  clause: '5',
  level: 'must',
  says: 'It is so.',
  expects: 'status 401',
  outcome: 'violates',
  cases: ['c'],
};

/** Creates a case with a finding in which the text is the received value. */
function createJudgedCase(text: string): { item: CaseReport; check: CheckReport; report: Report } {
  const finding = { kind: 'wrong-attribute', name: 'header', expected: 'a', actual: text } as const;
  const check: CheckReport = {
    requirement: requirement.id,
    outcome: 'violates',
    findings: [{ exchange: 'c#1', message: formatFinding(finding), finding }],
  };
  const item: CaseReport = {
    id: 'c',
    suite: 's',
    about: '',
    attributes: {},
    outcome: 'violates',
    checks: [check],
    exchanges: [],
  };
  const counts = { planned: 1, conforms: 0, violates: 1, warns: 0, inconclusive: 0, notApplicable: 0 };
  const report: Report = {
    schemaVersion: 1,
    tool: { name: 't', version: '1' },
    spec: { revision: '1' },
    target: { baseUrl: 'http://x' },
    startedAt: '',
    durationMs: 0,
    verdict: 'violates',
    diagnosis: [],
    stopped: null,
    shard: null,
    rounds: 1,
    baseline: null,
    requests: { requests: 0, billable: 0, badKeys: 0, sent: 0 },
    summary: { cases: counts, requirements: counts },
    requirements: [requirement],
    cases: [item],
    others: [],
    observations: [],
  };
  return { item, check, report };
}

const shown: Readonly<Record<string, (text: string) => string>> = {
  'a line': (text) => formatOneLine(text),
  'a text of the page': escapeInvisibleText,
  'a value': showValue,
  'the text of a failed Vitest test': (text) => {
    const { item, check, report } = createJudgedCase(text);
    return formatCaseText(item, [check], report);
  },
  'the reason of a result': (text) =>
    formatReasons({ kind: 'failed', checks: [createJudgedCase(text).check] }).join('\n'),
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
