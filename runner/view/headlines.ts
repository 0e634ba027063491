import { formatList, groupBy, pluralize } from '../../common/lists.ts';
import { readMember } from '../../common/pointer.ts';
import type { Severity } from '../judge/severity.ts';
import { isBadCredential, subjectOf } from '../judge/subject.ts';
import { quotePlace, showValue } from '../judge/words.ts';
import type { CaseReport, ExchangeReport, Report } from '../report/report.ts';
import type { Cause } from './causes.ts';

/** The minimum share of cases or errors for a sentence about all or most cases or errors. */
const nearlyAll = 0.9;
/** The minimum share of cases for a sentence that contains the numbers of affected and of all cases. */
const most = 0.8;
/** The minimum number of cases or errors for any headline about a status or error bodies. */
const fewest = 10;

/**
 * Returns sentences that summarize the failures of a report; empty if no such sentence applies. Reports of recorded
 * traffic have no headlines, since these reports contain only examples of the responses.
 */
export function headlinesOf(
  report: Report,
  causes: readonly Cause[],
  statuses: readonly CommonStatus[],
): string[] {
  const own = causes.filter(({ outcome }) => outcome === 'violates');
  if (report.recording || own.length === 0) return [];
  return [
    ...summarizeOpenOperations(report, own),
    ...statuses.map(
      ({ cause, number, tried }) => `${cause.title}: ${number} of ${pluralize(tried, 'case')}.`,
    ),
    ...summarizeErrorBodies(report, own),
  ];
}

function summarizeOpenOperations({ cases }: Report, causes: readonly Cause[]): string[] {
  const served = new Set(
    causes.flatMap((cause) => (cause.severity === 'unauthorized-access' ? cause.cases : [])),
  );
  if (served.size === 0) return [];
  const tried = cases.filter(hasOnlyBadCredential);
  const operations = [...new Set(tried.map(({ attributes }) => attributes.operation ?? ''))];
  const open = operations.filter((operation) => {
    const own = tried.filter(({ attributes }) => attributes.operation === operation);
    const withoutKey = own.filter(({ attributes }) => attributes.header === 'none');
    const share = own.filter(({ id }) => served.has(id)).length / own.length;
    return withoutKey.length > 0 && withoutKey.every(({ id }) => served.has(id)) && share >= nearlyAll;
  });
  if (open.length === 0) return [];
  return open.length === operations.length
    ? [`Credentials are not checked: requests without a key succeed on ${open.join(', ')}.`]
    : [`Credentials are not checked on ${open.join(', ')}: requests without a key succeed.`];
}

/** A cause by which most requests with a bad credential get a wrong status: `number` of `tried` cases. */
export interface CommonStatus {
  readonly cause: Cause;
  readonly number: number;
  readonly tried: number;
}

/** Returns the causes by which most requests with a bad credential get a wrong status; none for recorded traffic. */
export function findCommonStatuses({ cases, recording }: Report, causes: readonly Cause[]): CommonStatus[] {
  const refused = causes.filter(
    ({ outcome, severity }) =>
      outcome === 'violates' && (severity === 'server-error' || severity === 'wrong-status'),
  );
  const tried = cases.filter(hasOnlyBadCredential);
  if (recording || tried.length < fewest) return [];
  return refused.flatMap((cause) => {
    const own = new Set(cause.cases);
    const number = tried.filter(({ id }) => own.has(id)).length;
    return number >= most * tried.length ? [{ cause, number, tried: tried.length }] : [];
  });
}

/** Whether a case was judged, and its last request has an invalid credential and is otherwise valid. */
function hasOnlyBadCredential(item: CaseReport): boolean {
  return isJudged(item) && item.attributes.request === 'valid' && isBadCredential(subjectOf(item.attributes));
}

function isJudged({ outcome }: CaseReport): boolean {
  return outcome !== 'inconclusive' && outcome !== 'not-applicable';
}

const bodySeverities: readonly Severity[] = ['not-json', 'wrong-type', 'wrong-detail'];

