import { compileGlob } from '../../common/glob.ts';
import { formatSuggestion } from '../../common/nearest.ts';
import { isFailed, type Outcome } from '../judge/outcome.ts';
import { findMostSevere, type Severity, severityOfCheck } from '../judge/severity.ts';
import type { ModelFailure } from '../report/model-failures.ts';
import type { CheckReport, Report } from '../report/report.ts';
import {
  acceptsSeverity,
  type Baseline,
  type CheckResults,
  compileCases,
  coversModel,
  type EntryPattern,
  outcomesOfModels,
  type Section,
} from './baseline.ts';

export interface CheckId {
  readonly requirement: string;
  readonly case: string;
}

/**
 * The status of a pattern of a baseline after a run; `unknown` if the run neither confirms nor refutes the pattern.
 */
export type EntryStatus = 'applies' | 'unknown' | 'stale' | 'expired' | 'matches-nothing';

type Outcomes = ReadonlyMap<string, Outcome>;

/** For each section, the outcomes of a check that confirm an entry. A confirmed entry is not stale. */
const confirmingOutcomes: Readonly<Record<Section, readonly Outcome[]>> = {
  violations: ['violates', 'warns'],
  notApplicable: ['not-applicable'],
  inconclusive: ['inconclusive'],
};

/** The outcomes that each section accepts. An entry for a violation also accepts an inconclusive check. */
const acceptedOutcomes: Readonly<Record<Section, readonly Outcome[]>> = {
  ...confirmingOutcomes,
  violations: ['violates', 'warns', 'inconclusive'],
};

/**
 * Returns a report with a baseline applied. Expected checks, and expected failures of listed models, get the reason
 * of their entry. The report lists problems of patterns that expired, are stale, or match no check of the plan
 * (`known`) or of a listed model. Patterns of the section `inconclusive` are never stale. `today` is a date
 * such as 2027-01-31.
 */
export function applyBaseline(
  report: Report,
  baseline: Baseline,
  known: readonly CheckId[],
  today: string,
): Report {
  const look = createBaselineLookup(baseline, today);
  const reasonForModel = createModelReasonLookup(baseline, today);
  let expected = 0;
  const cases = report.cases.map((item) => ({
    ...item,
    checks: item.checks.map((check) => {
      const { reason, acceptedSeverity } = look({ requirement: check.requirement, case: item.id }, check);
      if (reason === undefined) return acceptedSeverity ? { ...check, acceptedSeverity } : check;
      expected += 1;
      return { ...check, expected: reason };
    }),
  }));
  const problems = listEntryStatuses(baseline, report, known, today).flatMap(({ pattern, status }) => {
    if (status === 'applies' || status === 'unknown') return [];
    const message = formatProblem(pattern, status, known);
    return message === undefined ? [] : [{ line: pattern.line, message, status }];
  });
  problems.sort((a, b) => a.line - b.line);
  const { models } = report;
  const items = models?.items.map((item) => ({
    ...item,
    broken: item.broken.map((failure) => {
      const severity = severityOfCheck(failure);
      const reason = reasonForModel({ ...failure, severity, model: item.id });
      return reason === undefined ? failure : { ...failure, expected: reason };
    }),
  }));
  return {
    ...report,
    ...(models && items && { models: { ...models, items } }),
    cases,
    baseline: { file: baseline.source.file, expected, problems },
  };
}

/** A result of a check, as far as a baseline accepts it. */
export interface BaselineResult {
  /** The reason of the entry that accepts the result; undefined if no entry does. */
  readonly reason: string | undefined;
  /** The worst severity that entries accept for the check, if the result is worse; otherwise undefined. */
  readonly acceptedSeverity: Severity | undefined;
}

/** Creates a lookup of what the valid entries of a baseline say about a result of a check. */
export function createBaselineLookup(
  { patterns }: Baseline,
  today: string,
): (check: CheckId, result: Result) => BaselineResult {
  const valid = patterns.filter((pattern) => !isExpired(pattern, today)).map(withMatcher);
  return (check, result) => {
    const entries = valid
      .filter(
        ({ pattern, test }) => acceptedOutcomes[pattern.section].includes(result.outcome) && test(check),
      )
      .map(({ pattern }) => pattern);
    const accepting = entries.find((pattern) => accepts(pattern, result));
    const severities = entries.flatMap(({ severity }) => severity ?? []);
    return {
      reason: accepting?.reason,
      acceptedSeverity: accepting || severities.length === 0 ? undefined : findMostSevere(severities),
    };
  };
}

type Result = Pick<CheckReport, 'outcome' | 'severity'>;

/** Whether an entry whose section accepts the outcome of a result also accepts its severity. */
function accepts(pattern: EntryPattern, { outcome, severity }: Result): boolean {
  return !isFailed(outcome) || acceptsSeverity(pattern, severityOfCheck({ severity }));
}

/**
 * Creates a lookup of the reason why a baseline accepts an outcome of a requirement for a model. The lookup returns
 * undefined if no valid entry accepts the outcome.
 */
