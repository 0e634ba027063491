import type { Outcome } from '../judge/outcome.ts';
import type { Report, RequirementReport } from '../report/report.ts';
import { describeTarget, listCaveats } from './compare-reports.ts';
import type { ComparedTarget, ReportHead, TargetReport } from './comparison.ts';

/** The report of a gateway. `target` is the name of the gateway. */
export interface GatewayReport extends TargetReport {
  /** Null if the folder of the gateway has no folder for each version. */
  readonly version: string | null;
  /** How the gateway was started and tested; null if this is not known. */
  readonly command: string | null;
  /** The path of the report, and of its HTML page; null without a page. */
  readonly file: string;
  readonly page: string | null;
}

/**
 * Which requirements each of several gateways satisfies. The schema is `specs/schemas/gateway-results.schema.json`.
 * Lists with an entry for each gateway are in the order of `gateways`.
 */
export interface GatewayResults {
  readonly schemaVersion: 1;
  readonly kind: 'gateways';
  /** The tool and the requirements of the newest report. */
  readonly tool: Report['tool'];
  readonly spec: Report['spec'];
  readonly gateways: readonly TestedGateway[];
  /** What else the reports differ in, and may explain different outcomes. */
  readonly caveats: readonly string[];
  /** Every requirement of the reports. Those that only older reports have come last. */
  readonly requirements: readonly RequirementOfGateways[];
}

/** A version of a gateway, with a summary of its report. */
export interface TestedGateway extends ComparedTarget, Pick<GatewayReport, 'version' | 'command' | 'page'> {
  /** The path of the report. What is written has URLs instead of this path and `page`, relative to its own file. */
  readonly file: string;
  /** The version of the tool that made the report. */
  readonly toolVersion: string;
}

export interface RequirementOfGateways
  extends Pick<RequirementReport, 'id' | 'clause' | 'quotes' | 'level' | 'says'> {
  readonly results: readonly ResultOfGateway[];
}

export interface ResultOfGateway {
  /** Null if the report does not have the requirement. */
  readonly outcome: Outcome | null;
  /** What the gateway declares instead of the requirement, in words; null if it declares nothing. */
  readonly declares: string | null;
}

/** What is kept of a report. */
interface Kept extends TargetReport<ReportHead> {
  readonly gateway: TestedGateway;
  readonly requirements: ReadonlyMap<string, Omit<RequirementReport, 'cases'>>;
}

/**
 * Collects the results of gateways. Takes one report after the other and keeps little of it, because a report has
 * many megabytes. Throws an `Error` if there is no report.
 */
export function collectResults(reports: Iterable<GatewayReport>): GatewayResults {
  const kept: Kept[] = [];
  for (const report of reports) kept.push(keepResults(report));
  const newestFirst = kept.toSorted((a, b) => b.gateway.startedAt.localeCompare(a.gateway.startedAt));
  const [newest] = newestFirst;
  if (!newest) throw new Error('The list of reports is empty. Pass at least one report.');
  const requirements = new Map([...newestFirst].reverse().flatMap(({ requirements }) => [...requirements]));
  const ids = new Set(newestFirst.flatMap(({ requirements: own }) => [...own.keys()]));
  return {
    schemaVersion: 1,
    kind: 'gateways',
    tool: newest.report.tool,
    spec: newest.report.spec,
    gateways: kept.map(({ gateway }) => gateway),
    caveats: listCaveats(kept, 'targets'),
    requirements: [...ids].flatMap((id) => {
      const requirement = requirements.get(id);
      return requirement ? [compareGateways(requirement, kept)] : [];
    }),
  };
}

function keepResults({ target, report, version, command, file, page }: GatewayReport): Kept {
  const { tool, spec, shard } = report;
  return {
    target: version === null ? target : `${target} ${version}`,
    report: { tool, spec, shard, target: report.target },
    gateway: {
      ...describeTarget({ target, report }),
      version,
      command,
      file,
      page,
      toolVersion: tool.version,
    },
    requirements: new Map(report.requirements.map(({ cases: _, ...own }) => [own.id, own])),
  };
}

function compareGateways(
  { id, clause, quotes, level, says }: Omit<RequirementReport, 'cases'>,
  kept: readonly Kept[],
): RequirementOfGateways {
  return {
    id,
    clause,
    ...(quotes && { quotes }),
    level,
    says,
    results: kept.map(({ requirements }) => {
      const own = requirements.get(id);
      return { outcome: own?.outcome ?? null, declares: own?.declares ?? null };
    }),
  };
}
