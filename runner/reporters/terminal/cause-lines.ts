import type { Cause } from '../../report/causes/causes.ts';
import { severityLabels } from '../../report/causes/severity.ts';
import type { Example, SymptomGroup } from '../../report/causes/symptom-groups.ts';
import { countCause, formatGenerated } from '../../report/format-counts.ts';
import { formatAnswer } from '../../report/format-value.ts';
import type { Body, CaseReport, ExchangeReport, RequirementReport } from '../../report/report.ts';
import { pluralize } from '../../text/lists.ts';
import { oneLine } from '../../text/printable.ts';
import { columnsOf, fill, hang } from '../../text/wrap.ts';
import { markOf, type Page } from './page.ts';
import { where } from './where.ts';

/** How many symptoms of a cause are shown before the rest is counted. */
const shownSymptoms = 3;
/** How much is shown of a body, or of a finding. */
const longestExcerpt = 200;

/** The cases of a report by their ids. */
export type CasesById = ReadonlyMap<string, CaseReport>;

/** A cause in full: what it violates, and each symptom with the cases that show it and an example. */
export function causeLines(page: Page, cases: CasesById, cause: Cause): string[] {
  const { verbose } = page;
  const blocks = mergeByExample(cause.symptoms);
  const shown = verbose ? blocks : blocks.slice(0, shownSymptoms);
  const rest = blocks.length - shown.length;
  return [
    ...titleLines(page, `${markOf(page, cause.outcome)} `, cause),
    ...requirementLines(page, cause),
    ...hang(page, '  ', `Look first at ${cause.lookAt}.`),
    ...shown.flatMap((block) => blockLines(page, cases, cause, block)),
    ...(rest > 0
      ? [page.paint('dim', `  and ${pluralize(rest, 'more symptom')} (--verbose shows all)`)]
      : []),
  ];
}

/** The title of a cause, and its severity where the line has room for it. */
export function titleLines(page: Page, prefix: string, { title, severity }: Cause): string[] {
  const label = severityLabels[severity];
  const shown = oneLine(title, longestExcerpt);
  const isWide = columnsOf(prefix) + columnsOf(shown) + label.length + 2 <= page.width;
  return hang(page, prefix, page.paint('bold', shown) + (isWide ? `  ${page.paint('dim', label)}` : ''));
}

/** The requirements of a cause, each in a line; a single one with its sentence. */
function requirementLines(page: Page, { requirements }: Cause): string[] {
  const { paint, verbose, width } = page;
  const isOnly = requirements.length === 1;
  return requirements.flatMap(({ id, level, clause, says }: RequirementReport) => {
    const room = verbose || isOnly ? Number.POSITIVE_INFINITY : Math.max(0, width - id.length - 6);
    const about = paint('dim', oneLine(`${level} · ${clause}`, room));
    return [
      ...hang(page, '  ', `${paint('bold', id)}  ${about}`, 2),
      ...(isOnly ? hang(page, '  ', says) : []),
    ];
  });
}

/** Symptoms that have the same response as their example. */
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

function blockLines(page: Page, cases: CasesById, cause: Cause, block: Block): string[] {
  const { paint, verbose } = page;
  const [{ example }] = block;
  const known = (ids: readonly string[]): CaseReport[] => ids.flatMap((id) => cases.get(id) ?? []);
  const own = known([...new Set(block.flatMap((symptom) => symptom.cases))]);
  const requests = new Set(block.flatMap((symptom) => symptom.requests));
  const places = [...new Set(block.flatMap((symptom) => symptom.places))];
  const members = places.filter((place) => place !== 'status' && place !== 'body');
  const count = countCause({ ...cause, cases: own.map(({ id }) => id), requests: [...requests] });
  const label = (text: string): string => `    ${paint('dim', text.padEnd(8))}  `;
  return [
    ...block.flatMap((symptom) => saidLines(page, symptom, cause)),
    ...hang(
      page,
      label('where'),
      [count, where(own, known(cause.judged))].filter((text) => text !== '').join(': '),
    ),
    ...(example ? exampleLines(page, label, example, members) : []),
    ...(example ? [`    ${oneLine(example.exchange.curl)}`] : []),
    ...(verbose ? own.map(({ id }) => paint('dim', `      ${id}`)) : []),
    ...(verbose && example ? exchangeLines(page, example.exchange) : []),
  ];
}

/** What was found, unless the title of the cause says the same. */
function saidLines(page: Page, symptom: SymptomGroup, { title }: Cause): string[] {
  const { message, seen, places, requirements, otherMessages } = symptom;
  // A finding that quotes the whole body is followed by this body; of several requirements each expects something else.
  const said = places.includes('body') || requirements.length > 1 ? seen : message;
  const isCounted = said === message && otherMessages > 0 && !places.includes('status');
  if (said === title && !isCounted) return [];
  const more = isCounted ? `, and ${pluralize(otherMessages, 'other value')} elsewhere` : '';
  return hang(page, `  ${page.paint('cyan', '→')} `, oneLine(said, longestExcerpt) + more);
}

function exampleLines(
  page: Page,
  label: (text: string) => string,
  { exchange, requirement }: Example,
  members: readonly string[],
): string[] {
  const { traceId, startedAt } = exchange;
  return [
    label('example') + exchange.id.replace(/[#@].*$/s, ''),
    ...hang(page, label('expected'), requirement.expects),
    ...fill(page, label('received'), formatAnswer(exchange, longestExcerpt)),
    ...(members.length > 0 ? hang(page, label('at'), members.join(', ')) : []),
    ...hang(page, label('trace id'), `${traceId === null ? 'none' : oneLine(traceId, 100)}, ${startedAt}`),
    ...formatGenerated(exchange).flatMap(([what, text]) => hang(page, label(what), text)),
  ];
}

/** How much of a body is shown. */
const shownLetters = 2000;

/** An exchange as it went over the wire, keys redacted: what was sent, and what came. */
export function exchangeLines(page: Page, exchange: ExchangeReport): string[] {
  const { request, response, failure, durationMs, earlier } = exchange;
  const sent = [
    `${request.method} ${request.url}`,
    ...headerLines(request.headers),
    ...(request.body ? bodyLines(request.body) : []),
  ];
  const came = response
    ? [
        `${response.status} in ${durationMs} ms`,
        ...headerLines(response.headers),
        ...bodyLines(response.body),
      ]
    : [`no response: ${failure?.detail ?? 'nothing was sent'}`];
  const tries =
    earlier.length > 0 ? [`tried before: ${earlier.map((one) => one ?? 'no answer').join(', ')}`] : [];
  return [
    ...sent.flatMap((line) => hang(page, `    ${page.paint('blue', '>')} `, oneLine(line))),
    ...[...tries, ...came].flatMap((line) => hang(page, `    ${page.paint('magenta', '<')} `, oneLine(line))),
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
