import type { CaseReport, Report } from '../report/report.ts';
import type { DueCase, Part } from './validate-shards.ts';

/** What no report has of a divided run, though it was planned. */
export interface Missing {
  /** The cases that were to be sent, as inconclusive ones that name the report without them. */
  readonly cases: readonly CaseReport[];
  /** Why a pooled case can't be judged for the whole run, by its id. */
  readonly pools: ReadonlyMap<string, string>;
  /** All of it in one sentence; null if nothing is missing. */
  readonly stopped: Report['stopped'];
}

/** What the reports of all parts lack of the plan. */
export function findMissing(due: ReadonlyMap<string, DueCase>): Missing {
  const cases: CaseReport[] = [];
  const pools = new Map<string, string>();
  const lacking = new Map<string, number>();
  const without = new Map<Part, ReadonlySet<string>>();
  const idsOf = (part: Part): ReadonlySet<string> => {
    const known = without.get(part) ?? new Set(part.report.cases.map(({ id }) => id));
    without.set(part, known);
    return known;
  };
  for (const [id, { planned, parts }] of due) {
    const absent = parts.filter((part) => !idsOf(part).has(id));
    if (planned.pool ? absent.length === 0 : absent.length < parts.length) continue;
    const files = absent.map(({ file }) => file).join(', ');
    const reason = `The run planned this case, but it is missing from ${files}.`;
    for (const { file } of absent) lacking.set(file, (lacking.get(file) ?? 0) + 1);
    // Without any part of it, a pooled case is as absent as any other.
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
  { id, suite, about, attributes: facts, checks: obligations }: DueCase['planned'],
  reason: string,
): CaseReport {
  return {
    id,
    suite,
    about,
    facts,
    outcome: 'inconclusive',
    obligations: obligations.map(({ requirement }) => ({
      requirement: requirement.id,
      outcome: 'inconclusive',
      findings: [],
      reason,
    })),
    exchanges: [],
  };
}

/** A merged pooled case of which a part is missing: only what some other part violates is known. */
export function withoutPart(item: CaseReport, reason: string): CaseReport {
  const obligations = item.obligations.map((obligation) =>
    obligation.findings.length > 0
      ? obligation
      : { requirement: obligation.requirement, outcome: 'inconclusive' as const, findings: [], reason },
  );
  return { ...item, obligations };
}
