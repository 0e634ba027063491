import { pluralize } from '../../../common/lists.ts';
import { formatOneLine } from '../../../common/printable.ts';
import { columnsOf, wrapCharacters, wrapWords } from '../../../common/wrap.ts';
import { isGrave } from '../../judge/severity.ts';
import { placeName } from '../../judge/words.ts';
import type { Body, ExchangeReport } from '../../report/report.ts';
import { type Cause, formatAccepted } from '../../view/causes.ts';
import { clausesOfAll, formatClause, promised } from '../../view/clauses.ts';
import { formatCauseCount, formatWhere, listContrasts } from '../../view/counts.ts';
import { formatAnswer } from '../../view/format-answer.ts';
import { knownStartOf } from '../../view/known-start.ts';
import { formatSending } from '../../view/sending.ts';
import { outcomeVerbs } from '../../view/signs.ts';
import { type Example, isInTitle, type SymptomGroup } from '../../view/symptom-groups.ts';
import { formatFirstLines, type PageStyle, signOf, wrapCurl } from './page.ts';

const shownSymptoms = 3;
/** The maximum number of clauses of a cause without `--verbose`. */
const shownQuotes = 2;
/** The maximum number of characters of a title, of a finding, and of the body in an example. */
const longestExcerpt = 200;

/**
 * Formats a cause: the title, the requirements, the place to check first, and the symptoms with their cases and
 * examples. Symptoms with the same example are merged into one block. Without `--verbose`, shows only the first three
 * blocks. `--verbose` adds the IDs of the cases and the exchange of each example.
 */
export function formatCauseLines(page: PageStyle, cause: Cause): string[] {
  const { severity, label } = cause;
  const prefix = `${signOf(page, cause.outcome)} `;
  return [
    ...formatTitleLines(page, prefix, cause),
    ...(isGrave(severity) && !fitsTitle(page, prefix, cause) ? [`  ${page.paint('dim', label)}`] : []),
    ...requirementLines(page, cause),
    ...whereLines(page, cause),
    ...wrapWords(page, '  ', `Look first at ${cause.lookAt}.`),
    ...formatFirstLines(
      page,
      { items: mergeByExample(cause.symptoms), most: shownSymptoms, noun: 'symptom' },
      (block) => blockLines(page, cause, block),
    ),
  ];
}

/** Formats the title of a cause. The severity follows if the title and the severity fit into one line. */
export function formatTitleLines(page: PageStyle, prefix: string, cause: Cause): string[] {
  const { title, label } = cause;
  const shown = page.paint('bold', formatOneLine(title, longestExcerpt));
  return wrapWords(
    page,
    prefix,
    fitsTitle(page, prefix, cause) ? `${shown}  ${page.paint('dim', label)}` : shown,
  );
}

/** Whether the title of a cause and its severity fit into one line. */
export function fitsTitle({ width }: PageStyle, prefix: string, { title, label }: Cause): boolean {
  const shown = formatOneLine(title, longestExcerpt);
  return columnsOf(prefix) + columnsOf(shown) + label.length + 2 <= width;
}

function requirementLines(page: PageStyle, cause: Cause): string[] {
  const { outcome, requirements } = cause;
  const accepted = formatAccepted(cause);
  const ids = requirements.map(({ id }) => page.paint('bold', id)).join(', ');
  const [first] = requirements;
  return [
    ...wrapWords(page, '  ', `${outcomeVerbs[outcome]} ${ids}`, 2),
    ...(accepted === undefined ? [] : wrapWords(page, '    ', accepted)),
    ...(first && requirements.length === 1 ? wrapWords(page, '    ', formatOneLine(first.says)) : []),
    ...clausesOfAll(requirements)
      .slice(0, page.verbose ? undefined : shownQuotes)
      .flatMap((clause) =>
        wrapWords(page, '    ', page.paint('dim', formatOneLine(formatClause(clause))), 2),
      ),
  ];
}

/** Symptoms whose examples have the same exchange. */
type Block = readonly [SymptomGroup, ...SymptomGroup[]];

function mergeByExample(symptoms: readonly SymptomGroup[]): Block[] {
  const blocks: Block[] = [];
  for (const symptom of symptoms) {
    const id = symptom.example?.exchange.id;
    const at = blocks.findIndex(([{ example }]) => id !== undefined && example?.exchange.id === id);
    const block = blocks[at];
    if (block) blocks[at] = [...block, symptom];
    else blocks.push([symptom]);
  }
  return blocks;
}

