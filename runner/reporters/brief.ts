import { formatFirst, pluralize } from '../../common/lists.ts';
import { formatOneLine, logText } from '../../common/printable.ts';
import type { Cause } from '../view/causes.ts';
import { promised } from '../view/clauses.ts';
import { formatWhere, listContrasts } from '../view/counts.ts';
import { formatAnswer } from '../view/format-answer.ts';
import { formatResult } from '../view/result.ts';
import type { View } from '../view/view.ts';

/** The maximum size of the report in bytes, so that it fits into a chat window or the context of a coding agent. */
const mostBytes = 2_000;
/** The maximum number of characters of a received response, and of a curl line that is shown. */
const [longestAnswer, longestCurl] = [160, 500];
const shownRequirements = 3;

/** Formats the causes, the most severe first, with place, response and curl line, and the next command. */
export function brief(view: View): string {
  const { report, gate, causes } = view;
  const head = `${report.target.baseUrl}: ${formatResult({ report, gate })}`;
  const problems = report.diagnosis.slice(0, 1).map(({ message }) => formatOneLine(message, longestCurl));
  const next = nextCommand(view);
  const shown: string[] = [];
  const restOf = (): string[] => {
    const rest = causes.length - shown.length;
    return rest > 0 && shown.length > 0 ? [`and ${pluralize(rest, 'more cause')}`] : [];
  };
  const text = (blocks: readonly string[]): string =>
    logText(`${[head, ...problems, ...blocks, ...restOf(), ...next].join('\n')}\n`);
  for (const [index, cause] of causes.entries()) {
    const block = formatCause(cause, index + 1);
    if (Buffer.byteLength(text([...shown, block])) > mostBytes) break;
    shown.push(block);
  }
  return text(shown);
}

function formatCause(cause: Cause, number: number): string {
  const { title, label, lookAt, example, requirements } = cause;
  const ids = formatFirst(
    requirements.map(({ id }) => id),
    shownRequirements,
  );
  const curl = example?.exchange.curl ?? '';
  const lines = [
    `${number}. ${label}: ${title} (${ids})`,
    [`Fails in ${formatWhere(cause)}`, ...listContrasts(cause), `Look first at ${lookAt}`].join('. '),
    ...(example
      ? [
          `Expected ${promised(example.requirement)}, received ${formatAnswer(example.exchange, longestAnswer)}`,
          ...(curl.length <= longestCurl ? [curl] : []),
        ]
      : []),
  ];
  return lines.join('\n   ');
}

/** Returns the command that sends only the cases of the first causes again; none if nothing failed. */
function nextCommand({ report, causes }: View): string[] {
  const requirements = [...new Set(causes.flatMap(({ requirements: [first] }) => first?.id ?? []))];
  if (requirements.length === 0 || report.recording) return [];
  const only = requirements.slice(0, shownRequirements).map((id) => ` --only ${id}`);
  return [`Next: conformance run ${report.target.baseUrl}${only.join('')}`];
}
