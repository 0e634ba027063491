import { groupBy } from '../../common/lists.ts';
import { decideGate } from '../gate/exit-code.ts';
import { placesOf } from '../judge/finding.ts';
import { findWorstOutcome, isFailed } from '../judge/outcome.ts';
import type { CheckReport, ExchangeReport, RequirementReport } from '../report/report.ts';
import { compareShapes, shapeOf } from './answer-shape.ts';
import type {
  ComparedRequirement,
  ComparedTarget,
  Comparison,
  Evidence,
  NotJudgedOn,
  TargetReport,
} from './comparison.ts';
import { findOpenDifferences } from './find-open-differences.ts';
import { describeResult, groupChecks, isJudgedOutcome, type PairedCheck, pairChecks } from './pair-checks.ts';

/**
 * Whether the targets on which a check was judged have the same outcome; `notCompared` if the check was judged on
 * fewer than two targets or, with only one report, was not judged.
 */
type Agreement = 'alike' | 'differing' | 'brokenByAll' | 'notCompared';

/**
 * Compares the reports of several targets. `tool` and `spec` are copied from the first report. Throws an `Error` for
 * an empty list.
 */
export function compareReports(reports: readonly TargetReport[]): Comparison {
  const [base] = reports;
  if (!base) throw new Error('The list of reports is empty. Pass at least one report.');
  const checks = pairChecks(reports.map(({ report }) => report));
  const groups = groupChecks(checks, agreementOf);
  const requirements = new Map(
    reports.flatMap(({ report }) => report.requirements.map((item) => [item.id, item] as const)),
  );
  const find = createFindExchange(reports);
  const of = (agreement: Agreement) => groups.filter(({ kind }) => kind === agreement);
  const count = (agreement: Agreement): number =>
    of(agreement).reduce((sum, group) => sum + group.checks.length, 0);
  const compare = (agreement: Agreement): ComparedRequirement[] =>
    of(agreement).flatMap((group) => {
      const requirement = requirements.get(group.requirement);
      return requirement ? [compareRequirement(requirement, group.checks, reports, find)] : [];
    });
  return {
    schemaVersion: 1,
    tool: base.report.tool,
    spec: base.report.spec,
    targets: reports.map(describeTarget),
    summary: {
      planned: checks.length,
      alike: count('alike'),
      differing: count('differing'),
      brokenByAll: count('brokenByAll'),
      notCompared: count('notCompared'),
    },
    differing: compare('differing'),
    brokenByAll: compare('brokenByAll'),
    notJudged: groupNotJudged(checks, reports),
    open: findOpenDifferences(reports),
  };
}

function describeTarget({ target, report }: TargetReport): ComparedTarget {
  const { startedAt, durationMs, verdict, summary, stopped } = report;
  const messages = report.diagnosis.map(({ message }) => message);
  return {
    name: target,
    baseUrl: report.target.baseUrl,
    startedAt,
    durationMs,
    verdict,
    result: decideGate(report).result,
    summary,
    sent: report.requests.sent,
    diagnosis:
      stopped && !messages.some((text) => text.includes(stopped.reason))
        ? [...messages, stopped.reason]
        : messages,
  };
}

function agreementOf({ results }: PairedCheck): Agreement {
  const judged = results.map((item) => item?.outcome).filter(isJudgedOutcome);
  if (new Set(judged).size > 1) return 'differing';
  if (judged.length < Math.min(2, results.length)) return 'notCompared';
  return judged[0] === 'conforms' ? 'alike' : 'brokenByAll';
}

type FindExchange = (target: number, exchange: string) => ExchangeReport | undefined;

