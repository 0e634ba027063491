import { pluralize } from '../../common/lists.ts';
import { formatOneLine } from '../../common/printable.ts';
import type {
  AnswerDifference,
  ComparedRequirement,
  ComparedTarget,
  Comparison,
  ComparisonKind,
  NotJudgedOn,
  OpenDifference,
  RequirementOfTarget,
} from '../compare/comparison.ts';
import type { Outcome } from '../judge/outcome.ts';
import { placeName } from '../judge/words.ts';
import type { ExchangeReport } from '../report/report.ts';
import { countJudged } from '../report/summarize.ts';
import { changeLooks, formatChanges } from './changes.ts';
import { resultLooks } from './result.ts';
import { differingLook, equalLook, type Look, outcomeLooks, untriedLook } from './signs.ts';
import type { Cell, Column, Table } from './table.ts';

/** The maximum length of a name or value from a response, in characters. */
const maxLength = 160;

/** The words of a comparison of targets, or of the reports of one gateway. */
interface ComparisonWords {
  readonly target: string;
  readonly targets: string;
  /** The title of the requirements in `differing`, short and in full, and what the section shows. */
  readonly short: string;
  readonly differing: string;
  readonly differingIs: string;
  /** The verb before the number of cases. */
  readonly verb: string;
  readonly noDifference: string;
  readonly brokenByAll: (count: number) => string;
  readonly answerOf: (target: string) => string;
  readonly noResponse: string;
}

const both = (count: number): string => (count === 2 ? 'both' : 'all');

export const comparisonWords: Readonly<Record<ComparisonKind, ComparisonWords>> = {
  targets: {
    target: 'Target',
    targets: 'Targets',
    short: 'Differing',
    verb: 'differs',
    differing: 'Differing requirements',
    differingIs:
      'Requirements that pass on some targets, and that others violate or deviate from as declared. Each number is the number of failed cases. Each row links to the responses of the targets.',
    noDifference: 'Each requirement has the same outcome on all targets.',
    brokenByAll: (count) => `Failed on ${both(count)} targets`,
    answerOf: (target) => `Response of ${target}`,
    noResponse: 'nothing was sent',
  },
  changes: {
    target: 'Report',
    targets: 'Reports',
    short: 'Changed',
    verb: 'changed',
    differing: 'Changed requirements',
    differingIs:
      'Requirements whose results changed, the worst changes first. Each number is the number of failed cases. Each row links to the responses.',
    noDifference: 'No check changed.',
    brokenByAll: (count) => `Failed in ${both(count)} reports`,
    answerOf: (target) => `Response ${target}`,
    noResponse: 'no response in the report',
  },
};

/** How an entry of `differing` is marked, with the words for its change, if any. */
export function lookOfDifference({ change, targets }: ComparedRequirement): Pick<Look, 'sign' | 'colour'> & {
  readonly words: string;
} {
  if (change !== undefined) return changeLooks[change];
  const { colour } = outcomeLooks[toneOfDifference(targets)];
  return { ...differingLook, colour, words: '' };
}

/** Returns `deviates` if no target fails: some conform, and others deviate as declared. */
function toneOfDifference(targets: readonly RequirementOfTarget[]): 'violates' | 'deviates' {
  return targets.some(({ broken }) => broken > 0) ? 'violates' : 'deviates';
}

/** Returns the key of an entry of `differing`: its requirement, which can occur once for each change. */
export function keyOfDifference({ id, change }: ComparedRequirement): string {
  return change === undefined ? id : `${change}/${id}`;
}

/** How the whole comparison is marked. */
export function headOf({ kind, differing, summary }: Comparison): {
  readonly sign: string;
  readonly tone: Outcome;
  readonly title: string;
} {
  const [worst] = differing;
  if (worst) {
    const count = pluralize(new Set(differing.map(({ id }) => id)).size, 'requirement');
    const { sign } = lookOfDifference(worst);
    const tone =
      worst.change === undefined ? toneOfDifference(worst.targets) : changeLooks[worst.change].tone;
    const verb = kind === 'changes' ? 'changed' : `differ${differing.length === 1 ? 's' : ''}`;
    return { sign, tone, title: `${count} ${verb}` };
  }
  if (summary.planned === summary.notCompared)
    return { sign: outcomeLooks.inconclusive.sign, tone: 'inconclusive', title: 'Nothing to compare' };
  return {
    sign: equalLook.sign,
    tone: 'conforms',
    title: kind === 'changes' ? 'No change' : 'No difference',
  };
}

