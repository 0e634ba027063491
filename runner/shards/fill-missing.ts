import type { CaseReport, Report } from '../report/report.ts';
import type { ExpectedCase, ShardReport } from './validate-shards.ts';

/** The planned cases that are missing from the reports of a divided run. */
export interface MissingCases {
  /** The missing cases, as inconclusive cases. The reason names the reports from which a case is missing. */
  readonly cases: readonly CaseReport[];
  /** The reason why each incomplete pooled case cannot be judged, by case ID. */
  readonly pools: ReadonlyMap<string, string>;
  /** The value of `stopped` in the merged report; null if no case is missing. */
  readonly stopped: Report['stopped'];
}

/** Finds the planned cases that are missing from the reports. */
export function findMissing(expected: ReadonlyMap<string, ExpectedCase>): MissingCases {
  const cases: CaseReport[] = [];
  const pools = new Map<string, string>();
  const lacking = new Map<string, number>();
  const without = new Map<ShardReport, ReadonlySet<string>>();
  const idsOf = (part: ShardReport): ReadonlySet<string> => {
    const known = without.get(part) ?? new Set(part.report.cases.map(({ id }) => id));
    without.set(part, known);
    return known;
  };
  for (const [id, { planned, parts }] of expected) {
    const absent = parts.filter((part) => !idsOf(part).has(id));
    if (planned.pool ? absent.length === 0 : absent.length < parts.length) continue;
    const files = absent.map(({ file }) => file).join(', ');
    const reason = `The run planned this case, but the case is missing from ${files}.`;
    for (const { file } of absent) lacking.set(file, (lacking.get(file) ?? 0) + 1);
    // A pooled case that is missing from all reports is treated like any other case.
    if (planned.pool && absent.length < parts.length) pools.set(id, reason);
    else cases.push(inconclusive(planned, reason));
  }
  const counts = [...lacking].map(([file, count]) => `${count} from ${file}`).join(', ');
  return {
    cases,
    pools,
    stopped: counts === '' ? null : { kind: 'missing', reason: `Planned cases are missing: ${counts}.` },
  };
}

function inconclusive(
  { id, suite, about, attributes, checks }: ExpectedCase['planned'],
  reason: string,
): CaseReport {
  return {
    id,
    suite,
    about,
    facts: attributes,
    outcome: 'inconclusive',
    obligations: checks.map(({ requirement }) => ({
      requirement: requirement.id,
      outcome: 'inconclusive',
      findings: [],
      reason,
    })),
    exchanges: [],
  };
}

/** Makes a pooled case inconclusive because of a missing part. Only checks with findings keep their outcome. */
export function withoutPart(item: CaseReport, reason: string): CaseReport {
  const obligations = item.obligations.map((obligation) =>
    obligation.findings.length > 0
      ? obligation
      : { requirement: obligation.requirement, outcome: 'inconclusive' as const, findings: [], reason },
  );
  return { ...item, obligations };
}
