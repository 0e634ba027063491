import type { DataPath } from '../../common/data-file.ts';
import { groupBy } from '../../common/lists.ts';
import { isGrave, rankOf, severityOfCheck } from '../judge/severity.ts';
import { collectModelFailures } from '../report/model-failures.ts';
import type { CheckReport, Report, RequirementReport } from '../report/report.ts';
import {
  type CheckId,
  checkKey,
  createBaselineLookup,
  createModelReasonLookup,
  listEntryStatuses,
} from './apply-baseline.ts';
import type { Baseline, Section } from './baseline.ts';
import { type CheckResults, casesOfModel } from './baseline.ts';

const unexplained = 'TODO: explain why this is accepted';

/** Whether the reason of a baseline entry is still the placeholder, or another note to write one. */
export const isUnexplained = (reason: string): boolean => /^TODO\b/.test(reason);

export interface BaselineUpdate {
  readonly text: string;
  /** The number of removed entries. A case pattern that is removed from a remaining entry also counts. */
  readonly removed: number;
  readonly added: number;
}

/**
 * The flags with which an update adds more checks: `strict` adds checks that are not applicable, and `strictShould`
 * adds warnings.
 */
export interface UpdateScope {
  readonly strict: boolean;
  readonly strictShould: boolean;
}

/** The results of a run from which a baseline is updated. */
export type UpdateSource = CheckResults & {
  readonly requirements: readonly Pick<RequirementReport, 'id' | 'level'>[];
  readonly stopped: Report['stopped'];
};

/**
 * Updates a baseline after a run. Removes entries that are stale or match nothing, and keeps all other entries. Adds
 * entries for checks that would make the same run fail, but not for checks of expired entries, and not for
 * inconclusive checks of a stopped run. Returns undefined if nothing changes.
 */
export function updateBaseline(
  report: UpdateSource,
  baseline: Baseline,
  known: readonly CheckId[],
  { strict, strictShould, today }: UpdateScope & { readonly today: string },
): BaselineUpdate | undefined {
  const stale = listEntryStatuses(baseline, report, known, today)
    .filter(({ status }) => status === 'stale' || status === 'matches-nothing')
    .map(({ pattern }) => pattern);
  const remove = listPathsToRemove(
    stale.map(({ path, entry }) => ({ path, entry })),
    baseline,
  );
  // The user must renew an expired entry, so its violations are not added again.
  const look = createBaselineLookup(baseline, '');
  const isListedOfModel = createModelReasonLookup(baseline, '');
  const failing: readonly [Section, readonly CheckReport['outcome'][]][] = [
    ['violations', strictShould ? ['violates', 'warns'] : ['violates']],
    ['notApplicable', strict ? ['not-applicable'] : []],
    // If the run was stopped, the cases that were not sent show nothing about the gateway.
    ['inconclusive', report.stopped ? [] : ['inconclusive']],
  ];
  const musts = new Set(report.requirements.flatMap(({ id, level }) => (level === 'must' ? [id] : [])));
  const fails = ({ requirement, outcome, dependsOn }: CheckReport): boolean =>
    outcome === 'inconclusive' ? musts.has(requirement) : dependsOn === undefined;
  const append = failing.flatMap(([section, outcomes]) => {
    const own = report.cases.filter(({ model }) => model === undefined);
    const all = own.flatMap((item) =>
      item.checks
        .filter((check) => outcomes.includes(check.outcome) && fails(check))
        .map((check) => ({ ...check, case: item.id })),
    );
    const ofModels = collectModelFailures(report)
      .filter(({ outcome }) => outcomes.includes(outcome))
      .filter((failure) => failure.known === undefined && isListedOfModel(failure) === undefined)
      .map(({ requirement, outcome, model, severity }) => ({
        requirement,
        outcome,
        severity,
        case: casesOfModel(model),
      }));
    const fresh = [...all.filter((check) => look(check, check).reason === undefined), ...ofModels];
    return entriesFor(section, fresh, report, known).map((item) => ({ list: section, item }));
  });
  if (remove.length + append.length === 0) return undefined;
  return { text: baseline.source.edited({ remove, append }), removed: remove.length, added: append.length };
}

type NewCheck = CheckId & Pick<CheckReport, 'outcome' | 'reason' | 'severity'>;

/**
 * Returns the new entries for `fresh`: one for each requirement and, in `violations`, for each severity. An entry names
 * its cases. It leaves them out if `fresh` contains all checks of the requirement, and the severity is the lowest of
 * these and not above `wrong-status`. In the sections `violations` and `inconclusive`, checks that are not applicable
 * do not count.
 */
function entriesFor(
  section: Section,
  fresh: readonly NewCheck[],
  report: CheckResults,
  known: readonly CheckId[],
): unknown[] {
  const notApplicable = new Set(
    report.cases.flatMap((item) =>
      item.checks
        .filter(({ outcome }) => outcome === 'not-applicable')
        .map(({ requirement }) => checkKey({ requirement, case: item.id })),
    ),
  );
  return groupBy(fresh, ({ requirement }) => requirement).flatMap(([requirement, own]) => {
    const open = new Set(own.map(checkKey));
    const isWhole = known
      .filter((check) => check.requirement === requirement)
      .every(
        (check) =>
          open.has(checkKey(check)) || (section !== 'notApplicable' && notApplicable.has(checkKey(check))),
      );
    const ranked =
      section === 'violations'
        ? groupBy(own, severityOfCheck).sort(([a], [b]) => rankOf(a) - rankOf(b))
        : [[undefined, own] as const];
    return ranked.map(([severity, checks], index) => {
      const namesCases =
        !isWhole || index < ranked.length - 1 || (severity !== undefined && isGrave(severity));
      const [first, ...others] = checks.map((check) => check.case);
      const reasons = new Set(checks.map(({ reason }) => reason ?? unexplained));
      return {
        requirement,
        ...(severity !== undefined && { severity }),
        ...(namesCases && { case: others.length === 0 ? first : [first, ...others] }),
        reason: reasonOf[section]([...reasons].join(' ')),
      };
    });
  });
}

const reasonOf: Readonly<Record<Section, (reasons: string) => string>> = {
  violations: () => unexplained,
  notApplicable: (reasons) => reasons,
  inconclusive: (reasons) => `${unexplained}. ${reasons}`,
};

/** Returns the paths of the stale patterns; if all patterns of an entry are stale, the path of the entry instead. */
function listPathsToRemove(
  stale: readonly { readonly path: DataPath; readonly entry: DataPath }[],
  { patterns }: Baseline,
): DataPath[] {
  const entries = [...new Map(stale.map(({ entry }) => [entry.join(), entry])).values()];
  return entries.flatMap((entry) => {
    const own = stale.filter((item) => item.entry.join() === entry.join());
    const all = patterns.filter((pattern) => pattern.entry.join() === entry.join());
    return own.length === all.length ? [entry] : own.map(({ path }) => path);
  });
}