function summarizeErrorBodies(report: Report, causes: readonly Cause[]): string[] {
  const ofBody = causes.filter(
    ({ severity, requests }) => bodySeverities.includes(severity) && requests.length >= fewest,
  );
  if (ofBody.length === 0) return [];
  const errors = errorsOf(report);
  if (errors.length < fewest) return [];
  const common = ofBody.filter(
    ({ severity, requests }) => severity === 'wrong-detail' && requests.length >= nearlyAll * errors.length,
  );
  const places = [...new Set(common.flatMap((cause) => cause.places))].filter((place) => place !== 'body');
  const without = new Map(
    places.map((place) => [place, errors.filter((error) => valueAt(error, place) === undefined).length]),
  );
  const absent = places.filter((place) => (without.get(place) ?? 0) >= nearlyAll * errors.length);
  const wrong = places.filter((place) => !absent.includes(place));
  const notJson = errors.filter(({ body }) => body === undefined).length;
  const isEvery = absent.every((place) => without.get(place) === errors.length);
  return [
    ...(notJson >= nearlyAll * errors.length
      ? [
          `${notJson === errors.length ? 'No error response' : 'Almost no error response'} of a model endpoint is JSON.`,
        ]
      : []),
    ...summarizeErrorType(errors, ofBody),
    ...(absent.length > 0
      ? [
          `${isEvery ? 'Every error response of a model endpoint lacks' : 'Most error responses of model endpoints lack'} ${nameAll(absent)}.`,
        ]
      : []),
    ...(wrong.length > 0
      ? [
          `In most error responses of model endpoints, ${nameAll(wrong)} ${wrong.length === 1 ? 'is' : 'are'} wrong.`,
        ]
      : []),
  ];
}

/**
 * Returns a headline if almost all error responses, or almost all error responses to bad credentials, have the same
 * type, which is wrong for most of these responses. Otherwise returns an empty list.
 */
function summarizeErrorType(errors: readonly ParsedError[], causes: readonly Cause[]): string[] {
  const isType = ({ severity, places }: Cause): boolean =>
    severity === 'wrong-type' && places.includes('/error/type');
  if (!causes.some(isType)) return [];
  const refused = errors.filter(({ refusesCredential }) => refusesCredential);
  return (
    formatCommonType(
      errors,
      'Every error response of a model endpoint has',
      'error responses of model endpoints have',
    ) ??
    formatCommonType(
      refused,
      'Every error response to a bad credential has',
      'error responses to bad credentials have',
    ) ??
    []
  );
}

function formatCommonType(errors: readonly ParsedError[], every: string, some: string): string[] | undefined {
  if (errors.length < fewest) return undefined;
  const [usual] = groupBy(errors, (error) => showValue(valueAt(error, '/error/type'))).sort(
    ([, a], [, b]) => b.length - a.length,
  );
  if (!usual || usual[1].length < nearlyAll * errors.length) return undefined;
  const [type, own] = usual;
  // The correct type differs between errors, so a common type is wrong for most errors. A missing type is reported as
  // missing.
  if (type === showValue(undefined)) return undefined;
  const share = own.length === errors.length ? every : `${own.length} of ${errors.length} ${some}`;
  return [`${share} the type ${type}. Section 7.1 requires another type for most errors.`];
}

interface ParsedError {
  readonly refusesCredential: boolean;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Returns the error responses of model endpoints in judged cases, each response once. Omits responses to streamed
 * requests, since these responses may have another form.
 */
function errorsOf({ cases }: Report): ParsedError[] {
  const exchanges = new Map<string, ExchangeReport>();
  for (const item of cases) {
    if (!isJudged(item) || item.attributes.surface !== 'model' || item.suite === 'pooled') continue;
    for (const exchange of item.exchanges)
      if (exchange.attributes.streamed !== 'true') exchanges.set(exchange.id, exchange);
  }
  return [...exchanges.values()].flatMap(({ response, attributes }) =>
    response && response.status >= 400
      ? [
          {
            refusesCredential: isBadCredential(subjectOf(attributes)),
            body: parse(response.body.text),
            headers: response.headers,
          },
        ]
      : [],
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function valueAt({ body, headers }: ParsedError, place: string): unknown {
  if (place.startsWith('header ')) return headers[place.slice('header '.length)];
  return place.startsWith('/') ? readMember(body, place) : body;
}

function nameAll(places: readonly string[]): string {
  return formatList(places.map(quotePlace));
}
