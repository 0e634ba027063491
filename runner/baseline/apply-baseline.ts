import { suggestion } from '../../contract/nearest.ts';
import { compileGlob } from '../catalog/glob.ts';
import type { Outcome } from '../judge/outcome.ts';
import type { Report } from '../report/report.ts';
import type { Baseline, Claim, Section } from './baseline.ts';
import { coversModel, type Judged, outcomesOfModels } from './model-entries.ts';

/** A requirement in a case. */
export interface Duty {
  readonly requirement: string;
  readonly case: string;
}

/** How a claim stands against what was judged; `unknown` where too little of it was. */
export type Standing = 'applies' | 'unknown' | 'over' | 'expired' | 'matches-nothing';

type Outcomes = ReadonlyMap<string, Outcome>;

/** The outcomes that keep the entries of a section from being stale. */
const confirming: Readonly<Record<Section, readonly Outcome[]>> = {
  violations: ['violates', 'warns'],
  notApplicable: ['not-applicable'],
  inconclusive: ['inconclusive'],
};

/** The outcomes that a section accepts: if a violation is accepted, that it could not be judged this time is, too. */
const accepted: Readonly<Record<Section, readonly Outcome[]>> = {
  ...confirming,
  violations: ['violates', 'warns', 'inconclusive'],
};

/**
 * The report as its baseline makes it: what was expected says why, and each claim that expired, matches no duty of the
 * plan (`known`), or no longer applies is a problem. `today` is a date such as 2027-01-31.
 */
export function applyBaseline(
  report: Report,
  baseline: Baseline,
  known: readonly Duty[],
  today: string,
): Report {
  const reasonFor = makeExpect(baseline, today);
  const reasonForModel = makeExpectOfModel(baseline, today);
  let expected = 0;
  const cases = report.cases.map((item) => ({
    ...item,
    obligations: item.obligations.map((obligation) => {
      const { requirement, outcome } = obligation;
      const reason = reasonFor({ requirement, case: item.id }, outcome);
      expected += reason === undefined ? 0 : 1;
      return reason === undefined ? obligation : { ...obligation, expected: reason };
    }),
  }));
  const problems = entryStatuses(baseline, report, known, today).flatMap(({ claim, standing }) => {
    const message = complain(claim, standing, known);
    return message === undefined ? [] : [{ line: claim.line, message }];
  });
  problems.sort((a, b) => a.line - b.line);
  const { models } = report;
  const items = models?.items.map((item) => ({
    ...item,
    broken: item.broken.map((breach) => {
      const reason = reasonForModel({ ...breach, model: item.id });
      return reason === undefined ? breach : { ...breach, expected: reason };
    }),
  }));
  return {
    ...report,
    ...(models && items && { models: { ...models, items } }),
    cases,
    baseline: { file: baseline.source.file, expected, problems },
  };
}

/** Tells why a baseline expects an outcome; undefined where it doesn't. */
export function makeExpect(
  { claims }: Baseline,
  today: string,
): (duty: Duty, outcome: Outcome) => string | undefined {
  const valid = claims.filter((claim) => !isExpired(claim, today)).map(withTest);
  return (duty, outcome) =>
    valid.find(({ claim, test }) => accepted[claim.section].includes(outcome) && test(duty))?.claim.reason;
}

/** Tells why a baseline expects all that a listed model breaks of a requirement. */
export function makeExpectOfModel(
  { claims }: Baseline,
  today: string,
): (breach: {
  readonly requirement: string;
  readonly outcome: Outcome;
  readonly model: string;
}) => string | undefined {
  const valid = claims.filter((claim) => !isExpired(claim, today));
  return ({ requirement, outcome, model }) =>
    valid.find((claim) => accepted[claim.section].includes(outcome) && coversModel(claim, requirement, model))
      ?.reason;
}

/** How each claim of a baseline stands after a run. */
export function entryStatuses(
  { claims }: Baseline,
  report: Judged,
  known: readonly Duty[],
  today: string,
): { readonly claim: Claim; readonly standing: Standing }[] {
  const outcomes: Outcomes = new Map(
    report.cases.flatMap((item) =>
      item.obligations.map(({ requirement, outcome }) => [keyOf({ requirement, case: item.id }), outcome]),
    ),
  );
  // The cases of listed models are in no plan.
  const shown = report.cases.flatMap(({ id, model, obligations }) =>
    model === undefined ? [] : obligations.map(({ requirement }) => ({ requirement, case: id })),
  );
  return claims.map(withTest).map(({ claim, test }) => {
    const matched = [
      ...[...known, ...shown].filter(test).map((duty) => outcomes.get(keyOf(duty))),
      ...outcomesOfModels(claim, report),
    ];
    const standing = worstEntryStatus(claim, matched);
    const expired = isExpired(claim, today) && (standing === 'applies' || standing === 'unknown');
    return { claim, standing: expired ? 'expired' : standing };
  });
}

/**
 * A claim is over if everything in it that applies to the gateway was judged, with other outcomes. An intermittent one
 * never is: its next run may confirm it.
 */
function worstEntryStatus(
  { section, isIntermittent }: Claim,
  matched: readonly (Outcome | undefined)[],
): Standing {
  if (matched.length === 0) return 'matches-nothing';
  if (matched.some((outcome) => outcome !== undefined && confirming[section].includes(outcome)))
    return 'applies';
  if (matched.some((outcome) => outcome === undefined || outcome === 'inconclusive')) return 'unknown';
  const isOver = !isIntermittent && matched.some((outcome) => outcome !== 'not-applicable');
  return isOver ? 'over' : 'unknown';
}

function complain(claim: Claim, standing: Standing, known: readonly Duty[]): string | undefined {
  switch (standing) {
    case 'applies':
    case 'unknown':
      return undefined;
    case 'over':
      return over[claim.section](nameOf(claim));
    case 'expired':
      return `${nameOf(claim)} was accepted until ${claim.until} (${claim.reason}).`;
    case 'matches-nothing':
      return unmatched(claim, known);
  }
}

/** What is wrong with an entry that no longer applies; what could not be judged once may come again. */
const over: Readonly<Record<Section, (name: string) => string | undefined>> = {
  violations: (name) => `${name} is no longer violated. Take it out.`,
  notApplicable: (name) => `${name} was judged. Take it out.`,
  inconclusive: () => undefined,
};

function unmatched(claim: Claim, known: readonly Duty[]): string {
  for (const member of ['requirement', 'case'] as const) {
    const pattern = claim[member];
    const names = [...new Set(known.map((duty) => duty[member]))];
    if (pattern !== undefined && !names.some(compileGlob(pattern)))
      return `There is no ${member} "${pattern}".${suggestion(pattern, names)}`;
  }
  return `No case "${claim.case}" judges "${claim.requirement}".`;
}

function nameOf({ requirement, case: cases }: Claim): string {
  const names = [requirement, cases].flatMap((name) => (name === undefined ? [] : [`"${name}"`]));
  return names.join(' in ');
}

function withTest(claim: Claim): { readonly claim: Claim; readonly test: (duty: Duty) => boolean } {
  const ofRequirement = compileGlob(claim.requirement ?? '*');
  const ofCase = compileGlob(claim.case ?? '*');
  return { claim, test: (duty) => ofRequirement(duty.requirement) && ofCase(duty.case) };
}

function isExpired({ until }: Claim, today: string): boolean {
  return until !== undefined && until < today;
}

/** No id has a space. */
export function keyOf({ requirement, case: id }: Duty): string {
  return `${requirement} ${id}`;
}
