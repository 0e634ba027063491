import { beforeAll, describe, expect, test } from 'vitest';
import { chooseExitCode, decideGate, type OverallResult } from '../../../runner/gate/exit-code.ts';
import type { Outcome } from '../../../runner/judge/outcome.ts';
import type { CaseReport, Report } from '../../../runner/report/report.ts';
import { joinReportText } from '../../../runner/reporters/reporter.ts';
import {
  isReporterName,
  type ReporterName,
  reporterNames,
  reporters,
} from '../../../runner/reporters/reporters.ts';
import { createView } from '../../../runner/view/view.ts';
import { createSampleReport, withRarities } from '../../support/sample-report.ts';

const style = { colour: false, verbose: false, width: Number.POSITIVE_INFINITY };
const fine: Outdated = { entries: [], deviations: [] };
const stale: Outdated = { ...fine, entries: [{ line: 3, message: 'models/listed is no longer violated.' }] };
const staleDeviation: Outdated = {
  ...fine,
  deviations: [{ place: 'a.yaml:4', status: 'stale', message: 'No response needs the deviation.' }],
};
let sample: Report;
beforeAll(async () => {
  sample = await createSampleReport();
});

/** The outcomes of the first cases. All other cases conform. `minor`: a violation that is less severe than the scope. */
type CaseResults = readonly ('violates' | 'minor' | 'known' | 'inconclusive' | 'deviates')[];

/** The baseline entries and the declared deviations that fail the run. */
interface Outdated {
  readonly entries: NonNullable<Report['baseline']>['problems'];
  readonly deviations: NonNullable<Report['deviations']>['problems'];
}

/** Returns a report with the given case results and problems. */
function reportOf(ends: CaseResults, { entries, deviations }: Outdated): Report {
  const musts = new Set(sample.requirements.flatMap(({ id, level }) => (level === 'must' ? [id] : [])));
  const own = sample.cases.filter(({ checks }) => checks.some((one) => musts.has(one.requirement)));
  const cases = own.map((item, index): CaseReport => {
    const end = ends[index] ?? 'conforms';
    const outcome: Outcome = end === 'known' || end === 'minor' ? 'violates' : end;
    const checks = item.checks
      .filter(({ requirement }) => musts.has(requirement))
      .map(({ requirement }) => ({
        requirement,
        outcome,
        findings: [],
        ...(end === 'known' && { expected: 'Ticket 12' }),
        ...(end === 'minor' && { severity: 'wrong-detail' as const }),
      }));
    return { ...item, outcome, checks };
  });
  const verdict = cases.some(({ outcome }) => outcome === 'violates')
    ? 'violates'
    : ends.includes('inconclusive')
      ? 'inconclusive'
      : ends.includes('deviates')
        ? 'as-declared'
        : 'conforms';
  const baseline = { file: 'known.yaml', expected: 0, problems: entries };
  const declared = { parts: [], problems: deviations };
  return {
    ...sample,
    ...(ends.includes('minor') && { scope: 'status' as const }),
    suite: undefined,
    cases,
    verdict,
    baseline,
    deviations: declared,
    diagnosis: [],
  };
}

const rows: readonly [string, CaseResults, Outdated, OverallResult, number][] = [
  ['nothing is violated', [], fine, 'conforms', 0],
  ['something is violated', ['violates'], fine, 'violates', 1],
  ['there are an expected and an unexpected violation', ['known', 'violates'], stale, 'violates', 1],
  ['all violations are expected', ['known'], fine, 'as-expected', 0],
  ['nothing is violated and an entry is stale', [], stale, 'baseline-outdated', 1],
  ['all violations are expected and an entry is stale', ['known'], stale, 'baseline-outdated', 1],
  ['something is inconclusive and an entry is stale', ['inconclusive'], stale, 'baseline-outdated', 1],
  ['something is inconclusive', ['inconclusive'], fine, 'inconclusive', 3],
  [
    'something is inconclusive and all violations are expected',
    ['known', 'inconclusive'],
    fine,
    'inconclusive',
    3,
  ],
  ['some responses are as declared', ['deviates'], fine, 'as-declared', 0],
  ['responses are as declared, and something is violated', ['deviates', 'violates'], fine, 'violates', 1],
  [
    'responses are as declared, and all violations are expected',
    ['deviates', 'known'],
    fine,
    'as-expected',
    0,
  ],
  [
    'responses are as declared, and something is inconclusive',
    ['deviates', 'inconclusive'],
    fine,
    'inconclusive',
    3,
  ],
  ['all violations are less severe than the scope', ['minor'], fine, 'in-scope', 0],
  ['a violation is in the scope, and another is not', ['minor', 'violates'], fine, 'violates', 1],
  ['a deviation is stale', ['deviates'], staleDeviation, 'deviations-outdated', 1],
  [
    'a deviation is stale and all violations are expected',
    ['known'],
    staleDeviation,
    'deviations-outdated',
    1,
  ],
  [
    'a deviation is stale and something is inconclusive',
    ['inconclusive'],
    staleDeviation,
    'deviations-outdated',
    1,
  ],
  ['a deviation is stale and something is violated', ['violates'], staleDeviation, 'violates', 1],
  [
    'a deviation and an entry are stale',
    [],
    { ...staleDeviation, entries: stale.entries },
    'baseline-outdated',
    1,
  ],
];

