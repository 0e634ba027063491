import { oneLine } from '../one-line.ts';
import type { Body, ExchangeReport } from '../report.ts';
import { hang } from '../wrap.ts';
import type { Page } from './page.ts';

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
    : [`no answer: ${failure?.detail ?? 'nothing was sent'}`];
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
