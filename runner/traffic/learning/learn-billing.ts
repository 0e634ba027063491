import { toMapping } from '../../../common/mapping.ts';
import { type TimeFormat, timeFormats } from '../../../common/profile-values.ts';
import { type ErrorRows, statusesOf } from '../../catalog/errors.ts';
import { type Answer, answerOf, type Exchange, isSuccess } from '../../exchange/exchange.ts';
import { readAnswer } from '../../exchange/reading.ts';
import { readValueAt } from '../../judge/locate.ts';
import type { BoundOperation } from '../../profile/profile.ts';
import { parseUrl } from '../inference/match-operation.ts';

/** A billing-type endpoint that was learned from traffic. */
export interface LearnedOperation {
  readonly id: 'balance' | 'usage' | 'record';
  readonly bound: BoundOperation;
  readonly timeFormat: TimeFormat | undefined;
  /** The ID of an exchange with an error that identifies the path. */
  readonly example: string;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const idName = /^(request|record|trace)?_?id$/i;
const startName = /^(start|from|since|begin)/i;
const endName = /^(end|until|to$)/i;
const balanceWord = /balance|billing|credit|account|wallet|quota/i;
const usageWord = /usage|spend|billing|cost|bill|record|consum|log/i;
const recordWord = /record|request|generation|usage|billing/i;
const maxTemplates = 200;

/** Learns the paths of billing-type endpoints from exchanges that match no known operation. */
export interface BillingLearner {
  /**
   * Learns from an exchange of the gateway at `baseUrl`. Returns an operation whose evidence is complete after this
   * exchange; undefined if no such operation exists.
   */
  readonly observe: (
    exchange: Exchange,
    baseUrl: string,
    isValidKey: boolean,
  ) => LearnedOperation | undefined;
}

/**
 * Creates the learner of billing-type endpoints. A path belongs to a billing-type endpoint if three conditions are
 * met. The words in the path and the parameters must fit the operation. A response must have had the error body and a
 * code of section 7.2, with its status, other than 404. A call must have succeeded with a key that is valid for models.
 */
export function createBillingLearner(errors: ErrorRows): BillingLearner {
  /** The IDs of exchanges with an error of section 7.2, by path. */
  const examples = new Map<string, string>();
  const templates = new Map<string, Template>();
  return {
    observe(exchange, baseUrl, isValidKey) {
      const answer = answerOf(exchange);
      const template = createTemplate(exchange.request, baseUrl);
      if (!answer || !template || examples.size + templates.size > maxTemplates) return undefined;
      if (isBillingError(exchange, answer, errors))
        for (const path of template.paths) if (!examples.has(path)) examples.set(path, exchange.id);
      const isJson = readValueAt(answer, '') !== undefined;
      const isShown = isValidKey && isJson && isSuccess(answer.status) && template.isNamed;
      if (isShown && !templates.has(template.request)) templates.set(template.request, template);
      for (const [request, { id, path, timeFormat }] of templates) {
        const example = examples.get(path);
        if (example === undefined) continue;
        templates.delete(request);
        const bound = { method: 'GET', path: request, body: undefined, stated: 'profile' } as const;
        return { id, bound, timeFormat, example };
      }
      return undefined;
    },
  };
}

/** Whether a response matches a row of section 7.2 except 404, which is a likely response to any unknown path. */
function isBillingError(exchange: Exchange, answer: Answer, errors: ErrorRows): boolean {
  const body = toMapping(readValueAt(answer, ''));
  const error = toMapping(body.error);
  const hasOnly = (value: object, count: number): boolean => Object.keys(value).length === count;
  const isWhole = hasOnly(body, 1) && hasOnly(error, 2) && typeof error.message === 'string';
  const { error: named } = readAnswer(exchange, errors);
  return isWhole && answer.status !== 404 && named !== undefined && statusesOf(named).includes(answer.status);
}

/** The path of an operation, with placeholders. */
interface Template {
  readonly id: LearnedOperation['id'];
  readonly request: string;
  /** Whether the words in the path and the parameters fit the operation. */
  readonly isNamed: boolean;
  readonly timeFormat: TimeFormat | undefined;
  /** The path without the query. */
  readonly path: string;
  /**
   * The path of the request, and the same path with its last segment replaced by `{request_id}`, because the segment
   * may be an invalid request ID.
   */
  readonly paths: readonly string[];
}

function createTemplate(
  { method, path: address }: Exchange['request'],
  baseUrl: string,
): Template | undefined {
  const url = parseUrl(address);
  const base = new URL(baseUrl);
  const prefix = base.pathname.replace(/\/$/, '');
  if (method !== 'GET' || url?.origin !== base.origin || !url.pathname.startsWith(`${prefix}/`))
    return undefined;
  const pathname = url.pathname.slice(prefix.length);
  const folder = pathname.replace(/[^/]*$/, '{request_id}');
  const names = [...url.searchParams.keys()];
  const [id, start, end] = [idName, startName, endName].map((name) => names.find((own) => name.test(own)));
  const own = { path: pathname, paths: [pathname, folder], timeFormat: undefined };
  if (uuid.test(pathname.slice(folder.lastIndexOf('/') + 1)))
    return { ...own, id: 'record', isNamed: recordWord.test(folder), path: folder, request: folder };
  if (id !== undefined)
    return {
      ...own,
      id: 'record',
      isNamed: recordWord.test(pathname),
      request: `${pathname}?${id}={request_id}`,
    };
  if (start === undefined || end === undefined)
    // Balance is the only operation that can be inferred and works without parameters.
    return {
      ...own,
      id: 'balance',
      isNamed: names.length === 0 && balanceWord.test(pathname),
      request: pathname,
    };
  const [timeFormat, other] = [start, end].map((name) => readTimeFormat(url.searchParams.get(name) ?? ''));
  const isNamed = timeFormat !== undefined && timeFormat === other && usageWord.test(pathname);
  return { ...own, id: 'usage', isNamed, request: `${pathname}?${start}={start}&${end}={end}`, timeFormat };
}

function readTimeFormat(text: string): TimeFormat | undefined {
  const patterns: Readonly<Record<TimeFormat, RegExp>> = {
    'unix-seconds': /^\d{10}$/,
    'unix-millis': /^\d{13}$/,
    'iso-date': /^\d{4}-\d\d-\d\d$/,
    'iso-datetime': /^\d{4}-\d\d-\d\dT/,
  };
  return timeFormats.find((format) => patterns[format].test(text));
}
