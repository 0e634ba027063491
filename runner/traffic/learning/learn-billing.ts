import { mapping } from '../../../contract/mapping.ts';
import { type TimeFormat, timeFormats } from '../../../contract/profile-values.ts';
import { billingCodes } from '../../../contract/specification.ts';
import type { OperationId } from '../../catalog/operations.ts';
import { readTextAt, readValueAt } from '../../judge/locate.ts';
import type { BoundOperation, Profile } from '../../profile/profile.ts';
import { type Answer, answerOf, type Exchange, isSuccess } from '../../transport/exchange.ts';
import { parseUrl } from '../inference/match-operation.ts';

/** A billing-type operation that the traffic shows. */
export interface LearnedOperation {
  readonly id: OperationId;
  readonly bound: BoundOperation;
  readonly timeFormat: TimeFormat | undefined;
  /** The place of the error that shows it. */
  readonly example: string;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const idName = /^(request|record|trace)?_?id$/i;
const startName = /^(start|from|since|begin)/i;
const endName = /^(end|until|to$)/i;
const codes: readonly string[] = Object.values(billingCodes).filter((code) => code !== billingCodes.notFound);
const maxTemplates = 200;

/** Learns the paths of billing-type operations, one unmatched exchange after another. */
export interface BillingLearner {
  /** Returns the operation that this exchange completes the evidence for. */
  readonly observe: (exchange: Exchange, profile: Profile) => LearnedOperation | undefined;
}

/**
 * Creates the learner. A path is one of a billing-type operation once an error there had the body and a code of section 7.2
 * other than `not_found`, which no model endpoint has, and a call succeeded.
 */
export function createBillingLearner(): BillingLearner {
  const errors = new Map<string, string>();
  const templates = new Map<string, Template>();
  return {
    observe(exchange, profile) {
      const answer = answerOf(exchange);
      const template = createTemplate(exchange, profile);
      if (!answer || !template || errors.size + templates.size > maxTemplates) return undefined;
      if (isBillingError(answer))
        for (const path of template.paths) if (!errors.has(path)) errors.set(path, exchange.id);
      // A path that works without parameters is that of the balance.
      const isShown = isSuccess(answer.status) && (template.id !== 'balance' || template.hasNoQuery);
      if (isShown && !templates.has(template.request)) templates.set(template.request, template);
      for (const [request, known] of templates) {
        const example = errors.get(known.path);
        if (example === undefined || profile.operations[known.id]) continue;
        templates.delete(request);
        const { id, method, timeFormat } = known;
        return {
          id,
          bound: { method, path: request, body: undefined, stated: 'profile' },
          timeFormat,
          example,
        };
      }
      return undefined;
    },
  };
}

/** `not_found` is also a likely response to an unknown path. */
function isBillingError(answer: Answer): boolean {
  const error = mapping(readValueAt(answer, '/error'));
  const code = readTextAt(answer, '/error/code') ?? '';
  return (
    answer.status >= 400 && codes.includes(code) && typeof error.message === 'string' && !('type' in error)
  );
}

/** The request line of an operation, with placeholders. */
interface Template {
  readonly id: 'balance' | 'usage' | 'record';
  readonly method: string;
  readonly request: string;
  readonly hasNoQuery: boolean;
  readonly timeFormat: TimeFormat | undefined;
  /** Method and path, without the query. */
  readonly path: string;
  /** `path`, and the same with its end replaced, for a request ID that is not valid. */
  readonly paths: readonly string[];
}

function createTemplate({ request: { method, path } }: Exchange, { baseUrl }: Profile): Template | undefined {
  const url = parseUrl(path);
  const base = baseUrl === '' ? undefined : new URL(baseUrl);
  const prefix = base?.pathname.replace(/\/$/, '') ?? '';
  if (!url || (base && url.origin !== base.origin) || !url.pathname.startsWith(`${prefix}/`))
    return undefined;
  const pathname = url.pathname.slice(prefix.length);
  const folder = pathname.replace(/[^/]*$/, '{request_id}');
  const isRecordPath = uuid.test(pathname.slice(folder.lastIndexOf('/') + 1));
  const names = [...url.searchParams.keys()];
  const [id, start, end] = [idName, startName, endName].map((name) => names.find((own) => name.test(own)));
  const hasNoQuery = names.length === 0;
  const common = { method, hasNoQuery, paths: [`${method} ${pathname}`, `${method} ${folder}`] };
  if (isRecordPath)
    return { ...common, id: 'record', path: `${method} ${folder}`, request: folder, timeFormat: undefined };
  const own = { ...common, path: `${method} ${pathname}`, timeFormat: undefined };
  if (id !== undefined) return { ...own, id: 'record', request: `${pathname}?${id}={request_id}` };
  if (start === undefined || end === undefined) return { ...own, id: 'balance', request: pathname };
  const timeFormat = readTimeFormat(url.searchParams.get(start) ?? '');
  return { ...own, id: 'usage', request: `${pathname}?${start}={start}&${end}={end}`, timeFormat };
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
