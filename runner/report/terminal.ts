import { styleText } from 'node:util';
import { type FindingGroup, groupFindings } from './group-findings.ts';
import type { Counts, Report, RequirementReport } from './report.ts';

/** How a text for people is set. */
export interface TerminalStyle {
  readonly colour: boolean;
  /** Shows every case, and what was observed. */
  readonly verbose: boolean;
}

type Paint = (format: Parameters<typeof styleText>[0], text: string) => string;

/** How many cases are named under one finding, and findings under one requirement, before the rest is counted. */
const shownCases = 3;
const shownGroups = 4;

/** The report as text: what kept it from judging first, then what is broken, what was not judged, and the verdict last. */
export function terminal(report: Report, { colour, verbose }: TerminalStyle): string {
  const paint: Paint = (format, text) => (colour ? styleText(format, text, { validateStream: false }) : text);
  const limit = verbose ? Number.POSITIVE_INFINITY : shownCases;
  const sections = [
    report.diagnosis.map(({ message }) => `${paint('yellow', '!')} ${message}`),
    broken(report, 'violates', paint('red', '✗'), paint, limit),
    broken(report, 'warns', paint('yellow', '▲'), paint, limit),
    notJudged(report, paint),
    verbose ? observed(report, paint) : [],
    coverage(report, paint),
    [verdict(report, paint)],
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function broken(
  report: Report,
  outcome: 'violates' | 'warns',
  mark: string,
  paint: Paint,
  limit: number,
): string[] {
  return report.requirements
    .filter((item) => item.outcome === outcome)
    .flatMap((item, index) => [
      ...(index > 0 ? [''] : []),
      ...requirementLines(report, item, outcome, mark, paint, limit),
    ]);
}

function requirementLines(
  report: Report,
  { id, level, clause, says }: RequirementReport,
  outcome: 'violates' | 'warns',
  mark: string,
  paint: Paint,
  limit: number,
): string[] {
  const groups = groupFindings(report, id, outcome);
  const shown = groups.slice(0, limit === Number.POSITIVE_INFINITY ? undefined : shownGroups);
  const rest = groups.length - shown.length;
  return [
    `${mark} ${paint('bold', id)}  ${paint('dim', `${level} · ${clause}`)}`,
    `  ${says}`,
    ...shown.flatMap((group) => groupLines(group, paint, limit)),
    ...(rest > 0
      ? [paint('dim', `  and ${rest} more ${rest === 1 ? 'finding' : 'findings'} (--verbose shows all)`)]
      : []),
  ];
}

function groupLines({ message, cases, example }: FindingGroup, paint: Paint, limit: number): string[] {
  const rest = cases.length - limit;
  return [
    `  ${paint('cyan', '→')} ${message}`,
    ...cases.slice(0, limit).map((id) => paint('dim', `      ${id}`)),
    ...(rest > 0 ? [paint('dim', `      and ${rest} more ${rest === 1 ? 'case' : 'cases'}`)] : []),
    ...(example?.traceId ? [`    trace id ${oneLine(example.traceId)}`] : []),
    ...(example ? [`    ${oneLine(example.curl)}`] : []),
  ];
}

/** What could not be judged, by the reason, and what to add to the profile. */
function notJudged(report: Report, paint: Paint): string[] {
  const reasons = new Map<string, { outcome: string; add: string | undefined; count: number }>();
  for (const item of report.cases) {
    for (const { outcome, reason, add } of item.obligations) {
      if (outcome !== 'inconclusive' && outcome !== 'not-applicable') continue;
      const key = `${outcome} ${reason}`;
      const entry = reasons.get(key) ?? { outcome, add, count: 0 };
      reasons.set(key, { ...entry, count: entry.count + 1 });
    }
  }
  const lines = [...reasons].map(([key, { outcome, add, count }]) => {
    const reason = key.slice(outcome.length + 1);
    const mark = outcome === 'inconclusive' ? paint('yellow', '?') : paint('dim', '–');
    return `${mark} ${String(count).padStart(4)} ${outcome}: ${oneLine(reason)}${add === undefined ? '' : paint('cyan', ` Add ${add}.`)}`;
  });
  return lines.length === 0 ? [] : [paint('bold', 'Not judged'), ...lines];
}

function observed(report: Report, paint: Paint): string[] {
  const lines = report.observations.map((item) => `  ${item.case}: ${oneLine(item.seen)}`);
  return lines.length === 0 ? [] : [paint('bold', 'Observed, where the specification is silent'), ...lines];
}

function coverage({ summary }: Report, paint: Paint): string[] {
  return [
    `${paint('bold', 'Requirements')}  ${countsLine(summary.requirements)}`,
    `${paint('bold', 'Cases')}         ${countsLine(summary.cases)}`,
  ];
}

function countsLine(counts: Counts): string {
  const parts: [number, string][] = [
    [counts.conforms, 'conform'],
    [counts.violates, 'violated'],
    [counts.warns, 'warned of'],
    [counts.inconclusive, 'inconclusive'],
    [counts.notApplicable, 'not applicable'],
  ];
  return `${counts.planned} planned: ${
    parts
      .filter(([number]) => number > 0)
      .map(([number, name]) => `${number} ${name}`)
      .join(', ') || 'none judged'
  }`;
}

function verdict(report: Report, paint: Paint): string {
  const took = `${report.requests.sent} requests in ${(report.durationMs / 1000).toFixed(1)} s`;
  const { verdict: word, target } = report;
  const marks = {
    conforms: paint('green', '✓ CONFORMS'),
    violates: paint('red', '✗ VIOLATES'),
    inconclusive: paint('yellow', '? INCONCLUSIVE'),
  };
  return `${marks[word]}  ${target.baseUrl}  ${paint('dim', `${took}${report.interrupted ? ', interrupted' : ''}`)}`;
}

/** A text from a gateway, on one line and without control characters. */
function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g, (letter) =>
    letter === '\n' || letter === '\t' ? ' ' : `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
