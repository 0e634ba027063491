import type { DataFile, DataPath } from '../../common/data-file.ts';
import { compileGlob, compileNamePattern, type TextTest } from '../../common/glob.ts';
import { toList, toMapping } from '../../common/mapping.ts';
import type { Schemas } from '../../common/schemas.ts';
import { validateData } from '../../common/validate-data.ts';
import type { Outcome } from '../judge/outcome.ts';
import { isGrave, rankOf, type Severity, severities } from '../judge/severity.ts';
import { formatModelSegment } from '../plan/applicability.ts';
import { collectModelFailures, isJudgedModel } from '../report/model-failures.ts';
import type { CaseReport, CheckReport, Report } from '../report/report.ts';

export const sections = ['violations', 'notApplicable', 'inconclusive'] as const;
export type Section = (typeof sections)[number];

/**
 * One case pattern of a baseline entry, or the whole entry if the entry has at most one case pattern. Each pattern is
 * checked separately.
 */
export interface EntryPattern {
  readonly section: Section;
  /** The patterns of requirement IDs and case IDs. An undefined pattern matches every ID. */
  readonly requirement: string | undefined;
  readonly case: string | undefined;
  readonly reason: string;
  /** The worst severity that the entry accepts; undefined in the sections other than `violations`. */
  readonly severity: Severity | undefined;
  /** The last day on which the entry is valid, such as 2027-01-31; undefined if the entry does not expire. */
  readonly until: string | undefined;
  readonly isIntermittent: boolean;
  /** The position of the pattern in the file; the same as `entry` unless the property `case` is a list. */
  readonly path: DataPath;
  readonly entry: DataPath;
  readonly line: number;
}

/** The outcomes that a user accepts. */
export interface Baseline {
  readonly source: DataFile;
  readonly patterns: readonly EntryPattern[];
}

/** Reads a baseline. Throws a `DataFileError`, with the line of the problem, if the baseline is invalid. */
export function readBaseline(source: DataFile, schemas: Schemas): Baseline {
  // A file with only comments is an empty baseline.
  const value = source.value ?? {};
  validateData(source, value, 'baseline', schemas);
  const members = toMapping(value);
  const patterns = sections.flatMap((section) =>
    toList(members[section]).flatMap((raw, index) =>
      readEntry(source, section, toMapping(raw), [section, index]),
    ),
  );
  return { source, patterns };
}

function readEntry(
  source: DataFile,
  section: Section,
  {
    requirement,
    case: cases,
    severity: stated,
    reason,
    until,
    intermittent,
  }: Readonly<Record<string, unknown>>,
  entry: DataPath,
): EntryPattern[] {
  if (requirement === undefined && cases === undefined)
    throw source.error(
      entry,
      'an entry needs a `requirement`, a `case`, or both. Add one of these properties.',
    );
  const severity = severities.find((one) => one === stated);
  if (section === 'violations' && severity === undefined)
    throw source.error(
      entry,
      'the entry has no `severity`. Add the worst severity that you accept, such as the line `severity: wrong-type`. Everything worse then fails the run.',
    );
  const createPattern = (pattern: unknown, path: DataPath): EntryPattern => ({
    section,
    requirement: toText(requirement),
    case: toText(pattern),
    severity,
    reason: String(reason),
    until: toText(until),
    isIntermittent: intermittent === true,
    path,
    entry,
    line: source.lineOf(path) ?? 1,
  });
  const patterns = Array.isArray(cases)
    ? cases.map((pattern, index) => createPattern(pattern, [...entry, 'case', index]))
    : [createPattern(cases, entry)];
  const wide = patterns.find((pattern) => isGraveEntry(pattern) && !namesOneCase(pattern));
  if (wide)
    throw source.error(
      wide.path,
      `an entry with \`severity: ${severity}\` must list the IDs of its cases, without \`*\`. Copy the IDs from the report, or let \`--update-baseline\` write the entry.`,
    );
  return patterns;
}

/** Whether an entry accepts failures above `wrong-status`. Such an entry names its cases one by one. */
export function isGraveEntry({ severity }: Pick<EntryPattern, 'severity'>): boolean {
  return severity !== undefined && isGrave(severity);
}

/** Whether a pattern names one case, or all cases of one listed model, of which a report contains only a few. */
function namesOneCase({ case: name }: EntryPattern): boolean {
  return name !== undefined && !name.replace(casesOfModel(''), '').includes('*');
}