/** Formats the result of the comparison in one sentence. */
export function formatAgreement(comparison: Comparison): string {
  const { kind, targets, summary, differing } = comparison;
  if (kind === 'changes') return formatChanges(comparison);
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
  return countJudged(cases) > 0;
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

/**
 * Formats the name of a place in a response, on one line. The gateway chose the names of members, so the names are
 * escaped.
 */
function formatPlace(place: string): string {
  return formatOneLine(placeName(place).replace(/^the /, ''), maxLength);
}

/** Formats the value at a place, on one line, or `nothing` for null. */
function formatValue(value: string | null): string {
  return value === null ? 'nothing' : formatOneLine(value, maxLength);
}

/**
 * Returns the exchange in `evidence` of a target that violates the requirement: of the first one or, of a change, of
 * the last one. Undefined if `evidence` has no exchange of this target.
 */
export function findViolatingExchange({
  change,
  targets,
  evidence,
}: ComparedRequirement): ExchangeReport | undefined {
  const broken = targets.flatMap((target, index) => (target.broken > 0 ? [index] : []));
  const index = change === undefined ? broken[0] : broken.at(-1);
  return index === undefined ? undefined : (evidence.answers[index]?.exchange ?? undefined);
}

const numbers: readonly (readonly [title: string, of: (target: ComparedTarget) => number])[] = [
  ['Passed', ({ summary }) => summary.requirements.conforms],
  ['As declared', ({ summary }) => summary.requirements.deviates],
  ['Failed', ({ summary }) => summary.requirements.violates],
  ['Warned', ({ summary }) => summary.requirements.warns],
  ['Inconclusive', ({ summary }) => summary.requirements.inconclusive],
  ['Not applicable', ({ summary }) => summary.requirements.notApplicable],
  ['Requests', ({ sent }) => sent],
];

/** Lays out the targets with their results and counts. */
export function layOutTargets({ kind, targets }: Comparison): Table {
  return {
    title: comparisonWords[kind].targets,
    corner: comparisonWords[kind].target,
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

/** Lays out the requirements in which targets differ, with the numbers of violating cases, or their changes. */
export function layOutDiffering({ kind, targets, differing }: Comparison): Table {
  return {
    title: comparisonWords[kind].differing,
    corner: 'Requirement',
    columns: [
      ...targets.map(({ name }): Column => ({ name, kind: 'code', align: 'centre' })),
      ...(kind === 'changes' ? [{ name: 'Change', kind: 'word' } as const] : []),
    ],
    rows: differing.map((item) => ({
      label: item.id,
      kind: 'code',
      cells: [
        ...item.targets.map(layOutCell),
        ...(kind === 'changes' ? [{ text: lookOfDifference(item).words, tone: 'change' }] : []),
      ],
    })),
  };
}

/** Lays out the places where the responses to one request differ. */
export function layOutAnswers({ id, targets, evidence }: ComparedRequirement): Table {
  return {
    title: `Differences between the responses, ${id}`,
    corner: 'Place',
    columns: targets.map(({ target }) => ({ name: target, kind: 'code' })),
    rows: evidence.differences.map(({ place, values }) => ({
      label: formatPlace(place),
      kind: 'code',
      cells: layOutValues(values),
    })),
  };
}

/** The number of places in an open difference that are always shown. */
const shownPlaces = 2;

/** Lays out the differences that the specification allows. */
export function layOutOpen({ targets }: Comparison, open: readonly OpenDifference[]): Table {
  return {
    title: 'Differences that the specification allows',
    corner: 'Difference',
    columns: [...targets.map(({ name }): Column => ({ name, kind: 'code' })), { name: 'In', kind: 'word' }],
    rows: open.map(({ kind, about, place, values, where }) => {
      const places = where.map((text) => formatOneLine(text));
      return {
        ...(kind === 'silent'
          ? { label: formatOneLine(about.replace(/\.$/, '')), kind: 'prose' }
          : { label: formatPlace(place), kind: 'code' }),
        cells: [
          ...layOutValues(values),
          {
            text: places.slice(0, shownPlaces).join(', '),
            kind: 'code',
            tone: 'where',
            more: places.slice(shownPlaces),
          },
        ],
      };
    }),
  };
}

function layOutValues(values: AnswerDifference['values']): Cell[] {
  return values.map((value) => ({
    text: formatValue(value),
    kind: value === null ? 'word' : 'code',
    tone: value === null ? 'nothing' : 'value',
  }));
}

function layOutCell({ outcome, broken }: RequirementOfTarget): Cell {
  if (outcome === null)
    return { text: untriedLook.sign, look: untriedLook, tone: 'untried', says: 'not planned' };
  const look = outcomeLooks[outcome];
  return { text: look.sign + (broken > 0 ? ` ${broken}` : ''), look, tone: outcome, says: look.word };
}
