import { findDecisiveOutcome, findWorstOutcome, isFailed, type Outcome } from './outcome.ts';
import { findMostSevere, type Severity, severityOfCheck } from './severity.ts';

/** The result of a check. `Finding` is a finding with its exchange. */
export interface CheckResult<Finding> {
  readonly outcome: Outcome;
  readonly findings: readonly Finding[];
  /** Absent unless the check failed. */
  readonly severity?: Severity | undefined;
  readonly reason?: string | undefined;
  readonly add?: string | undefined;
  readonly dependsOn?: string | undefined;
  /** The IDs of the declared deviations that the result needs. */
  readonly declared?: readonly string[] | undefined;
}

/** The outcome that counts for several results of one check: the worst outcome, or the most decisive outcome. */
export type Policy = 'worst' | 'most-decisive';

/** The results of one check: in several rounds, cases, shards or exchanges. */
export interface Results<Finding> {
  /**
   * Adds a result. Stores its findings, each converted by `store`, as long as there is room, and of those with the same
   * key only the first. A finding without a key is like no other. Returns the stored findings.
   */
  readonly add: <Own>(
    result: CheckResult<Own>,
    store: (finding: Own) => Finding,
    keyOf?: (finding: Own) => string | undefined,
  ) => readonly Finding[];
  /** The outcomes so far, each once. */
  readonly outcomes: () => readonly Outcome[];
  /** The number of results with this outcome. */
  readonly count: (outcome: Outcome) => number;
  /**
   * Returns what the results add up to: the outcome that counts, the findings and the highest severity of the results
   * with this outcome, and the first reason.
   */
  readonly sum: () => CheckResult<Finding>;
  readonly copy: () => Results<Finding>;
}

/** The results with one outcome. */
interface Group<Finding> {
  count: number;
  readonly findings: Finding[];
  readonly keys: Set<string>;
  severity: Severity | undefined;
  explained: Pick<CheckResult<Finding>, 'reason' | 'add' | 'dependsOn'>;
}

/** Creates the results of one check, which store at most `most` findings with the same outcome. */
export function createResults<Finding>(
  policy: Policy,
  most = Number.POSITIVE_INFINITY,
  groups = new Map<Outcome, Group<Finding>>(),
  declared = new Set<string>(),
): Results<Finding> {
  function choose(): Outcome {
    const outcomes = [...groups.keys()];
    if (policy === 'worst') return findWorstOutcome(outcomes);
    const outcome = findDecisiveOutcome(outcomes);
    // One result may be inconclusive because its part lacks responses, although a violation in another part explains why.
    const isExplained = groups.get('not-applicable')?.explained.dependsOn !== undefined;
    return outcome === 'inconclusive' && isExplained ? 'not-applicable' : outcome;
  }
  return {
    add(result, store, keyOf = () => undefined) {
      const { outcome, findings, reason, add, dependsOn } = result;
      for (const id of result.declared ?? []) declared.add(id);
      const explained = { reason, add, dependsOn };
      const known = groups.get(outcome);
      const group: Group<Finding> = known ?? {
        count: 0,
        findings: [],
        keys: new Set(),
        severity: undefined,
        explained,
      };
      if (!known) groups.set(outcome, group);
      group.count += 1;
      if (isFailed(outcome))
        group.severity = findMostSevere([severityOfCheck(result), group.severity ?? 'recommendation']);
      // A violation that another check reports says more than any other reason.
      if (group.explained.dependsOn === undefined && dependsOn !== undefined) group.explained = explained;
      const stored: Finding[] = [];
      for (const finding of findings) {
        const key = keyOf(finding);
        if (group.findings.length >= most || (key !== undefined && group.keys.has(key))) continue;
        if (key !== undefined) group.keys.add(key);
        const own = store(finding);
        group.findings.push(own);
        stored.push(own);
      }
      return stored;
    },
    outcomes: () => [...groups.keys()],
    count: (outcome) => groups.get(outcome)?.count ?? 0,
    sum() {
      const outcome = choose();
      const group = groups.get(outcome);
      const { reason, add, dependsOn } = group?.explained ?? {};
      return {
        outcome,
        findings: group ? [...group.findings] : [],
        ...(group?.severity !== undefined && { severity: group.severity }),
        ...(reason !== undefined && { reason }),
        ...(add !== undefined && { add }),
        ...(dependsOn !== undefined && { dependsOn }),
        ...(declared.size > 0 && { declared: [...declared] }),
      };
    },
    copy: () =>
      createResults(
        policy,
        most,
        new Map(
          [...groups].map(([outcome, group]) => [
            outcome,
            { ...group, findings: [...group.findings], keys: new Set(group.keys) },
          ]),
        ),
        new Set(declared),
      ),
  };
}
