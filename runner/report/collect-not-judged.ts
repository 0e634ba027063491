import type { CaseReport, Report } from './report.ts';

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
export function wordNotJudged({ count, outcome, reason, add }: NotJudged, show = asIs): string {
  return `${count} ${outcome}: ${show(reason)}${wordRemedy(add, show)}`;
}

/** What to add to the profile, as a sentence behind another; empty where nothing would help. */
export function wordRemedy(add: string | undefined, show = asIs): string {
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