/** For each reporter, the text that identifies each result, or undefined if the tests do not search the format. */
const verdictTexts: Readonly<Record<ReporterName, Readonly<Record<OverallResult, string>> | undefined>> = {
  terminal: {
    conforms: '✓ CONFORMS  http',
    'in-scope': '≈ PASSED (--fail-on status): ',
    violates: '✗ VIOLATES  http',
    'as-expected': '≈ PASSED with ',
    'baseline-outdated': '✗ STALE BASELINE  http',
    'as-declared': '✓ AS DECLARED: ',
    'deviations-outdated': '✗ STALE DEVIATIONS  http',
    inconclusive: '? INCONCLUSIVE  http',
  },
  json: undefined,
  junit: {
    conforms: '<property name="result" value="conforms"/>',
    'in-scope': 'value="passed in scope (--fail-on',
    violates: '<property name="result" value="violates"/>',
    'as-expected': '<property name="result" value="passed with ',
    'baseline-outdated': '<property name="result" value="has a stale baseline"/>',
    'as-declared': '<property name="result" value="as declared: ',
    'deviations-outdated': '<property name="result" value="has stale deviations"/>',
    inconclusive: '<property name="result" value="inconclusive"/>',
  },
  html: {
    conforms: '</span>Conforms</h1>',
    'in-scope': '</span>Passed in scope (--fail-on',
    violates: '</span>Violates the specification</h1>',
    'as-expected': '</span>Passed with ',
    'baseline-outdated': '</span>Stale baseline</h1>',
    'as-declared': '</span>As declared: ',
    'deviations-outdated': '</span>Stale deviations</h1>',
    inconclusive: '</span>Inconclusive</h1>',
  },
  tap: {
    conforms: '\n# Model gateway: conforms\n',
    'in-scope': '\n# Model gateway: passed in scope (',
    violates: '\n# Model gateway: violates\n',
    'as-expected': '\n# Model gateway: passed with ',
    'baseline-outdated': '\n# Model gateway: has a stale baseline\n',
    'as-declared': '\n# Model gateway: as declared: ',
    'deviations-outdated': '\n# Model gateway: has stale deviations\n',
    inconclusive: '\n# Model gateway: inconclusive\n',
  },
  markdown: {
    conforms: '## ✅ The gateway conforms\n',
    'in-scope': '## ✅ The gateway passed in scope (',
    violates: '## ❌ The gateway violates the specification\n',
    'as-expected': '## ✅ The gateway passed with ',
    'baseline-outdated': '## ❌ The baseline of the gateway is stale\n',
    'as-declared': '## ✅ The gateway does what its profile declares: ',
    'deviations-outdated': '## ❌ The declared deviations of the gateway are stale\n',
    inconclusive: '## ❔ The result is inconclusive\n',
  },
  ctrf: {
    conforms: '"result": "conforms"',
    'in-scope': '"result": "passed in scope (',
    violates: '"result": "violates"',
    'as-expected': '"result": "passed with ',
    'baseline-outdated': '"result": "has a stale baseline"',
    'as-declared': '"result": "as declared: ',
    'deviations-outdated': '"result": "has stale deviations"',
    inconclusive: '"result": "inconclusive"',
  },
  brief: {
    conforms: ': conforms\n',
    'in-scope': ': passed in scope (',
    violates: ': violates\n',
    'as-expected': ': passed with ',
    'baseline-outdated': ': has a stale baseline\n',
    'as-declared': ': as declared: ',
    'deviations-outdated': ': has stale deviations\n',
    inconclusive: ': inconclusive\n',
  },
  github: {
    conforms: '::notice title=Model gateway%3A conforms::',
    'in-scope': '%3A passed in scope (',
    violates: '::notice title=Model gateway%3A violates::',
    'as-expected': '::notice title=Model gateway%3A passed with ',
    'baseline-outdated': '::notice title=Model gateway%3A has a stale baseline::',
    'as-declared': '::notice title=Model gateway%3A as declared%3A ',
    'deviations-outdated': '::notice title=Model gateway%3A has stale deviations::',
    inconclusive: '::notice title=Model gateway%3A inconclusive::',
  },
  sarif: {
    conforms: '"result": "conforms"',
    'in-scope': '"result": "in-scope"',
    violates: '"result": "violates"',
    'as-expected': '"result": "as-expected"',
    'baseline-outdated': '"result": "baseline-outdated"',
    'as-declared': '"result": "as-declared"',
    'deviations-outdated': '"result": "deviations-outdated"',
    inconclusive: '"result": "inconclusive"',
  },
  har: undefined,
  badge: {
    conforms: 'fill="#4b0"',
    'in-scope': 'fill="#ea7233"',
    violates: 'fill="#dd4343"',
    'as-expected': 'fill="#ea7233"',
    'baseline-outdated': 'fill="#dd4343"',
    'as-declared': 'fill="#67ac09"',
    'deviations-outdated': 'fill="#dd4343"',
    inconclusive: 'fill="#d8b800"',
  },
};