/** Creates a search for exchanges by ID in all cases, since a pooled case refers to exchanges of other cases. */
function createFindExchange(reports: readonly TargetReport[]): FindExchange {
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
  { id, clause, quotes, level, says, expects }: RequirementReport,
  checks: readonly PairedCheck[],
  reports: readonly TargetReport[],
  find: FindExchange,
): ComparedRequirement {
  const shown = checks.map((check) => ({ check, evidence: evidenceOf(check, reports, find) }));
  // The case with responses from the most targets is the best evidence.
  const countResponses = ({ evidence }: (typeof shown)[number]): number =>
    evidence.answers.filter(({ exchange }) => exchange?.response).length;
  const most = shown.reduce((best, next) => (countResponses(next) > countResponses(best) ? next : best));
  return {
    id,
    clause,
    ...(quotes && { quotes }),
    level,
    says,
    expects,
    cases: checks.map((check) => check.case),
    targets: reports.map(({ target }, index) => {
      const outcomes = checks.flatMap(({ results }) => results[index]?.outcome ?? []);
      return {
        target,
        outcome: outcomes.length === 0 ? null : findWorstOutcome(outcomes),
        broken: outcomes.filter(isFailed).length,
        found: describeResult(most.check.results[index]) ?? null,
      };
    }),
    evidence: most.evidence,
  };
}

/**
 * Returns one exchange of each target, and the differences between the responses. For a target that violates the
 * requirement, returns the exchange with the first finding. For any other target, returns the exchange of the request
 * whose response violates the requirement on another target, or else the last exchange of the case. The exchange is
 * null if the report of the target contains no such exchange.
 */
function evidenceOf(check: PairedCheck, reports: readonly TargetReport[], find: FindExchange): Evidence {
  const own = check.results.map((result) => result?.findings.map(({ exchange }) => exchange) ?? []);
  const anywhere = own.flat();
  const answers = reports.map(({ target, report }, index) => {
    const found = own[index] ?? [];
    const [exchange] = (found.length > 0 ? found : anywhere).flatMap((id) => find(index, id) ?? []);
    // A finding must be shown only with the response that has the finding.
    const last = found.length > 0 ? undefined : report.cases.find((item) => item.id === check.case);
    return { target, exchange: exchange ?? last?.exchanges.at(-1) ?? null };
  });
  const shapes = answers.map(({ exchange }) =>
    exchange?.response ? shapeOf([exchange.response]) : undefined,
  );
  const placesWithFindings = new Set(
    check.results.flatMap((item) => item?.findings.flatMap(({ finding }) => placesOf(finding)) ?? []),
  );
  const differences = compareShapes(shapes);
  return {
    case: check.case,
    answers,
    differences: [
      ...differences.filter(({ place }) => placesWithFindings.has(place)),
      ...differences.filter(({ place }) => !placesWithFindings.has(place)),
    ],
  };
}

/**
 * Groups the checks that were judged only on some targets, by target and reason. Omits targets without any judged
 * check. For each target, the groups with the most cases come first.
 */
function groupNotJudged(checks: readonly PairedCheck[], reports: readonly TargetReport[]): NotJudgedOn[] {
  const partly = checks.filter(({ results }) => results.some((item) => isJudgedOutcome(item?.outcome)));
  return reports.flatMap(({ target }, index) => {
    // For a target without any judged check, the summary shows the reason.
    if (!checks.some(({ results }) => isJudgedOutcome(results[index]?.outcome))) return [];
    const open = partly.flatMap((check) => {
      const why = explainNotJudged(check.results[index]);
      return why ? [{ check, why }] : [];
    });
    const groups = groupBy(open, ({ why }) => `${why.outcome} ${why.reason} ${why.add}`).flatMap(
      ([, own]) => {
        const [first] = own;
        return first
          ? [
              {
                target,
                ...first.why,
                requirements: [...new Set(own.map(({ check }) => check.requirement))],
                cases: new Set(own.map(({ check }) => check.case)).size,
              },
            ]
          : [];
      },
    );
    return groups.sort((a, b) => b.cases - a.cases);
  });
}

function explainNotJudged(
  result: CheckReport | undefined,
): Pick<NotJudgedOn, 'outcome' | 'reason' | 'add'> | undefined {
  if (!result) return { outcome: 'not-planned', reason: 'The case was not planned.', add: null };
  const { outcome, reason = '', add = null } = result;
  return outcome === 'inconclusive' || outcome === 'not-applicable' ? { outcome, reason, add } : undefined;
}
