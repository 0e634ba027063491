import {
  type BrokenRequirement,
  brokenRequirements,
  collectBreaches,
  describeBreach,
} from './collect-breaches.ts';
import { collectNotJudged, wordNotJudged } from './collect-not-judged.ts';
import { groupModels, type ModelGroup, wordModelCounts, wordModels } from './group-models.ts';
import { oneLine } from './one-line.ts';
import type { Report } from './report.ts';
import { standingOf, standingWords } from './standing.ts';
import { wordCounts } from './word-counts.ts';

/** An annotation before it is written as a workflow command. */
interface Annotation {
  readonly title: string;
  readonly lines: readonly string[];
  readonly file?: string;
  readonly line?: number;
}

/** GitHub shows so many annotations of a kind in a step, and no more. */
const shownOfKind = 10;
/** The longest line of a message; a longer one is cut. */
const longestLine = 2_000;

/** The report as workflow commands, which GitHub shows as annotations: one for each requirement that is broken. */
export function github(report: Report): string {
  const breaches = collectBreaches(report);
  const known = brokenRequirements(breaches, { outcome: 'violates', known: true });
  const groups = groupModels(report);
  const modelsThat = (outcome: ModelGroup['outcome']): ModelGroup[] =>
    groups.filter((group) => group.outcome === outcome && !group.known);
  const commands = [
    ...commandLines('error', [
      ...baselineProblems(report),
      ...brokenRequirements(breaches, { outcome: 'violates', known: false }).map((item) =>
        broken(item, modelsThat('violates')),
      ),
    ]),
    ...commandLines('warning', [
      ...report.diagnosis.map(({ message }) => ({ title: 'Not judged', lines: [message] })),
      ...brokenRequirements(breaches, { outcome: 'warns', known: false }).map((item) =>
        broken(item, modelsThat('warns')),
      ),
      ...unstable(report),
    ]),
    ...commandLines('notice', [verdict(report), ...known.map(expected)]),
  ];
  return commands.map((command) => `${command}\n`).join('');
}

function broken({ requirement, breaches }: BrokenRequirement, models: readonly ModelGroup[]): Annotation {
  const [first] = breaches;
  const own = models.find(({ requirements }) => requirements.includes(requirement.id));
  const cases = breaches.length === 1 ? 'case' : `${breaches.length} cases, such as`;
  return {
    title: requirement.id,
    lines: first
      ? [
          ...describeBreach(first).map(([name, text]) => `${name}: ${text}`),
          `${cases}: ${first.item.id}`,
          ...(own ? [`listed models: ${wordModels(own)}`] : []),
        ]
      : [],
  };
}

function expected({ requirement, breaches }: BrokenRequirement): Annotation {
  const why = [...new Set(breaches.map(({ known }) => known ?? ''))];
  return { title: `${requirement.id}, known`, lines: why };
}

function baselineProblems({ baseline }: Report): Annotation[] {
  if (!baseline) return [];
  const { file, problems } = baseline;
  return problems.map(({ line, message }) => ({ title: 'Baseline', lines: [message], file, line }));
}

function unstable({ cases }: Report): Annotation[] {
  const ids = cases.flatMap((item) => (item.unstable ? [item.id] : []));
  return ids.length === 0
    ? []
    : [{ title: 'Unstable', lines: [`Kept in one round and broken in another: ${ids.join(', ')}`] }];
}

function verdict(report: Report): Annotation {
  const left = collectNotJudged(report).map((entry) => wordNotJudged(entry));
  return {
    title: `Model gateway ${standingWords[standingOf(report)]}`,
    lines: [
      `Requirements, ${wordCounts(report.summary.requirements)}`,
      `Cases, ${wordCounts(report.summary.cases)}`,
      ...(report.models ? [wordModelCounts(report.models)] : []),
      ...left.slice(0, shownOfKind),
      ...(left.length > shownOfKind ? [`and ${left.length - shownOfKind} more reasons`] : []),
    ],
  };
}

function commandLines(kind: 'error' | 'warning' | 'notice', annotations: readonly Annotation[]): string[] {
  const fits = annotations.length <= shownOfKind;
  const shown = fits ? annotations : annotations.slice(0, shownOfKind - 1);
  const rest = annotations.slice(shown.length).map(({ title }) => title);
  const last: Annotation = { title: `${rest.length} more`, lines: [rest.join(', ')] };
  return [...shown, ...(fits ? [] : [last])].map((item) => commandLine(kind, item));
}

function commandLine(kind: string, { title, lines, file, line }: Annotation): string {
  const place = file === undefined ? [] : [`file=${property(file)}`, `line=${line}`];
  const message = lines.map((text) => data(text)).join('%0A');
  return `::${kind} ${[...place, `title=${property(title)}`].join(',')}::${message}`;
}

/** A text in a workflow command, bounded and escaped, so that it stays on its line. */
function data(text: string): string {
  return oneLine(text, longestLine).replaceAll('%', '%25');
}

/** A text in a property of a workflow command. */
function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
