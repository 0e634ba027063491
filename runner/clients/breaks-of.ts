import type { Catalog } from '../catalog/catalog.ts';
import { evaluate } from '../catalog/condition.ts';
import type { JudgeContext } from '../judge/check.ts';
import type { Finding } from '../judge/finding.ts';
import { judge } from '../judge/judge.ts';
import type { Exchange } from '../send/exchange.ts';

/** A requirement of the ledger that an answer breaks. */
export interface Break {
  readonly requirement: string;
  readonly findings: readonly Finding[];
}

/** Which of some requirements of the ledger an answer breaks, of those that speak of it. */
export function breaksOf(
  exchange: Exchange,
  ids: readonly string[],
  context: JudgeContext & { readonly catalog: Pick<Catalog, 'ledger'> },
): Break[] {
  return context.catalog.ledger.requirements
    .filter(({ id, when }) => ids.includes(id) && evaluate(when, exchange.facts) === true)
    .flatMap((requirement): Break[] => {
      const { outcome, findings } = judge(requirement, [exchange], context);
      return outcome === 'violates'
        ? [{ requirement: requirement.id, findings: findings.map((item) => item.finding) }]
        : [];
    });
}

/** The status that an answer should have had; undefined where it has it, or may have it. */
export function dueStatus(breaks: readonly Break[]): number | undefined {
  for (const { findings } of breaks) {
    const found = findings.find((item) => item.kind === 'wrong-status');
    if (found) return Number.parseInt(found.expected, 10);
  }
  return undefined;
}
