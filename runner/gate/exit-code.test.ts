import { expect, test } from 'vitest';
import { createCase, createCheck, createReport } from '../../tests/support/reports.ts';
import type { Outcome } from '../judge/outcome.ts';
import type { Scope, Severity } from '../judge/severity.ts';
import type { Report } from '../report/report.ts';
import { chooseExitCode } from './exit-code.ts';

/** Creates a report with one case for each of `checks`. By default, the requirement of a case is a `must`. */
function report(
  checks: readonly (readonly [Outcome, { readonly should?: true; readonly expected?: string }?])[],
  more: Partial<Report> = {},
): Report {
  const cases = checks.map(([outcome, { should, expected } = {}], index) =>
    createCase(String(index), [
      createCheck(should ? 'should' : 'must', outcome, { ...(expected !== undefined && { expected }) }),
    ]),
  );
  return createReport(cases, more, (id) => ({ level: id === 'should' ? 'should' : 'must' }));
}

const known = { expected: 'known' };

function notApplicable(details: { readonly dependsOn?: string }): Partial<Report> {
  const notJudged = [{ outcome: 'not-applicable', reason: '', count: 1, ...details } as const];
  return { models: { patterns: ['*'], listed: 1, items: [], requirements: [], notJudged } };
}
const lax = { strict: false, strictShould: false };
const problem = { file: 'b.yaml', expected: 0, problems: [{ line: 1, message: 'x' }] };
const outdated = {
  parts: [],
  problems: [{ place: 'p.yaml:1', status: 'stale', message: 'x' }],
} as const;
const stopped = (kind: 'interrupted' | 'time' | 'bail' | 'unanswered'): Partial<Report> => ({
  stopped: { kind, reason: '' },
});

/** A report with a violation of each of these severities. */
const severe = (scope: Scope, ...severities: readonly Severity[]): Report =>
  createReport(
    severities.map((severity, index) =>
      createCase(String(index), [createCheck('must', 'violates', { severity })]),
    ),
    { scope },
  );

test.each<[string, Report, Partial<typeof lax>, number]>([
  ['all violations are less severe than the scope', severe('status', 'wrong-type', 'wrong-detail'), {}, 0],
  ['a violation is as severe as the scope', severe('status', 'wrong-type', 'wrong-status'), {}, 1],
  ['a violation is more severe than the scope', severe('status', 'unauthorized-access'), {}, 1],
  ['everything conforms', report([['conforms']]), {}, 0],
  ['a `must` is violated', report([['violates']]), {}, 1],
  ['all violations are expected', report([['violates', known]]), {}, 0],
  ['some violations are not expected', report([['violates', known], ['violates']]), {}, 1],
  ['a baseline entry is stale', report([['conforms']], { baseline: problem }), {}, 1],
  ['responses are as declared', report([['deviates'], ['conforms']]), {}, 0],
  ['a declared deviation is stale', report([['conforms']], { deviations: outdated }), {}, 1],
  ['a `should` is violated', report([['warns', { should: true }]]), {}, 0],
  [
    'a `should` is violated, with strictShould',
    report([['warns', { should: true }]]),
    { strictShould: true },
    1,
  ],
  [
    'a violated `should` is expected, with strictShould',
    report([['warns', known]]),
    { strictShould: true },
    0,
  ],
  ['a `must` is inconclusive', report([['inconclusive'], ['conforms']]), {}, 3],
  [
    'a `must` is inconclusive, next to an expected violation',
    report([['violates', known], ['inconclusive']]),
    {},
    3,
  ],
  ['a `should` is inconclusive', report([['inconclusive', { should: true }], ['conforms']]), {}, 0],
  ['nothing was judged', report([]), {}, 3],
  ['a check is not applicable', report([['not-applicable'], ['conforms']]), {}, 0],
  ['a check is not applicable, with strict', report([['not-applicable'], ['conforms']]), { strict: true }, 3],
  [
    'a check is not applicable as expected, with strict',
    report([['not-applicable', known], ['conforms']]),
    { strict: true },
    0,
  ],
  [
    'a check of a listed model is not applicable, with strict',
    report([['conforms']], notApplicable({})),
    { strict: true },
    3,
  ],
  [
    'a check of a listed model is not applicable because of a violated requirement, with strict',
    report([['conforms']], notApplicable({ dependsOn: 'streams/succeeds' })),
    { strict: true },
    0,
  ],
  ['the time limit was reached', report([['conforms']], stopped('time')), {}, 3],
  ['the gateway did not respond', report([['conforms']], stopped('unanswered')), {}, 3],
  ['the run stopped at a violation', report([['violates']], stopped('bail')), {}, 1],
  ['the run was interrupted', report([['violates']], stopped('interrupted')), {}, 130],
])('returns the exit code $3 if %s', (_, given, options, code) => {
  expect(chooseExitCode(given, { ...lax, ...options })).toBe(code);
});