export function acceptsSeverity({ severity }: Pick<EntryPattern, 'severity'>, seen: Severity): boolean {
  return severity === undefined || rankOf(seen) >= rankOf(severity);
}

function toText(value: unknown): string | undefined {
  return value === undefined ? undefined : String(value);
}

/** Returns the pattern that matches the IDs of all cases of a listed model. */
export function casesOfModel(model: string): string {
  return `*/${formatModelSegment(model)}`;
}

/** Returns the test for the IDs of the cases of a pattern. A pattern of a grave entry matches only the whole ID. */
export function compileCases(pattern: EntryPattern): TextTest {
  const glob = pattern.case ?? '*';
  return isGraveEntry(pattern) ? compileNamePattern(glob) : compileGlob(glob);
}

/** Whether a pattern covers all cases of a model for a requirement. */
export function coversModel(pattern: EntryPattern, requirement: string, model: string): boolean {
  return (
    compileGlob(pattern.requirement ?? '*')(requirement) &&
    compileCases(pattern)(`\u0000/${formatModelSegment(model)}`)
  );
}

/**
 * Returns the outcomes of the listed models to which a pattern applies. Undefined stands for an unknown outcome. A
 * report contains few cases of listed models, so the result has outcomes of models, not of cases.
 */
export function outcomesOfModels(pattern: EntryPattern, report: CheckResults): (Outcome | undefined)[] {
  const named = pattern.case?.split('/').findLast((part) => part.startsWith('model-id='));
  const { models } = report;
  if (!models) return named === undefined ? [] : [undefined];
  const ofRequirement = compileGlob(pattern.requirement ?? '*');
  const requirements = models.requirements.filter(({ id }) => ofRequirement(id));
  if (requirements.length === 0) return [];
  const isNamed = named === undefined ? undefined : compileGlob(named);
  const failures = collectModelFailures(report).filter(({ requirement }) => ofRequirement(requirement));
  const matched = models.items.filter(
    ({ id }) => isNamed?.(formatModelSegment(id)) ?? coversModel(pattern, requirements[0]?.id ?? '', id),
  );
  const outcomes = matched.flatMap((item): (Outcome | undefined)[] => {
    const own = failures.filter(({ model }) => model === item.id);
    // The IDs of cases that the report does not contain are unknown.
    const failed = own.map(({ requirement, outcome, unshown }) => {
      if (coversModel(pattern, requirement, item.id)) return outcome;
      return unshown > 0 ? undefined : 'conforms';
    });
    if (item.cases.inconclusive > 0) return [...failed, 'inconclusive'];
    return own.length > 0 ? failed : [outcomeWithoutFailures(item)];
  });
  // A model that was not tested may be listed in the next run.
  return named !== undefined && matched.length === 0 ? [undefined] : outcomes;
}

function outcomeWithoutFailures(item: NonNullable<Report['models']>['items'][number]): Outcome {
  return isJudgedModel(item) ? 'conforms' : 'not-applicable';
}

/**
 * Returns checks for the requirements that listed models violate in `report` or in one of `others`. Each check covers
 * all cases of one model.
 */
export function checksOfModels(
  report: CheckResults,
  others: readonly CheckResults[],
): { readonly id: string; readonly check: CheckReport }[] {
  const failures = collectModelFailures(report);
  const failed = new Set(failures.map(({ model, requirement }) => `${requirement} ${model}`));
  const items = new Map(report.models?.items.map((item) => [item.id, item]));
  const conforming = others.flatMap(collectModelFailures).flatMap(({ model, requirement }) => {
    const item = items.get(model);
    if (!item || failed.has(`${requirement} ${model}`)) return [];
    const outcome = item.cases.inconclusive > 0 ? 'inconclusive' : outcomeWithoutFailures(item);
    return [{ id: casesOfModel(model), check: { requirement, outcome, findings: [] } }];
  });
  const shown = failures.map(({ model, requirement, outcome, severity }) => {
    const checks = report.cases.flatMap((item) => (item.model === model ? item.checks : []));
    const findings = checks.find((one) => one.requirement === requirement && one.outcome === outcome);
    return {
      id: casesOfModel(model),
      check: { requirement, outcome, findings: findings?.findings ?? [], severity },
    };
  });
  return [...shown, ...conforming];
}

/** The parts of a report with the outcomes of checks. */
export interface CheckResults extends Pick<Report, 'models'> {
  readonly cases: readonly Pick<CaseReport, 'id' | 'checks' | 'model'>[];
}
