import { formatFirst } from '../../common/lists.ts';
import { joinCurlLines } from '../report/curl/curl-line.ts';
import { type Cause, formatAccepted } from './causes.ts';
import { formatClauses } from './clauses.ts';
import { formatWhere } from './counts.ts';
import { formatAnswer } from './format-answer.ts';
import { knownStartOf } from './known-start.ts';
import { formatConforming } from './occurrence.ts';
import { formatAttempts } from './reproduction.ts';
import { formatSending } from './sending.ts';
import { outcomeVerbs } from './signs.ts';

/** The maximum number of clauses and of requirements that a row names. */
const [shownClauses, shownRequirements] = [2, 10];
const longestExcerpt = 300;

/**
 * Returns the rows of text that describe a cause, as pairs of a name and a text. Rows without a text are omitted. The row
 * `received` has at most 300 characters of the response body.
 */
export function describeCause(cause: Cause): [string, string][] {
  const { outcome, label, lookAt, requirements, cases, symptoms, example, reproduction, mixedUp } = cause;
  const ids = requirements.map(({ id }) => id);
  const found = example ? example.findings.map(({ message }) => message) : [symptoms[0]?.message];
  const rows: readonly (readonly [string, string | null | undefined])[] = [
    ['severity', label],
    ['where', formatWhere(cause)],
    ['conforms', formatConforming(cause.occurrence)],
    ['mixed up', mixedUp],
    ['sent again', formatAttempts(reproduction)],
    ['baseline', formatAccepted(cause)],
    ['expected', example?.requirement.expects],
    ['found', [...new Set(found)].join('; ')],
    ['received', example && formatAnswer(example.exchange, longestExcerpt)],
    ['look at', lookAt],
    ['clause', example && formatClauses(example.requirement).slice(0, shownClauses).join('; ')],
    [outcomeVerbs[outcome].toLowerCase(), formatFirst(ids, shownRequirements)],
    ['time', example && knownStartOf(example.exchange)],
    ['trace ID', example?.exchange.traceId],
    ...(example ? formatSending(example.exchange, reproduction) : []),
    ['curl', example && joinCurlLines(example.exchange.curl)],
    [cases.length === 1 ? 'case' : `${cases.length} cases, such as`, example?.case ?? cases[0]],
  ];
  return rows.flatMap(([name, text]) => (text ? [[name, text]] : []));
}
