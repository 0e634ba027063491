import { placeName } from '../report/format-value.ts';
import type { ExchangeReport } from '../report/report.ts';
import { pluralize } from '../text/lists.ts';
import { oneLine } from '../text/printable.ts';
import type {
  ComparedRequirement,
  ComparedTarget,
  Comparison,
  NotJudgedOn,
  OpenDifference,
} from './comparison.ts';

/** How much is told of a name or a value of a gateway's. */
const longest = 160;

/** What the comparison comes to, in a sentence. */
export function formatAgreement({ targets, summary, differing }: Comparison): string {
  const judged = targets.filter(isJudged).map(({ name }) => name);
  const compared = summary.planned - summary.notCompared;
  if (compared === 0)
    return `Nothing could be compared: ${judged.length === 0 ? 'no target was judged' : formatSome(judged)}.`;
  const among = `${pluralize(compared, 'judgement')} that could be compared`;
  if (differing.length > 0) {
    return `${formatNames(judged)} differ in ${pluralize(differing.length, 'requirement')}: ${summary.differing} of ${among}.`;
  }
  const broken = summary.brokenByAll > 0 ? `, ${summary.brokenByAll} of them a breach` : '';
  return `No difference: ${formatNames(judged)} came to the same in all ${among}${broken}.`;
}

/** Whether anything of a target was judged. */
function isJudged({ summary: { cases } }: ComparedTarget): boolean {
  return cases.conforms + cases.violates + cases.warns > 0;
}

/** Several may have been judged, each on something else. */
function formatSome(judged: readonly string[]): string {
  return judged.length === 1
    ? `only ${judged[0]} was judged`
    : `${formatNames(judged)} were judged on nothing in common`;
}

function formatNames(names: readonly string[]): string {
  const [last = '', ...others] = [...names].reverse();
  return others.length === 0 ? last : `${others.reverse().join(', ')} and ${last}`;
}

/** `both`, or `all` of more. */
export function wordAll({ targets }: Comparison): string {
  return targets.length === 2 ? 'both' : 'all';
}

/** Why so much was not judged on one target, behind its name; `show` sets what comes from outside of the sentence. */
export function formatNotJudgedOn(
  { outcome, reason, add, requirements, cases }: NotJudgedOn,
  show = (text: string): string => text,
): string {
  const words = {
    inconclusive: 'inconclusive',
    'not-applicable': 'not applicable',
    'not-planned': 'not planned',
  };
  const what = `${pluralize(requirements.length, 'requirement')} in ${pluralize(cases, 'case')} ${words[outcome]}`;
  return `${what}: ${show(reason)}${add === null ? '' : ` Add ${show(add)}.`}`;
}

/** In what targets differ, as a name. */
export function formatOpen({ kind, about, place }: OpenDifference): string {
  return kind === 'silent' ? about.replace(/\.$/, '') : formatPlace(place);
}

/** A place of an answer, as a name on one line; names of members are the gateway's. */
export function formatPlace(place: string): string {
  return oneLine(placeName(place).replace(/^the /, ''), longest);
}

/** What a target has at a place, on one line. */
export function formatValue(value: string | null): string {
  return value === null ? 'nothing' : oneLine(value, longest);
}

/** What was sent to the first target that is at fault, and what it answered. */
export function exchangeAtFault({ targets, evidence }: ComparedRequirement): ExchangeReport | undefined {
  const index = targets.findIndex(({ broken }) => broken > 0);
  return evidence.answers[index]?.exchange ?? undefined;
}
