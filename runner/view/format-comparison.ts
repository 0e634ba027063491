import { pluralize } from '../../common/lists.ts';
import { formatOneLine } from '../../common/printable.ts';
import type {
  ComparedRequirement,
  ComparedTarget,
  Comparison,
  NotJudgedOn,
  OpenDifference,
  RequirementOfTarget,
} from '../compare/comparison.ts';
import { placeName } from '../judge/words.ts';
import type { ExchangeReport } from '../report/report.ts';
import { resultLooks } from './result.ts';
import { outcomeLooks, untriedLook } from './signs.ts';
import type { Cell, Column, Table } from './table.ts';

/** The maximum length of a name or value from a response, in characters. */
const maxLength = 160;

/** Formats the result of the comparison in one sentence. */
export function formatAgreement({ targets, summary, differing }: Comparison): string {
  const judged = targets.filter(isJudgedTarget).map(({ name }) => name);
  const compared = summary.planned - summary.notCompared;
  if (compared === 0)
    return `Nothing could be compared: ${judged.length === 0 ? 'no target was judged' : formatNothingCompared(judged)}.`;
  const among = `${pluralize(compared, 'compared check')}`;
  if (differing.length > 0) {
    return `${formatNames(judged)} differ in ${pluralize(differing.length, 'requirement')}: ${summary.differing} of ${among}.`;
  }
  const broken = summary.brokenByAll > 0 ? `, including ${summary.brokenByAll} violated by all` : '';
  return `No difference: ${formatNames(judged)} have the same outcome in ${among}${broken}.`;
}

function isJudgedTarget({ summary: { cases } }: ComparedTarget): boolean {
  return cases.conforms + cases.violates + cases.warns > 0;
}

function formatNothingCompared(judged: readonly string[]): string {
  return judged.length === 1
    ? `only ${judged[0]} was judged`
    : `${formatNames(judged)} have no judged check in common`;
}

function formatNames(names: readonly string[]): string {
  const [last = '', ...others] = [...names].reverse();
  return others.length === 0 ? last : `${others.reverse().join(', ')} and ${last}`;
}

/** Returns `both` if the comparison has two targets; otherwise `all`. */
export function formatAllTargets({ targets }: Comparison): string {
  return targets.length === 2 ? 'both' : 'all';
}

/**
 * Formats the reason why checks were not judged on a target, as a text that follows the name of the target. `show`
 * formats the reason and the addition to the profile.
 */
export function formatNotJudgedOn(
  { outcome, reason, add, requirements, cases }: NotJudgedOn,
  show = (text: string): string => text,
): string {
  const word = outcome === 'not-planned' ? 'not planned' : outcomeLooks[outcome].word;
  const what = `${pluralize(requirements.length, 'requirement')} in ${pluralize(cases, 'case')} ${word}`;
  return `${what}: ${show(reason)}${add === null ? '' : ` Add ${show(add)}.`}`;
}

/** Formats the description of a difference between observations, or the place of any other difference. */
export function formatOpen({ kind, about, place }: OpenDifference): string {
  return kind === 'silent' ? about.replace(/\.$/, '') : formatPlace(place);
}

/**
 * Formats the name of a place in a response, on one line. The gateway chose the names of members, so the names are
 * escaped.
 */
export function formatPlace(place: string): string {
  return formatOneLine(placeName(place).replace(/^the /, ''), maxLength);
}

/** Formats the value at a place, on one line, or `nothing` for null. */
export function formatValue(value: string | null): string {
  return value === null ? 'nothing' : formatOneLine(value, maxLength);
}

/**
 * Returns the exchange in `evidence` of the first target that violates the requirement; undefined if `evidence` has
 * no exchange of this target.
 */
export function findViolatingExchange({
  targets,
  evidence,
}: ComparedRequirement): ExchangeReport | undefined {
  const index = targets.findIndex(({ broken }) => broken > 0);
  return evidence.answers[index]?.exchange ?? undefined;
}

const numbers: readonly (readonly [title: string, of: (target: ComparedTarget) => number])[] = [
  ['Passed', ({ summary }) => summary.requirements.conforms],
  ['Failed', ({ summary }) => summary.requirements.violates],
  ['Warned', ({ summary }) => summary.requirements.warns],
  ['Inconclusive', ({ summary }) => summary.requirements.inconclusive],
  ['Not applicable', ({ summary }) => summary.requirements.notApplicable],
  ['Requests', ({ sent }) => sent],
];

/** Lays out the targets with their results and counts. */
export function layOutTargets({ targets }: Comparison): Table {
  return {
    title: 'Targets',
    corner: 'Target',
    columns: [
      { name: 'Verdict', kind: 'word' },
      ...numbers.map(([name]): Column => ({ name, kind: 'word', align: 'right' })),
      { name: 'Started', kind: 'word', align: 'right' },
    ],
    rows: targets.map((target) => {
      const { look, tone, emoji, phrase } = resultLooks[target.result];
      return {
        label: target.name,
        kind: 'code',
        about: target.baseUrl,
        cells: [
          { text: phrase, look, tone, emoji },
          ...numbers.map(([, of]) => ({ text: String(of(target)) })),
          { text: `${target.startedAt.slice(0, 16).replace('T', ' ')} UTC` },
        ],
      };
    }),
  };
}

/** Lays out the requirements in which targets differ, with the numbers of violating cases; at most `most` rows. */
export function layOutDiffering({ targets, differing }: Comparison, most = Number.POSITIVE_INFINITY): Table {
  const rest = differing.length - most;
  return {
    title: 'Differing requirements',
    corner: 'Requirement',
    columns: targets.map(({ name }) => ({ name, kind: 'code', align: 'centre' })),
    rows: differing
      .slice(0, most)
      .map(({ id, targets: own }) => ({ label: id, kind: 'code', cells: own.map(layOutCell) })),
    rest: rest > 0 ? pluralize(rest, 'more requirement') : undefined,
  };
}

function layOutCell({ outcome, broken }: RequirementOfTarget): Cell {
  if (outcome === null)
    return { text: untriedLook.sign, look: untriedLook, tone: 'untried', says: 'not planned' };
  const look = outcomeLooks[outcome];
  return { text: look.sign + (broken > 0 ? ` ${broken}` : ''), look, tone: outcome, says: look.word };
}
