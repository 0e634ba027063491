import { formatDifference, isJudged, obligationsOf } from '../diff/diff-reports.ts';
import { findWorstOutcome, isFailed } from '../judge/outcome.ts';
import { standingOf } from '../report/exit-code.ts';
import { placesOf } from '../report/findings.ts';
import type { ExchangeReport, ObligationReport, RequirementReport } from '../report/report.ts';
import { groupBy } from '../text/lists.ts';
import { differencesOf, shapeOf } from './answer-shape.ts';
import type {
  ComparedRequirement,
  ComparedTarget,
  Comparison,
  Evidence,
  NotJudgedOn,
  TargetReport,
} from './comparison.ts';
import { findOpenDifferences } from './find-open-differences.ts';

/** A requirement in a case, with its outcome on each target; undefined for a target without that case. */
export interface Duty {
  readonly requirement: string;
  readonly case: string;
  readonly obligations: readonly (ObligationReport | undefined)[];
}

/** What can be said of a duty by the targets on which it was judged; by one of several, nothing. */
type Agreement = 'alike' | 'differing' | 'brokenByAll' | 'notCompared';

/** How the reports of several targets compare; the first is the one that others are held against. */
export function compareReports(reports: readonly TargetReport[]): Comparison {
  const [base] = reports;
  if (!base) throw new Error('There is no report to compare.');
  const duties = dutiesOf(reports);
  const by = new Map(groupBy(duties, agreementOf));
  const of = (agreement: Agreement): readonly Duty[] => by.get(agreement) ?? [];
  const requirements = new Map(
    reports.flatMap(({ report }) => report.requirements.map((item) => [item.id, item] as const)),
  );
  const find = makeFind(reports);
  const compare = (agreement: Agreement): ComparedRequirement[] =>
    groupBy(of(agreement), ({ requirement }) => requirement).flatMap(([id, own]) => {
      const requirement = requirements.get(id);
      return requirement ? [compareRequirement(requirement, own, reports, find)] : [];
    });
  return {
    schemaVersion: 1,
    tool: base.report.tool,
    spec: base.report.spec,
    targets: reports.map(describeTarget),
    summary: {
      planned: duties.length,
      alike: of('alike').length,
      differing: of('differing').length,
      brokenByAll: of('brokenByAll').length,
      notCompared: of('notCompared').length,
    },
    differing: compare('differing'),
    brokenByAll: compare('brokenByAll'),
    notJudged: groupNotJudged(duties, reports),
    open: findOpenDifferences(reports),
  };
}

function describeTarget({ target, report }: TargetReport): ComparedTarget {
  const { startedAt, durationMs, verdict, summary, stopped } = report;
  const told = report.diagnosis.map(({ message }) => message);
  return {
    name: target,
    baseUrl: report.target.baseUrl,
    startedAt,
    durationMs,
    verdict,
    standing: standingOf(report),
    summary,
    sent: report.requests.sent,
    diagnosis:
      stopped && !told.some((text) => text.includes(stopped.reason)) ? [...told, stopped.reason] : told,
  };
}

/** In the order of the first report, what it lacks behind it. */
function dutiesOf(reports: readonly TargetReport[]): Duty[] {
  const all = reports.map(({ report }) => report);
  const placed = reports.map(({ report }) => obligationsOf(report, all));
  const keys = new Set(placed.flatMap((own) => [...own.keys()]));
  return [...keys].flatMap((key) => {
    const found = placed.map((own) => own.get(key));
    const some = found.find((item) => item !== undefined);
    return some === undefined
      ? []
      : [
          {
            requirement: some.obligation.requirement,
            case: some.id,
            obligations: found.map((item) => item?.obligation),
          },
        ];
  });
}

function agreementOf({ obligations }: Duty): Agreement {
  const judged = obligations.map((item) => item?.outcome).filter(isJudged);
  if (new Set(judged).size > 1) return 'differing';
  if (judged.length < Math.min(2, obligations.length)) return 'notCompared';
  return judged[0] === 'conforms' ? 'alike' : 'brokenByAll';
}

type Find = (target: number, exchange: string) => ExchangeReport | undefined;

/** Finds exchanges by their ids, which are the same on all targets; those of a pool belong to other cases. */
function makeFind(reports: readonly TargetReport[]): Find {
  const known = reports.map(
    ({ report }) =>
      new Map([
        ...report.others.map((exchange) => [exchange.id, exchange] as const),
        ...report.cases.flatMap(({ exchanges }) =>
          exchanges.map((exchange) => [exchange.id, exchange] as const),
        ),
      ]),
  );
  return (target, exchange) => known[target]?.get(exchange);
}

