import { pluralize } from '../../common/lists.ts';
import { formatOneLine } from '../../common/printable.ts';
import { isInScope } from '../judge/severity.ts';
import type { Report } from '../report/report.ts';
import type { Cause } from '../view/causes.ts';
import { formatCounts, formatInconclusiveIds } from '../view/counts.ts';
import { describeCause } from '../view/describe-cause.ts';
import { formatDeviationCount } from '../view/deviations.ts';
import { type FailedRequirement, formatNotJudged } from '../view/failed-checks.ts';
import { formatModelCounts, formatModels, type ModelGroup } from '../view/models.ts';
import { listProblems, problemWords } from '../view/problems.ts';
import { formatResult } from '../view/result.ts';
import type { View } from '../view/view.ts';

interface Annotation {
  readonly title: string;
  readonly lines: readonly string[];
  readonly file?: string;
  readonly line?: number;
}

/**
 * The maximum number of annotations of one kind that GitHub shows for a step. The list of reasons why checks were not
 * judged has the same limit.
 */
const shownOfKind = 10;
/** The maximum number of characters of a line of an annotation. */
const longestLine = 2_000;

/**
 * Formats the report as workflow commands, which GitHub shows as annotations. The annotations are causes, problems of
 * the run, the baseline entries and declared deviations that fail the run, unstable cases, expected violations and the verdict. If a kind
 * (error, warning or notice) has more than 10 annotations, the tenth lists the titles of the rest.
 */
export function github(view: View): string {
  const { report, causes } = view;
  const known = view.expected.filter(({ outcome }) => outcome === 'violates');
  const groups = view.models.filter((group) => !group.known);
  const ofOutcome = (outcome: Cause['outcome']): Annotation[] => {
    const models = groups.filter((group) => group.outcome === outcome);
    return causes
      .filter(
        (cause) =>
          cause.outcome === outcome && (outcome === 'warns' || isInScope(cause.severity, report.scope)),
      )
      .map((cause) => annotate(cause, models));
  };
  const outOfScope = causes.filter(
    ({ outcome, severity }) => outcome === 'violates' && !isInScope(severity, report.scope),
  );
  const commands = [
    ...commandLines('error', [...ofOutcome('violates'), ...annotateProblems(report)]),
    ...commandLines('warning', [
      ...report.diagnosis.map(({ message }) => ({ title: 'Problem during the run', lines: [message] })),
      ...outOfScope.map((cause) => annotate(cause, [])),
      ...ofOutcome('warns'),
      ...annotateUnstable(report),
    ]),
    ...commandLines('notice', [annotateVerdict(view), ...known.map(annotateExpected)]),
  ];
  return commands.map((command) => `${command}\n`).join('');
}

function annotate(cause: Cause, models: readonly ModelGroup[]): Annotation {
  const ids = cause.requirements.map(({ id }) => id);
  const own = models.find((group) => group.requirements.some((id) => ids.includes(id)));
  return {
    title: cause.title,
    lines: [
      ...describeCause(cause).map(([name, text]) => `${name}: ${text}`),
      ...(own ? [`listed models: ${formatModels(own)}`] : []),
    ],
  };
}

function annotateExpected({ requirement, why }: FailedRequirement): Annotation {
  return { title: `Expected: ${requirement.id}`, lines: why };
}

function annotateProblems(report: Report): Annotation[] {
  return listProblems(report).map(({ of, status, place, message }) => {
    const [, file, line] = /^(.*):(\d+)$/s.exec(place) ?? [];
    return {
      title: `${status} ${problemWords[of].noun}`,
      lines: [message],
      ...(file !== undefined && { file, line: Number(line) }),
    };
  });
}

function annotateUnstable({ cases }: Report): Annotation[] {
  const ids = cases.flatMap((item) => (item.unstable ? [item.id] : []));
  return ids.length === 0
    ? []
    : [{ title: 'Unstable', lines: [`Passed in one round and failed in another: ${ids.join(', ')}`] }];
}

function annotateVerdict(view: View): Annotation {
  const { report, headlines, expectedFailures: expected } = view;
  const inconclusive = formatInconclusiveIds(view);
  const left = view.notTested.map((entry) => formatNotJudged(entry));
  return {
    title: `Model gateway: ${formatResult(view)}`,
    lines: [
      ...(inconclusive === '' ? [] : [`Inconclusive: ${inconclusive}`]),
      ...headlines,
      `Requirements, ${formatCounts(report.summary.requirements, expected.requirements)}`,
      `Cases, ${formatCounts(report.summary.cases, expected.cases)}`,
      ...(view.deviations ? [`Declared: ${formatDeviationCount(view.deviations)}`] : []),
      ...(report.models ? [formatModelCounts(report.models)] : []),
      ...left.slice(0, shownOfKind),
      ...(left.length > shownOfKind ? [`and ${pluralize(left.length - shownOfKind, 'more reason')}`] : []),
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
  const place = file === undefined ? [] : [`file=${escapeProperty(file)}`, `line=${line}`];
  const message = lines.map((text) => escapeMessage(text)).join('%0A');
  return `::${kind} ${[...place, `title=${escapeProperty(title)}`].join(',')}::${message}`;
}

/** Truncates a text and escapes the text for the message of a workflow command, which must be one line. */
function escapeMessage(text: string): string {
  return formatOneLine(text, longestLine).replaceAll('%', '%25');
}

/** Truncates a text and escapes the text for a property of a workflow command. */
function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
