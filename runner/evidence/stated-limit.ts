import { readMember } from '../../common/pointer.ts';
import type { Answer } from '../exchange/exchange.ts';

/** A limit of requests within a period that a gateway states, and where it states that. */
export interface StatedLimit {
  readonly requests: number;
  readonly withinMs: number;
  /** The text or the header that states the limit. */
  readonly quote: string;
}

/** The share of a limit that a run uses: the gaps between requests do not stay equal on their way. */
const usedShare = 0.9;

/** Returns the number of requests a second that stays below a limit. */
export function rateWithin({ requests, withinMs }: Pick<StatedLimit, 'requests' | 'withinMs'>): number {
  return (usedShare * requests * 1000) / withinMs;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const periods = [second, minute, hour, day];

const unitLengths: readonly (readonly [RegExp, number])[] = [
  [/^(s|secs?|seconds?|秒钟?)$/i, second],
  [/^(m|mins?|minutes?|分钟?)$/i, minute],
  [/^(h|hrs?|hours?|小时)$/i, hour],
  [/^(d|days?|天|日)$/i, day],
];
const unit = 's|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?';
const what = '(?:requests?|calls?|req|reqs|queries|times|hits)';

/** Forms of a stated limit of requests. The groups are `n`, `unit` and, if it isn't 1, `per`. */
const sentences: readonly RegExp[] = [
  // 60 requests per minute, 60/min, 60 per 1 minute, 5 requests every 10 seconds, 60 requests a minute
  new RegExp(
    `(?<n>\\d+) ?${what}? ?(?:/|\\b(?:per|an?|each|every|in|within)\\b) ?(?<per>\\d+)? ?(?<unit>${unit})\\b`,
    'i',
  ),
  // requests per min (RPM): Limit 3
  new RegExp(`${what} (?:/|per) ?(?<unit>${unit})\\b[^\\d]{0,24}?(?<n>\\d+)`, 'i'),
  /每(?<per>\d+)? ?(?<unit>秒钟?|分钟?|小时|天|日) ?(?:最多)? ?(?<n>\d+) ?(?:次|个|请求)/,
  /(?<n>\d+) ?次 ?[/每] ?(?<per>\d+)? ?(?<unit>秒钟?|分钟?|小时|天|日)/,
];
/** `60 rpm`, `RPM limit: 60`. */
const initials =
  /\b(?<n>\d+) ?(?<letter>r|q)p(?<unit>[smhd])\b|\b(?:r|q)p(?<unit2>[smhd])\b[^\d]{0,16}?(?<n2>\d+)/i;

/** Words of a lock-out after wrong keys, which no slower rate prevents. */
const lockoutWords = /attempt|fail|invalid|wrong|unauthori[sz]ed|block|banned|suspicious|locked/i;

const messagePlaces = ['/error/message', '/message', '/error', '/detail', '/msg', '/error/details/message'];

/** The maximum number of characters of a text that is searched for a limit. */
const longest = 2000;

/**
 * Returns the limit of requests that a response states in its headers or, if it is a 429, in its text; undefined if it
 * states none. Limits of tokens and of wrong keys don't count.
 */
export function readStatedLimit(answer: Answer): StatedLimit | undefined {
  return readHeaders(answer.headers) ?? (answer.status === 429 ? readText(textOf(answer)) : undefined);
}

function textOf({ content, text }: Answer): string {
  if (content.kind !== 'json') return text;
  const messages = messagePlaces.map((place) => readMember(content.value, place));
  return messages.find((message): message is string => typeof message === 'string') ?? '';
}

function readText(whole: string): StatedLimit | undefined {
  const text = whole.slice(0, longest);
  if (lockoutWords.test(text)) return undefined;
  for (const sentence of sentences) {
    const { n, per = '1', unit: name = '' } = sentence.exec(text)?.groups ?? {};
    const length = lengthOf(name);
    if (n !== undefined && length !== undefined) return toLimit(Number(n), Number(per) * length, text);
  }
  const { n, unit: one, n2, unit2 } = initials.exec(text)?.groups ?? {};
  const length = lengthOf(one ?? unit2 ?? '');
  return length === undefined ? undefined : toLimit(Number(n ?? n2), length, text);
}

function lengthOf(name: string): number | undefined {
  return unitLengths.find(([pattern]) => pattern.test(name))?.[1];
}

function toLimit(requests: number, withinMs: number, quote: string): StatedLimit | undefined {
  return requests > 0 && withinMs > 0 && Number.isFinite(requests / withinMs)
    ? { requests, withinMs, quote }
    : undefined;
}

function readHeaders(headers: Answer['headers']): StatedLimit | undefined {
  const quote = (name: string): string => `${name}: ${headers[name]}`;
  // `60;w=60`, `"default";q=60;w=60`, and the older `60, 60;w=60` in RateLimit-Limit.
  for (const name of ['ratelimit-policy', 'ratelimit-limit', 'x-ratelimit-policy']) {
    const policy = headers[name] ?? '';
    const window = /;\s*w\s*=\s*(\d+)/.exec(policy)?.[1];
    const quota = /;\s*q\s*=\s*(\d+)/.exec(policy)?.[1] ?? /(\d+)\s*;\s*w/.exec(policy)?.[1];
    if (window !== undefined && quota !== undefined && !/token/i.test(policy))
      return toLimit(Number(quota), Number(window) * second, quote(name));
  }
  for (const [suffix, length] of [
    ['second', second],
    ['minute', minute],
    ['hour', hour],
    ['day', day],
  ] as const) {
    const name = `x-ratelimit-limit-${suffix}`;
    const limit = readNumber(headers[name]);
    if (limit !== undefined) return toLimit(limit, length, quote(name));
  }
  for (const [name, reset] of [
    ['x-ratelimit-limit-requests', 'x-ratelimit-reset-requests'],
    ['anthropic-ratelimit-requests-limit', 'anthropic-ratelimit-requests-reset'],
    ['x-ratelimit-limit', 'x-ratelimit-reset'],
    ['x-rate-limit-limit', 'x-rate-limit-reset'],
    ['ratelimit-limit', 'ratelimit-reset'],
  ] as const) {
    const limit = readNumber(headers[name]);
    const left = readTime(headers[reset], headers.date);
    // The time that is left of the window is at most the window, which usually is a whole unit.
    const length = left === undefined ? undefined : periods.find((period) => left <= period + second / 2);
    if (limit !== undefined && length !== undefined) return toLimit(limit, length, quote(name));
  }
  return undefined;
}

function readNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+\s*$/.test(text) ? Number(text) : undefined;
}

/** Reads a time that is left: seconds, a duration such as `6m0s`, seconds since 1970, or a date. In milliseconds. */
function readTime(text: string | undefined, date: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const now = Date.parse(date ?? '') || Date.now();
  const number = /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
  if (number !== undefined) {
    if (number < 1e8) return number * second;
    return Math.max(0, (number > 1e11 ? number : number * second) - now);
  }
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)];
  const lengths: Readonly<Record<string, number>> = { ms: 1, s: second, m: minute, h: hour };
  if (parts.length > 0 && parts.map(([part]) => part).join('') === text.trim())
    return parts.reduce((sum, [, value, name = '']) => sum + Number(value) * (lengths[name] ?? 0), 0);
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
