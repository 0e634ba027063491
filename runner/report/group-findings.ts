import type { CaseReport, ExchangeReport, FindingReport, Report } from './report.ts';

/** Cases in which a requirement came to the same in the same words. */
export interface FindingGroup {
  readonly message: string;
  readonly cases: readonly string[];
  /** One of the exchanges, as an example. */
  readonly example: ExchangeReport | undefined;
}

/** What broke a requirement, grouped by what was found, the most frequent first. */
export function groupFindings(
  report: Report,
  requirement: string,
  outcome: CaseReport['outcome'],
): FindingGroup[] {
  const groups = new Map<string, { cases: string[]; example: ExchangeReport | undefined }>();
  for (const item of report.cases) {
    const obligation = item.obligations.find(
      (entry) => entry.requirement === requirement && entry.outcome === outcome,
    );
    if (!obligation) continue;
    const byMessage = new Map(
      messagesByExchange(obligation.findings).map(({ message, exchange }) => [message, exchange]),
    );
    if (byMessage.size === 0 && obligation.reason !== undefined) byMessage.set(obligation.reason, '');
    for (const [message, exchange] of byMessage) {
      const group = groups.get(message) ?? { cases: [], example: undefined };
      group.cases.push(item.id);
      group.example ??= item.exchanges.find(({ id }) => id === exchange) ?? item.exchanges.at(-1);
      groups.set(message, group);
    }
  }
  return [...groups]
    .map(([message, group]) => ({ message, ...group }))
    .sort((a, b) => b.cases.length - a.cases.length);
}

/** What was found in one exchange belongs together. */
function messagesByExchange(findings: readonly FindingReport[]): { message: string; exchange: string }[] {
  const exchanges = [...new Set(findings.map(({ exchange }) => exchange))];
  return exchanges.map((exchange) => {
    const own = findings.filter((finding) => finding.exchange === exchange).map(({ message }) => message);
    return { exchange, message: [...new Set(own)].join('; ') };
  });
}
