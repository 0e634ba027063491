import type { Catalog } from '../catalog/catalog.ts';
import type { Attributes } from '../catalog/condition.ts';
import { isAboutRequest } from '../catalog/expectation.ts';
import { operationIds } from '../catalog/operations.ts';
import { findRequirements, isObservedOnly, type Requirement } from '../catalog/requirements.ts';
import { appliesToStatus, type Verdict } from '../judge/judge-requirement.ts';
import { isPagedList } from '../judge/match-model.ts';
import type { RecordedExchange } from '../recordings/recorded-exchange.ts';
import { answerOf, type Exchange } from '../transport/exchange.ts';
import type { TrafficCase, TrafficCheckResult } from './aggregate-results.ts';
import { keyHeaders } from './inference/infer-credential.ts';

/** An exchange of recorded or live traffic, with the data for judging the exchange. */
export interface JudgeableExchange {
  readonly exchange: Exchange;
  /** The part of the URL before the path, which identifies the gateway. */
  readonly base: string;
  readonly notes: RecordedExchange['notes'];
  readonly isPlain: boolean;
  readonly isOffered: boolean;
  readonly describe: TrafficCheckResult['describe'];
}

const caseAttributes = [
  'operation',
  'header',
  'key',
  'model',
  'fault',
  'member',
  'given',
  'record',
  'range',
  'streamed',
];

/** Returns the case of all exchanges with these attributes that are not requests of a run. */
export function createRecordedCase(attributes: Attributes): TrafficCase {
  const known = caseAttributes.flatMap((name) => {
    const value = attributes[name];
    return value === undefined || value === 'none' ? [] : [`${name}=${value}`];
  });
  const shown = Object.fromEntries(
    Object.entries(attributes).filter(([name]) => caseAttributes.includes(name)),
  );
  return {
    id: ['recorded', ...known].join('/'),
    suite: 'recorded',
    about: 'All recorded exchanges with these attributes.',
    facts: shown,
  };
}

/** Returns the case of a suite with this ID, with the description of its scenario. */
export function createSuiteCase(
  id: string,
  attributes: Attributes,
  scenarios: Catalog['scenarios'],
): TrafficCase {
  const [suite = '', scenario] = id.split('/', 2);
  const about = scenarios.find((item) => item.suite === suite && item.id === scenario)?.about ?? '';
  return { id, suite, about, facts: attributes };
}

/** The cases of requirements that apply to several exchanges together. */
export interface PooledCases {
  readonly caseFor: (requirement: Requirement, exchange: Exchange) => TrafficCase;
}

/** Creates the pooled cases of the run and of each operation. */
export function createPooledCases({ scenarios }: Catalog): PooledCases {
  const runCase = createSuiteCase('pooled/run', {}, scenarios);
  const createOperationCase = (operation: string): TrafficCase =>
    createSuiteCase(`pooled/operation/operation=${operation}`, { operation }, scenarios);
  const known = new Map<string, TrafficCase>(operationIds.map((id) => [id, createOperationCase(id)]));
  return {
    caseFor({ over }, { attributes: { operation = 'none' } }) {
      return over === 'operation' ? (known.get(operation) ?? createOperationCase(operation)) : runCase;
    },
  };
}

/** Explains why no requirement could be applied to an exchange with these attributes. */
export function explainNotJudged({ operation, header, key, request }: Attributes): string {
  if (operation === 'none' || operation === undefined)
    return 'The method and path match no operation of the specification or the profile.';
  if (header === undefined)
    return 'The credential of the request is not in the recording. The recorder may have removed it.';
  if (key === undefined)
    return 'Whether the key is valid is unknown: the profile does not list the key, and the response does not show its validity.';
  if (request === undefined)
    return 'Whether the request is valid is unknown: a part of it is not recorded or not defined by the specification.';
  return 'No requirement applies to this exchange.';
}

/** The requirements on single exchanges, and the requirements on several exchanges together. */
export interface RequirementGroups {
  readonly single: readonly Requirement[];
  readonly pooled: readonly Requirement[];
}

/**
 * The requirements that apply to all exchanges with the same attributes, and the case of those exchanges that are
 * not requests of a run.
 */
export interface ApplicableRequirements {
  readonly single: readonly Requirement[];
  /** Returns the pooled requirements that apply to a response with this status. */
  readonly pooled: (status: number) => readonly Requirement[];
  readonly recordedCase: TrafficCase;
}

