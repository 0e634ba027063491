import { gather } from './gather.ts';
import type { CaseReport, ExchangeReport, ObligationReport, Report } from './report.ts';
import { symptomOf } from './symptom.ts';

/** Cases in which a requirement came to the same for the same reason. */
export interface FindingGroup {
  /** The same for answers that are wrong in the same way, whichever requirement they break. */
  readonly symptom: string;
  /** What was expected, and what came, in most of the answers. */
  readonly message: string;
  /** What came, where requirements differ in what they would have had instead. */
  readonly seen: string;
  /** In how many other words the same was found; values of the gateway's are others each time. */
  readonly otherMessages: number;
  /** Where in the answer: JSON pointers, `status`, `body`, or `header NAME`. */
  readonly places: readonly string[];
  readonly cases: readonly string[];
  /** The ids of the exchanges that were found at fault. */
  readonly exchanges: readonly string[];
  /** One of them, as an example. */
  readonly example: ExchangeReport | undefined;
}

interface Found {
  readonly item: CaseReport;
  readonly exchange: string;
  readonly symptom: ReturnType<typeof symptomOf>;
}

/** What broke a requirement that no baseline expects, grouped by the reason, the most frequent first. */
export function groupFindings(
  report: Report,
  requirement: string,
  outcome: CaseReport['outcome'],
): FindingGroup[] {
  const found = report.cases.flatMap((item) =>
    item.obligations
      .filter((entry) => entry.requirement === requirement && entry.outcome === outcome && !entry.expected)
      .flatMap((entry) => symptomsOf(item, entry)),
  );
  return gather(found, ({ symptom }) => symptom.key)
    .map(([, own]) => groupOf(own))
    .sort((a, b) => b.exchanges.length - a.exchanges.length);
}

/** What was found in one exchange belongs together. */
function symptomsOf(item: CaseReport, { findings, reason }: ObligationReport): Found[] {
  const byExchange = gather(findings, ({ exchange }) => exchange);
  if (byExchange.length === 0 && reason !== undefined) {
    return [{ item, exchange: '', symptom: { key: reason, message: reason, seen: reason, places: [] } }];
  }
  return byExchange.map(([exchange, own]) => ({
    item,
    exchange,
    symptom: symptomOf(own.map(({ finding }) => finding)),
  }));
}

function groupOf(found: readonly Found[]): FindingGroup {
  const byMessage = gather(found, ({ symptom }) => symptom.message).sort(
    ([, a], [, b]) => b.length - a.length,
  );
  const [[, usual] = ['', []]] = byMessage;
  const [first] = usual;
  const examples = usual.flatMap(
    ({ item, exchange }) => item.exchanges.find(({ id }) => id === exchange) ?? [],
  );
  return {
    symptom: first?.symptom.key ?? '',
    message: first?.symptom.message ?? '',
    seen: first?.symptom.seen ?? '',
    otherMessages: byMessage.length - 1,
    places: first?.symptom.places ?? [],
    cases: [...new Set(found.map(({ item }) => item.id))],
    exchanges: [...new Set(found.map(({ exchange }) => exchange))],
    example: examples[0] ?? first?.item.exchanges.at(-1),
  };
}