function blockLines(page: PageStyle, cause: Cause, block: Block): string[] {
  const { paint, verbose } = page;
  const [{ example }] = block;
  const own = [...new Set(block.flatMap((symptom) => symptom.cases))];
  const requests = new Set(block.flatMap((symptom) => symptom.requests));
  const places = [...new Set(block.flatMap((symptom) => symptom.places))];
  const members = places.filter((place) => place !== 'status' && place !== 'body');
  const count = formatCauseCount({ ...cause, cases: own, requests: [...requests] });
  const label = (text: string): string => `    ${paint('dim', text.padEnd(8))}  `;
  return [
    ...block.flatMap((symptom) => symptomLines(page, symptom, cause)),
    ...(own.length < cause.cases.length ? wrapWords(page, label('seen in'), count) : []),
    ...(example ? exampleLines(page, label, { example, members, reproduction: cause.reproduction }) : []),
    ...(example ? wrapCurl(page, '    ', example.exchange.curl) : []),
    ...(verbose ? own.map((id) => paint('dim', `      ${id}`)) : []),
    ...(verbose && example ? formatExchangeLines(page, example.exchange) : []),
  ];
}

/** Formats which requests fail, and which requests next to them conform. */
function whereLines(page: PageStyle, cause: Cause): string[] {
  const sentences = [`Fails in ${formatWhere(cause)}`, ...listContrasts(cause)];
  return wrapWords(page, '  ', sentences.map((sentence) => `${sentence}.`).join(' '), 2);
}

function symptomLines(page: PageStyle, symptom: SymptomGroup, { title }: Cause): string[] {
  const { message, seen, places, requirements, otherMessages, example } = symptom;
  // The example already shows the expected and the received status.
  if (example && places.length === 1 && places[0] === 'status') return [];
  // A finding that quotes the body would repeat the example, and several requirements may expect different values.
  const text = places.includes('body') || requirements.length > 1 ? seen : message;
  const isCounted = text === message && otherMessages > 0 && !places.includes('status');
  if (isInTitle(text, title) && !isCounted) return [];
  const more = isCounted ? `, and ${pluralize(otherMessages, 'other value')} in other responses` : '';
  return wrapWords(page, `  ${page.paint('cyan', '→')} `, formatOneLine(text, longestExcerpt) + more);
}

function shownOfBody({ width }: PageStyle): number {
  return Math.min(longestExcerpt, Math.max(40, 2 * (width - 16)));
}

function exampleLines(
  page: PageStyle,
  label: (text: string) => string,
  {
    example: { exchange, requirement },
    members,
    reproduction,
  }: Pick<Cause, 'reproduction'> & { readonly example: Example; readonly members: readonly string[] },
): string[] {
  const { traceId } = exchange;
  return [
    label('example') + exchange.id.replace(/[#@].*$/s, ''),
    ...wrapWords(page, label('expected'), promised(requirement)),
    ...wrapCharacters(page, label('received'), formatAnswer(exchange, shownOfBody(page))),
    ...(members.length > 0 ? wrapWords(page, label('at'), members.map(placeName).join(', ')) : []),
    ...wrapWords(
      page,
      label('trace ID'),
      [traceId === null ? 'none' : formatOneLine(traceId, 100), knownStartOf(exchange) ?? []]
        .flat()
        .join(', '),
    ),
    ...formatSending(exchange, reproduction).flatMap(([what, text]) => wrapWords(page, label(what), text)),
  ];
}

/** The maximum number of characters of a body that `--verbose` shows. */
const shownLetters = 2000;

/** Formats an exchange: the lines of the request, then the earlier attempts, and then the lines of the response. */
export function formatExchangeLines(page: PageStyle, exchange: ExchangeReport): string[] {
  const { request, response, failure, durationMs, earlier } = exchange;
  const sent = [
    `${request.method} ${request.url}`,
    ...headerLines(request.headers),
    ...(request.body ? bodyLines(request.body) : []),
  ];
  const received = response
    ? [
        `${response.status} in ${durationMs} ms`,
        ...headerLines(response.headers),
        ...bodyLines(response.body),
      ]
    : [`no response: ${failure?.detail ?? 'nothing was sent'}`];
  const tries =
    earlier.length > 0 ? [`retried after: ${earlier.map((one) => one ?? 'no response').join(', ')}`] : [];
  return [
    ...sent.flatMap((line) => wrapWords(page, `    ${page.paint('blue', '>')} `, formatOneLine(line))),
    ...[...tries, ...received].flatMap((line) =>
      wrapWords(page, `    ${page.paint('magenta', '<')} `, formatOneLine(line)),
    ),
  ];
}

function headerLines(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
}

function bodyLines({ text, bytes }: Body): string[] {
  if (text === '') return [];
  const rest = text.length > shownLetters ? [`… of ${bytes} bytes`] : [];
  return ['', ...text.slice(0, shownLetters).toWellFormed().split(/\r?\n/), ...rest];
}
