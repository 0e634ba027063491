import { groupBy } from '../../common/lists.ts';
import { decideGate } from '../gate/exit-code.ts';
import { placesOf } from '../judge/finding.ts';
import { findWorstOutcome, isFailed, isKept } from '../judge/outcome.ts';
import type { CheckReport, ExchangeReport, Report, RequirementReport } from '../report/report.ts';
import { compareShapes, shapeOf } from './answer-shape.ts';
import { type Change, changeOf, changes } from './change.ts';
import type {
  ComparedRequirement,
  ComparedTarget,
  Comparison,
  ComparisonKind,
  Evidence,
  NotJudgedOn,
  TargetReport,
} from './comparison.ts';
import { findOpenDifferences } from './find-open-differences.ts';
import {
  type CheckGroup,
  describeResult,
  groupChecks,
  isJudgedOutcome,
  type PairedCheck,
  pairChecks,
} from './pair-checks.ts';

/**
 * Whether the targets on which a check was judged have the same outcome; `notCompared` if the check was judged on
 * fewer than two targets or, with only one report, was not judged.
 */
type Agreement = 'alike' | 'differing' | 'brokenByAll' | 'notCompared';

/**
 * Compares two or more reports: of several targets or, with the kind `changes`, of one gateway from the earliest to the
 * latest. `tool` and `spec` are copied from the last report. Throws an `Error` for an empty list.
 */
export function compareReports(
  reports: readonly TargetReport[],
  kind: ComparisonKind = 'targets',
): Comparison {
  const [first, last] = [reports[0], reports.at(-1)];
  if (!first || !last) throw new Error('The list of reports is empty. Pass at least one report.');
  const checks = pairChecks(reports.map(({ report }) => report));
  const sameTool = toolOf(first) === toolOf(last);
  const changeBetween = ({ results }: PairedCheck): Change | undefined =>
    kind === 'changes' ? changeOf(results[0], results.at(-1), sameTool) : undefined;
  const agreements = groupChecks(
    checks,
    (check): Agreement => (changeBetween(check) === undefined ? agreementOf(check) : 'differing'),
  );
  const requirements = new Map(
    reports.flatMap(({ report }) => report.requirements.map((item) => [item.id, item] as const)),
  );
  const find = createFindExchange(reports);
  const of = (agreement: Agreement) => agreements.filter((group) => group.kind === agreement);
  const count = (agreement: Agreement): number =>
    of(agreement).reduce((sum, group) => sum + group.checks.length, 0);
  const compare = (groups: readonly CheckGroup[]): ComparedRequirement[] =>
    groups.flatMap((group) => {
      const requirement = requirements.get(group.requirement);
      return requirement ? [compareRequirement(requirement, group.checks, reports, find)] : [];
    });
  const changed = groupChecks(checks, changeBetween);
  return {
    schemaVersion: 1,
    kind,
    tool: last.report.tool,
    spec: last.report.spec,
    targets: reports.map(describeTarget),
    caveats: listCaveats(reports, kind),
    summary: {
      planned: checks.length,
      alike: count('alike'),
      differing: count('differing'),
      brokenByAll: count('brokenByAll'),
      notCompared: count('notCompared'),
    },
    differing:
      kind === 'changes'
        ? changes.flatMap((change) =>
            compare(changed.filter((group) => group.kind === change)).map((item) => ({ ...item, change })),
          )
        : compare(of('differing')).sort((a, b) => rankOfDifference(a) - rankOfDifference(b)),
    brokenByAll: compare(of('brokenByAll')),
    notJudged: kind === 'changes' ? [] : groupNotJudged(checks, reports),
    open: findOpenDifferences(reports),
  };
}

const toolOf = ({ report: { tool, spec } }: TargetReport): string => `${tool.version} ${spec.revision}`;

/** The properties of a run that should be the same in all compared reports; of targets, the base URLs differ. */
const properties: readonly {
  readonly what: string;
  readonly of: (report: Report) => string;
  readonly only?: ComparisonKind;
}[] = [
  { what: 'tool', of: ({ tool }) => `${tool.name} ${tool.version}` },
  { what: 'revision of the requirements', of: ({ spec }) => spec.revision },
  { what: 'base URL', of: ({ target }) => target.baseUrl, only: 'changes' },
  { what: 'part of the run', of: ({ shard }) => (shard ? `shard ${shard.index}/${shard.of}` : 'all cases') },
];

function listCaveats(reports: readonly TargetReport[], kind: ComparisonKind): string[] {
  return properties.flatMap(({ what, of, only = kind }) => {
    const values = reports.map(({ report }) => of(report));
    if (only !== kind || new Set(values).size === 1) return [];
    return [
      `The ${what} is not the same: ${values.map((value, index) => `${reports[index]?.target} ${value}`).join(', ')}.`,
    ];
  });
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

/** Differences without a violation come last: some targets conform, and others deviate as declared. */
function rankOfDifference({ targets }: ComparedRequirement): number {
  return targets.some(({ broken }) => broken > 0) ? 0 : 1;
}

function agreementOf({ results }: PairedCheck): Agreement {
  const judged = results.map((item) => item?.outcome).filter(isJudgedOutcome);
  if (new Set(judged).size > 1) return 'differing';
  if (judged.length < Math.min(2, results.length)) return 'notCompared';
  return judged[0] !== undefined && isKept(judged[0]) ? 'alike' : 'brokenByAll';
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