function compareRequirement(
  { id, clause, level, says, expects }: RequirementReport,
  duties: readonly Duty[],
  reports: readonly TargetReport[],
  find: Find,
): ComparedRequirement {
  const shown = duties.map((duty) => ({ duty, evidence: evidenceOf(duty, reports, find) }));
  // A case in which all answered tells more than one in which a target is missing.
  const answered = ({ evidence }: (typeof shown)[number]): number =>
    evidence.answers.filter(({ exchange }) => exchange?.response).length;
  const most = shown.reduce((best, next) => (answered(next) > answered(best) ? next : best));
  return {
    id,
    clause,
    level,
    says,
    expects,
    cases: duties.map((duty) => duty.case),
    targets: reports.map(({ target }, index) => {
      const outcomes = duties.flatMap(({ obligations }) => obligations[index]?.outcome ?? []);
      return {
        target,
        outcome: outcomes.length === 0 ? null : findWorstOutcome(outcomes),
        broken: outcomes.filter(isFailed).length,
        found: formatDifference(most.duty.obligations[index]) ?? null,
      };
    }),
    evidence: most.evidence,
  };
}

/**
 * Of each target the answer that violates the requirement on it; of a target on which none does, the one to the request
 * whose answer violates it elsewhere, else its last.
 */
function evidenceOf(duty: Duty, reports: readonly TargetReport[], find: Find): Evidence {
  const own = duty.obligations.map(
    (obligation) => obligation?.findings.map(({ exchange }) => exchange) ?? [],
  );
  const anywhere = own.flat();
  const answers = reports.map(({ target, report }, index) => {
    const found = own[index] ?? [];
    const [exchange] = (found.length > 0 ? found : anywhere).flatMap((id) => find(index, id) ?? []);
    // A finding is never shown with another response than its own.
    const last = found.length > 0 ? undefined : report.cases.find((item) => item.id === duty.case);
    return { target, exchange: exchange ?? last?.exchanges.at(-1) ?? null };
  });
  const shapes = answers.map(({ exchange }) =>
    exchange?.response ? shapeOf([exchange.response]) : undefined,
  );
  const atFault = new Set(
    duty.obligations.flatMap((item) => item?.findings.flatMap(({ finding }) => placesOf(finding)) ?? []),
  );
  const differences = differencesOf(shapes);
  return {
    case: duty.case,
    answers,
    differences: [
      ...differences.filter(({ place }) => atFault.has(place)),
      ...differences.filter(({ place }) => !atFault.has(place)),
    ],
  };
}

/** What was judged on some targets and not on others, once for each target and reason, that of most cases first. */
export function groupNotJudged(duties: readonly Duty[], reports: readonly TargetReport[]): NotJudgedOn[] {
  const partly = duties.filter(({ obligations }) => obligations.some((item) => isJudged(item?.outcome)));
  return reports.flatMap(({ target }, index) => {
    // A target on which nothing was judged has the reason once, in its summary.
    if (!duties.some(({ obligations }) => isJudged(obligations[index]?.outcome))) return [];
    const open = partly.flatMap((duty) => {
      const why = whyNot(duty.obligations[index]);
      return why ? [{ duty, why }] : [];
    });
    const groups = groupBy(open, ({ why }) => `${why.outcome} ${why.reason} ${why.add}`).flatMap(
      ([, own]) => {
        const [first] = own;
        return first
          ? [
              {
                target,
                ...first.why,
                requirements: [...new Set(own.map(({ duty }) => duty.requirement))],
                cases: new Set(own.map(({ duty }) => duty.case)).size,
              },
            ]
          : [];
      },
    );
    return groups.sort((a, b) => b.cases - a.cases);
  });
}

/** Why something was not judged; undefined where it was. */
function whyNot(
  obligation: ObligationReport | undefined,
): Pick<NotJudgedOn, 'outcome' | 'reason' | 'add'> | undefined {
  if (!obligation) return { outcome: 'not-planned', reason: 'No such case was planned.', add: null };
  const { outcome, reason = '', add = null } = obligation;
  return outcome === 'inconclusive' || outcome === 'not-applicable' ? { outcome, reason, add } : undefined;
}