const namesWithWords = reporterNames
  .filter(isReporterName)
  .filter((name) => verdictTexts[name] !== undefined);

test.each(rows)('if %s, the result and the exit code follow', (_, ends, problems, result, code) => {
  const report = reportOf(ends, problems);
  expect(decideGate(report).result).toBe(result);
  expect(chooseExitCode(report, { strict: false, strictShould: false })).toBe(code);
});

describe.each(namesWithWords)('the %s report', (name) => {
  const eachResult = rows.filter(
    ([, , , result], index) => rows.findIndex((row) => row[3] === result) === index,
  );
  test.each(eachResult)('says if %s', async (_, ends, problems, result) => {
    const report = await reporters[name]();
    const text = joinReportText(report(createView(reportOf(ends, problems)), style));
    const words: Readonly<Record<string, string>> = verdictTexts[name] ?? {};
    const found = new Set(Object.values(words).filter((one) => text.includes(one)));
    expect([...found]).toEqual([words[result]]);
  });
});

test.each(['terminal', 'markdown', 'github', 'html'] as const)(
  'the %s report names the inconclusive requirements',
  async (name) => {
    const write = await reporters[name]();
    const report = reportOf(['known', 'inconclusive'], fine);
    const ids = report.cases[1]?.checks.map(({ requirement }) => requirement) ?? [];
    const namesThem = (diagnosis: Report['diagnosis']): boolean => {
      const text = joinReportText(write(createView({ ...report, diagnosis }), style)).replace(/<[^>]+>/g, '');
      const words = text.replace(/[^\w/-]+/g, ' ');
      return ids.some((id) => words.includes(`Inconclusive ${id}`));
    };
    const about = { operation: undefined, message: 'A message.' };
    expect(namesThem([])).toBe(true);
    expect(namesThem([{ ...about, kind: 'left-changed' }])).toBe(true);
    expect(namesThem([{ ...about, kind: 'stopped' }])).toBe(false);
    expect(joinReportText(write(createView(reportOf(['known'], fine)), style))).not.toContain(
      'Inconclusive  ',
    );
  },
);

describe('if only a client fails the command with --strict-client', () => {
  test.each<[string, CaseResults, string]>([
    ['conforms', [], 'the gateway conforms  http'],
    ['passed', ['known'], ' (baseline)  http'],
    ['is inconclusive', ['inconclusive'], 'the gateway could not be fully judged  http'],
  ])(
    'the last line of the terminal report names the duty, and states that the gateway %s',
    async (_, ends, says) => {
      const terminal = await reporters.terminal();
      const { recording } = withRarities(sample);
      const report = { ...reportOf(ends, fine), ...(recording && { recording }) };
      expect(chooseExitCode(report, { strict: false, strictShould: false, strictClient: true })).toBe(1);
      const last = (text: string): string => text.trimEnd().split('\n').at(-1) ?? '';
      const line = last(terminal(createView(report), { ...style, strictClient: true }));
      expect(line).toContain('✗ CLIENT VIOLATES client/a (--strict-client); ');
      expect(line).toContain(says);
      expect(last(terminal(createView(report), style))).not.toContain('CLIENT');
    },
  );
});
