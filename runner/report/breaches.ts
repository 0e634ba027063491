import { isFailed } from '../judge/outcome.ts';
import { type Failure, failuresOf } from './causes/failures.ts';
import { gravest, rankOf, type Severity, severityLabels } from './causes/severity.ts';
import { placesOf } from './findings.ts';
import { formatGenerated } from './format-counts.ts';
import { formatAnswer } from './format-value.ts';
import type { CaseReport, ExchangeReport, ObligationReport, Report, RequirementReport } from './report.ts';

/** A requirement that a case violates, with what a bug report needs. */
export interface Breach {
  readonly requirement: RequirementReport;
  readonly item: CaseReport;
  readonly outcome: 'violates' | 'warns';
  /** That of its gravest failure. */
  readonly severity: Severity;
  /** What was found, in words, the gravest first. */
  readonly found: string;
  /** Where in the answer: JSON pointers, `status`, `body` or `header NAME`. */
  readonly places: readonly string[];
  /** The exchange of its gravest failure that the report has; never another one. */
  readonly exchange: ExchangeReport | undefined;
  /** Why the baseline expects it; undefined where it doesn't. */
  readonly known: string | undefined;
}

/** The breaches of a requirement, in the order of the report. */
export interface BrokenRequirement {
  readonly requirement: RequirementReport;
  readonly outcome: Breach['outcome'];
  readonly breaches: readonly Breach[];
}

/** How much is told of a body. */
const longestExcerpt = 300;

/** Every breach of the report, by requirement in the order of the ledger, then by case. */
export function collectBreaches(report: Report): Breach[] {
  const byRequirement = new Map<string, [CaseReport, ObligationReport][]>();
  for (const item of report.cases) {
    for (const obligation of item.obligations) {
      if (!isFailed(obligation.outcome)) continue;
      const entries = byRequirement.get(obligation.requirement) ?? [];
      byRequirement.set(obligation.requirement, [...entries, [item, obligation]]);
    }
  }
  return report.requirements.flatMap((requirement) =>
    (byRequirement.get(requirement.id) ?? []).flatMap(
      ([item, obligation]) => breachOf(requirement, item, obligation) ?? [],
    ),
  );
}

/** The requirements with breaches of that outcome, known ones or others. */
export function brokenRequirements(
  breaches: readonly Breach[],
  { outcome, known }: { readonly outcome: Breach['outcome']; readonly known: boolean },
): BrokenRequirement[] {
  const own = breaches.filter(
    (breach) => breach.outcome === outcome && (breach.known !== undefined) === known,
  );
  return [...new Set(own.map(({ requirement }) => requirement))].map((requirement) => ({
    requirement,
    outcome,
    breaches: own.filter((breach) => breach.requirement === requirement),
  }));
}

/** What an obligation of a case breaks of its requirement; undefined where it breaks nothing. */
export function breachOf(
  requirement: RequirementReport,
  item: CaseReport,
  obligation: ObligationReport,
): Breach | undefined {
  const { outcome, findings, reason = '', expected: known } = obligation;
  if (!isFailed(outcome)) return undefined;
  const failures = [...failuresOf(requirement, item, obligation)].sort(byGravity);
  const messages = failures.flatMap((failure) => failure.findings.map(({ message }) => message));
  return {
    requirement,
    item,
    outcome,
    severity: gravest(failures.map(({ severity }) => severity)),
    found: [...new Set(messages)].join('; ') || reason,
    places: [...new Set(findings.flatMap(({ finding }) => placesOf(finding)))],
    exchange: failures.find(({ evidence }) => evidence)?.evidence,
    known,
  };
}

function byGravity(one: Failure, other: Failure): number {
  return rankOf(one.severity) - rankOf(other.severity);
}

/**
 * The breach as names and texts, the most telling first: `found` is the finding in a sentence, `received` the
 * beginning of what came.
 */
export function describeBreach({
  requirement,
  severity,
  found,
  places,
  exchange,
}: Breach): [string, string][] {
  const rows: [string, string | null | undefined][] = [
    ['says', requirement.says],
    ['clause', requirement.clause],
    ['level', requirement.level],
    ['severity', severityLabels[severity]],
    ['expected', requirement.expects],
    ['found', found],
    ['received', exchange && formatAnswer(exchange, longestExcerpt)],
    ['at', places.join(', ')],
    ['exchange', exchange?.id],
    ['time', exchange?.startedAt],
    ['trace id', exchange?.traceId],
    ...(exchange ? formatGenerated(exchange) : []),
    ['curl', exchange?.curl],
  ];
  return rows.flatMap(([name, text]) => (text ? [[name, text]] : []));
}

/** Why obligations could not be judged, and how many. */
export interface NotJudged {
  readonly outcome: 'inconclusive' | 'not-applicable';
  readonly reason: string;
  /** What to add to the profile; undefined where nothing would help. */
  readonly add: string | undefined;
  readonly count: number;
}

/** A text as it is. */
const asIs = (text: string): string => text;

/** Why so many obligations could not be judged, and what to add; `show` sets what comes from outside of the sentence. */
export function formatNotJudged({ count, outcome, reason, add }: NotJudged, show = asIs): string {
  return `${count} ${outcome}: ${show(reason)}${formatRemedy(add, show)}`;
}

/** What to add to the profile, as a sentence behind another; empty where nothing would help. */
export function formatRemedy(add: string | undefined, show = asIs): string {
  return add === undefined ? '' : ` Add ${show(add)}.`;
}

/** The parts of a report that say what could not be judged. */
interface NotJudgedOf extends Pick<Report, 'models'> {
  readonly cases: readonly Pick<CaseReport, 'model' | 'obligations'>[];
}

/** What could not be judged, once for each reason: first what was meant to be, each in the order of the report. */
export function collectNotJudged(report: NotJudgedOf): NotJudged[] {
  const reasons = new Map<string, NotJudged>();
  // Those of listed models are counted already.
  const own = report.cases.filter(({ model }) => model === undefined);
  for (const { outcome, reason = '', add } of own.flatMap((item) => item.obligations)) {
    if (outcome !== 'inconclusive' && outcome !== 'not-applicable') continue;
    const key = `${outcome} ${reason}`;
    const count = (reasons.get(key)?.count ?? 0) + 1;
    reasons.set(key, { outcome, reason, add, count });
  }
  for (const { outcome, reason, add, count } of report.models?.notJudged ?? []) {
    const key = `${outcome} ${reason}`;
    reasons.set(key, { outcome, reason, add, count: count + (reasons.get(key)?.count ?? 0) });
  }
  const all = [...reasons.values()];
  return (['inconclusive', 'not-applicable'] as const).flatMap((kind) =>
    all.filter(({ outcome }) => outcome === kind),
  );
}