/**
 * The maximum number of cached sets of attributes. Most recordings have a few dozen sets; that of a run has about
 * 1,900.
 */
const maxCached = 4_000;

/** Creates a function that finds the requirements for attributes. Results are cached by the identity of the object. */
export function createRequirementMatcher(
  { single, pooled }: RequirementGroups,
  catalog: Pick<Catalog, 'uncheckedClauses'>,
): {
  readonly match: (attributes: Attributes) => ApplicableRequirements;
} {
  const cache = new Map<Attributes, ApplicableRequirements>();
  return {
    match(attributes) {
      const cached = cache.get(attributes);
      if (cached) return cached;
      const isObserved = isObservedOnly(attributes, catalog);
      const applicable = {
        single: findRequirements(attributes, single),
        pooled: filterByStatus(
          findRequirements(attributes, pooled).filter(({ then }) => isAboutRequest(then) || !isObserved),
        ),
        recordedCase: createRecordedCase(attributes),
      };
      if (cache.size >= maxCached) cache.clear();
      cache.set(attributes, applicable);
      return applicable;
    },
  };
}

function filterByStatus(pooled: readonly Requirement[]): ApplicableRequirements['pooled'] {
  const cache = new Map<number, readonly Requirement[]>();
  return (status) => {
    const found = cache.get(status) ?? pooled.filter((requirement) => appliesToStatus(requirement, status));
    cache.set(status, found);
    return found;
  };
}

/** The maximum length of the stored bodies of an exchange, in characters. */
const maxBodyLength = 128 * 1024;

/** Whether the bodies are short enough to be stored. */
export function isStorable({ exchange }: JudgeableExchange): boolean {
  const answer = answerOf(exchange);
  return (exchange.request.body ?? '').length + (answer?.text ?? '').length <= maxBodyLength;
}

/** Whether a response is a complete model list that can be stored, neither a page of a list nor a filtered list. */
export function isCompleteList({ exchange, notes, isPlain }: JudgeableExchange): boolean {
  const answer = answerOf(exchange);
  if (notes) return true;
  return answer !== undefined && isPlain && answer.text.length <= maxBodyLength && !isPagedList(answer);
}

/**
 * Returns a copy of a failed call with a valid key, in which the attribute `header` names the header of the key instead
 * of `any`. Returns undefined for any other exchange, and for a 429, which does not depend on the header.
 */
export function nameKeyHeader(exchange: Exchange): Exchange | undefined {
  const { attributes, request } = exchange;
  const status = answerOf(exchange)?.status ?? 0;
  const isGoodCall = attributes.key === 'good' && attributes.header === 'any';
  const header = isGoodCall && status >= 400 && status !== 429 ? findKeyHeader(request.headers) : undefined;
  if (header === undefined) return undefined;
  return {
    ...exchange,
    attributes: { ...attributes, header: header === 'authorization' ? 'bearer' : header },
  };
}

/**
 * Returns the name of the first key header of the specification that the request has; undefined if the request has no
 * such header.
 */
export function findKeyHeader(headers: Readonly<Record<string, string>>): string | undefined {
  return keyHeaders.find((name) => headers[name] !== undefined);
}

/** Headers that do not change a response, and the key headers, which are compared separately. */
const neutralHeaders =
  /^(accept(-charset|-encoding|-language)?|authorization|x-api-key|x-goog-api-(key|client)|baggage|cache-control|connection|content-(length|type)|date|dnt|forwarded|host|keep-alive|origin|pragma|priority|referer|te|traceparent|tracestate|transfer-encoding|user-agent|via|(sec|x-b3|x-datadog|x-forwarded|x-stainless)-.*|x-(amzn-trace|client-request|cloud-trace|correlation|real|request|trace)-?(id|ip|context)|[a-z]+-version)$/;

/**
 * Returns the headers that the specification does not define and that may change the response, such as a tenant's ID.
 */
export function listOwnHeaders(headers: Readonly<Record<string, string>>): readonly [string, string][] {
  return Object.entries(headers).filter(([name]) => !neutralHeaders.test(name));
}

/** Creates the result of one check of an exchange. */
export function createResult(
  trafficCase: TrafficCase,
  { id, over }: Requirement,
  verdict: Verdict,
  { notes, describe }: JudgeableExchange,
): TrafficCheckResult {
  return {
    trafficCase,
    requirement: id,
    aggregation: notes && over === 'case' ? 'worst' : 'most-decisive',
    verdict,
    describe,
  };
}
