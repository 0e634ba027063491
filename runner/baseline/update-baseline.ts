import type { DataPath } from '../../contract/data-file.ts';
import { modelBreaches } from '../report/group-models.ts';
import type { ObligationReport, Report, RequirementReport } from '../report/report.ts';
import { type Duty, entryStatuses, keyOf, makeExpect, makeExpectOfModel } from './apply-baseline.ts';
import type { Baseline, Section } from './baseline.ts';
import { casesOfModel, type Judged } from './model-entries.ts';

/** The reason of an entry that was written for the user to complete. */
const unexplained = 'TODO: say why this is accepted';

/** The text of a renewed baseline, and how many entries were taken out and added. */
export interface BaselineUpdate {
  readonly text: string;
  readonly removed: number;
  readonly added: number;
}

/** What else than violations an update takes in. */
export interface UpdateScope {
  readonly strict: boolean;
  readonly strictShould: boolean;
}

/** The results of a run that a baseline is updated from. */
export type UpdateSource = Judged & {
  readonly requirements: readonly Pick<RequirementReport, 'id' | 'level'>[];
  readonly stopped: Report['stopped'];
};

/**
 * Updates a baseline after a run: removes entries that no longer apply or match nothing, adds what would make the same run
 * fail, and keeps everything else, expired entries included. Undefined if there is nothing to change.
 */
export function updateBaseline(
  report: UpdateSource,
  baseline: Baseline,
  known: readonly Duty[],
  { strict, strictShould, today }: UpdateScope & { readonly today: string },
): BaselineUpdate | undefined {
  const stale = entryStatuses(baseline, report, known, today)
    .filter(({ standing }) => standing === 'over' || standing === 'matches-nothing')
    .map(({ claim }) => claim);
  const remove = whole(
    stale.map(({ path, entry }) => ({ path, entry })),
    baseline,
  );
  // An expired entry has to be renewed by hand; its violations are no new ones.
  const remaining = { ...baseline, claims: baseline.claims.filter((claim) => !stale.includes(claim)) };
  const isListed = makeExpect(remaining, '');
  const isListedOfModel = makeExpectOfModel(remaining, '');
  const failing: readonly [Section, readonly ObligationReport['outcome'][]][] = [
    ['violations', strictShould ? ['violates', 'warns'] : ['violates']],
    ['notApplicable', strict ? ['not-applicable'] : []],
    // What a stopped run did not get to is no property of the gateway.
    ['inconclusive', report.stopped ? [] : ['inconclusive']],
  ];
  const musts = new Set(report.requirements.flatMap(({ id, level }) => (level === 'must' ? [id] : [])));
  const fails = ({ requirement, outcome, dependsOn }: ObligationReport): boolean =>
    outcome === 'inconclusive' ? musts.has(requirement) : dependsOn === undefined;
  const append = failing.flatMap(([section, outcomes]) => {
    const own = report.cases.filter(({ model }) => model === undefined);
    const all = own.flatMap((item) =>
      item.obligations
        .filter((obligation) => outcomes.includes(obligation.outcome) && fails(obligation))
        .map((obligation) => ({ duty: { requirement: obligation.requirement, case: item.id }, obligation })),
    );
    const ofModels = modelBreaches(report)
      .filter(({ outcome }) => outcomes.includes(outcome))
      .filter((breach) => breach.known === undefined && isListedOfModel(breach) === undefined)
      .map(({ requirement, outcome, model }) => ({
        duty: { requirement, case: casesOfModel(model) },
        obligation: { requirement, outcome, findings: [] },
      }));
    const fresh = [
      ...all.filter(({ duty, obligation }) => isListed(duty, obligation.outcome) === undefined),
      ...ofModels,
    ];
    return entriesFor(section, fresh, report, known).map((item) => ({ list: section, item }));
  });
  if (remove.length + append.length === 0) return undefined;
  return { text: baseline.source.edited({ remove, append }), removed: remove.length, added: append.length };
}

interface Fresh {
  readonly duty: Duty;
  readonly obligation: ObligationReport;
}

/** One entry a requirement: the requirement alone where all of it that applies came out so, else with its cases. */
function entriesFor(
  section: Section,
  fresh: readonly Fresh[],
  report: Judged,
  known: readonly Duty[],
): unknown[] {
  const notApplicable = new Set(
    report.cases.flatMap((item) =>
      item.obligations
        .filter(({ outcome }) => outcome === 'not-applicable')
        .map(({ requirement }) => keyOf({ requirement, case: item.id })),
    ),
  );
  const requirements = [...new Set(fresh.map(({ duty }) => duty.requirement))];
  return requirements.map((requirement) => {
    const own = fresh.filter(({ duty }) => duty.requirement === requirement);
    const open = new Set(own.map(({ duty }) => keyOf(duty)));
    const all = known
      .filter((duty) => duty.requirement === requirement)
      .every(
        (duty) => open.has(keyOf(duty)) || (section !== 'notApplicable' && notApplicable.has(keyOf(duty))),
      );
    const reasons = new Set(own.map(({ obligation }) => obligation.reason ?? unexplained));
    return {
      requirement,
      ...(!all && { case: own.length === 1 ? own[0]?.duty.case : own.map(({ duty }) => duty.case) }),
      reason: reasonOf[section]([...reasons].join(' ')),
    };
  });
}

const reasonOf: Readonly<Record<Section, (reasons: string) => string>> = {
  violations: () => unexplained,
  notApplicable: (reasons) => reasons,
  inconclusive: (reasons) => `${unexplained}. ${reasons}`,
};

/** The paths to take out, with an entry in the place of all its case patterns. */
function whole(
  stale: readonly { readonly path: DataPath; readonly entry: DataPath }[],
  { claims }: Baseline,
): DataPath[] {
  const entries = [...new Map(stale.map(({ entry }) => [entry.join(), entry])).values()];
  return entries.flatMap((entry) => {
    const own = stale.filter((item) => item.entry.join() === entry.join());
    const all = claims.filter((claim) => claim.entry.join() === entry.join());
    return own.length === all.length ? [entry] : own.map(({ path }) => path);
  });
}
