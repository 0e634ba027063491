import { oneLine } from '../text/printable.ts';
import type { ExchangeReport } from './report.ts';

/** Why a value at a place does not match a schema, in words. */
export function schemaProblem(place: string, problem: string): string {
  const extra = /^must NOT have additional properties: (.+)$/.exec(problem)?.[1];
  if (extra !== undefined) return `${placeName(place)} has a member that is not allowed: ${extra}`;
  const member = missingMember(problem);
  if (member === undefined) return `${placeName(place)} ${problem}`;
  return `${placeName(`${place === 'body' ? '' : place}/${member}`)} is missing`;
}

/** The missing member that a validator reports; undefined for any other problem. */
export function missingMember(problem: string): string | undefined {
  return /^must have required property '(.+)'$/.exec(problem)?.[1];
}

/** The name of a place in a response: `error.type`, `the header x-trace-id`. */
export function placeName(place: string): string {
  if (place === 'body') return 'the body';
  if (place === 'status') return 'the status';
  if (place.startsWith('header ')) return `the header ${place.slice('header '.length)}`;
  return place.slice(1).replaceAll('/', '.');
}

/** A place in a response with its name as code: `error.type`, the header `x-trace-id`. */
export function quotedPlace(place: string): string {
  if (place === 'status' || place === 'body') return placeName(place);
  return place.startsWith('header ')
    ? `the header \`${place.slice('header '.length)}\``
    : `\`${placeName(place)}\``;
}

/** A value from the gateway as JSON, truncated, with invisible characters escaped. */
export function showValue(value: unknown): string {
  return value === undefined ? 'nothing' : oneLine(JSON.stringify(value), 160);
}

/** A response on one line: the status and at most `longest` characters of the body, or why there was no response. */
export function formatAnswer(
  { response, failure }: Pick<ExchangeReport, 'response' | 'failure'>,
  longest: number,
): string {
  if (!response) return `no response: ${oneLine(failure?.detail ?? '', longest)}`;
  const body = oneLine(response.body.text.replace(/\s+/g, ' '), longest);
  return `${response.status} ${body || '(no body)'}`;
}