export function createModelReasonLookup(
  { patterns }: Baseline,
  today: string,
): (failure: Pick<ModelFailure, 'requirement' | 'outcome' | 'model' | 'severity'>) => string | undefined {
  const valid = patterns.filter((pattern) => !isExpired(pattern, today));
  return ({ requirement, outcome, model, severity }) =>
    valid.find(
      (pattern) =>
        acceptedOutcomes[pattern.section].includes(outcome) &&
        acceptsSeverity(pattern, severity) &&
        coversModel(pattern, requirement, model),
    )?.reason;
}

/** Returns the status of each pattern of the baseline entries after a run. */
export function listEntryStatuses(
  { patterns }: Baseline,
  report: CheckResults,
  known: readonly CheckId[],
  today: string,
): { readonly pattern: EntryPattern; readonly status: EntryStatus }[] {
  const outcomes: Outcomes = new Map(
    report.cases.flatMap((item) =>
      item.checks.map(({ requirement, outcome }) => [checkKey({ requirement, case: item.id }), outcome]),
    ),
  );
  // The plan does not contain the cases of listed models.
  const shown = report.cases.flatMap(({ id, model, checks }) =>
    model === undefined ? [] : checks.map(({ requirement }) => ({ requirement, case: id })),
  );
  return patterns.map(withMatcher).map(({ pattern, test }) => {
    const matched = [
      ...[...known, ...shown].filter(test).map((check) => outcomes.get(checkKey(check))),
      ...outcomesOfModels(pattern, report),
    ];
    const status = entryStatus(pattern, matched);
    const expired = isExpired(pattern, today) && (status === 'applies' || status === 'unknown');
    return { pattern, status: expired ? 'expired' : status };
  });
}

/**
 * Returns the status of a pattern, ignoring its expiry date. A pattern is stale if at least one check is applicable,
 * all applicable checks were judged, and no check confirms the entry. A pattern of an intermittent entry is never
 * stale, since the next run may confirm the entry.
 */
function entryStatus(
  { section, isIntermittent }: EntryPattern,
  matched: readonly (Outcome | undefined)[],
): EntryStatus {
  if (matched.length === 0) return 'matches-nothing';
  if (matched.some((outcome) => outcome !== undefined && confirmingOutcomes[section].includes(outcome)))
    return 'applies';
  if (matched.some((outcome) => outcome === undefined || outcome === 'inconclusive')) return 'unknown';
  const isStale = !isIntermittent && matched.some((outcome) => outcome !== 'not-applicable');
  return isStale ? 'stale' : 'unknown';
}

function formatProblem(
  pattern: EntryPattern,
  status: Exclude<EntryStatus, 'applies' | 'unknown'>,
  known: readonly CheckId[],
): string | undefined {
  switch (status) {
    case 'stale':
      return staleMessage[pattern.section](nameOf(pattern));
    case 'expired':
      return `The entry for ${nameOf(pattern)} expired after ${pattern.until} (${pattern.reason}). Remove the entry, or extend \`until\`.`;
    case 'matches-nothing':
      return formatUnmatched(pattern, known);
  }
}

/**
 * The messages about stale entries. An `inconclusive` entry gets no message, since its checks may be inconclusive
 * again.
 */
const staleMessage: Readonly<Record<Section, (name: string) => string | undefined>> = {
  violations: (name) => `${name} is no longer violated. Remove the entry.`,
  notApplicable: (name) => `${name} is applicable now and was judged. Remove the entry.`,
  inconclusive: () => undefined,
};

const correctEntry = ' Correct or remove the entry.';

function formatUnmatched(pattern: EntryPattern, known: readonly CheckId[]): string {
  for (const member of ['requirement', 'case'] as const) {
    const glob = pattern[member];
    const names = [...new Set(known.map((check) => check[member]))];
    if (glob !== undefined && !names.some(compileGlob(glob)))
      return `No ${member} matches "${glob}".${formatSuggestion(glob, names) || correctEntry}`;
  }
  return `No case that matches "${pattern.case}" checks "${pattern.requirement}".${correctEntry}`;
}

function nameOf({ requirement, case: cases }: EntryPattern): string {
  const names = [requirement, cases].flatMap((name) => (name === undefined ? [] : [`"${name}"`]));
  return names.join(' in ');
}

function withMatcher(pattern: EntryPattern): {
  readonly pattern: EntryPattern;
  readonly test: (check: CheckId) => boolean;
} {
  const ofRequirement = compileGlob(pattern.requirement ?? '*');
  const ofCase = compileCases(pattern);
  return { pattern, test: (check) => ofRequirement(check.requirement) && ofCase(check.case) };
}

function isExpired({ until }: EntryPattern, today: string): boolean {
  return until !== undefined && until < today;
}

/** Returns a text that identifies a check. IDs contain no spaces. */
export function checkKey({ requirement, case: id }: CheckId): string {
  return `${requirement} ${id}`;
}
