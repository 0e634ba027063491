import type { CatalogData } from '../catalog/catalog.ts';
import type { Attributes } from '../catalog/condition.ts';
import { isAboutRequest } from '../catalog/expectation.ts';
import { operationIds } from '../catalog/operations.ts';
import { findRequirements, isObservedOnly, type Requirement } from '../catalog/requirements.ts';
import { classifyStream } from '../exchange/events.ts';
import { answerOf, type Exchange, showsGoodModel } from '../exchange/exchange.ts';
import { appliesToStatus, type Verdict } from '../judge/judge-requirement.ts';
import { isPagedList } from '../judge/match-model.ts';
import type { GatewayPromise } from '../profile/promise.ts';
import type { TrafficCase, TrafficCheckResult } from './aggregate-results.ts';
import type { RecordedExchange } from './recordings/recorded-exchange.ts';

export interface JudgeableExchange {
  readonly exchange: Exchange;
  /** The part of the URL before the path, which identifies the gateway. */
  readonly base: string;
  /** The position of the exchange in the traffic. */
  readonly position: number;
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

/** Returns the case of all exchanges with the same `caseAttributes` that are not requests of a run. */
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
    attributes: shown,
  };
}

/** Returns the case of a suite with this ID. The description is empty if the scenario is unknown. */
export function createSuiteCase(
  id: string,
  attributes: Attributes,
  scenarios: CatalogData['scenarios'],
): TrafficCase {
  const [suite = '', scenario] = id.split('/', 2);
  const about = scenarios.find((item) => item.suite === suite && item.id === scenario)?.about ?? '';
  return { id, suite, about, attributes: attributes };
}

/** The cases of requirements that apply to several exchanges together. */
export interface PooledCases {
  readonly caseFor: (requirement: Requirement, exchange: Exchange) => TrafficCase;
}

/** Creates the pooled cases of the run and of each operation. */
export function createPooledCases({ scenarios }: Pick<CatalogData, 'scenarios'>): PooledCases {
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
    return 'The credential is not in the recording: the recorder may have removed the credential.';
  if (key === undefined)
    return 'The validity of the key is unknown: the profile does not list the key, and the response does not show whether the key is valid.';
  if (request === undefined)
    return 'The validity of the request is unknown: a part of the request is not recorded or not defined by the specification.';
  return 'No requirement applies to this exchange.';
}

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
 * The maximum number of cached sets of attributes. Most recordings have a few dozen sets. The recording of a run has
 * about 1,900 sets.
 */
const maxCached = 4_000;

/** Creates the search for the requirements that apply to attributes. Results are cached by object identity. */
export function createRequirementMatcher(
  { single, pooled }: RequirementGroups,
  promise: Pick<GatewayPromise, 'uncheckedClauses'>,
): {
  readonly match: (attributes: Attributes) => ApplicableRequirements;
} {
  const cache = new Map<Attributes, ApplicableRequirements>();
  return {
    match(attributes) {
      const cached = cache.get(attributes);
      if (cached) return cached;
      const isObserved = isObservedOnly(attributes, promise);
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

/** Whether a response is a complete, storable model list: not a page and not filtered. Each list of a run counts. */
export function isCompleteList({ exchange, notes, isPlain }: JudgeableExchange): boolean {
  const answer = answerOf(exchange);
  if (notes) return true;
  return answer !== undefined && isPlain && answer.text.length <= maxBodyLength && !isPagedList(answer);
}

/** The models that were called successfully. */
export interface CalledModels {
  /** Adds the model of an exchange if the exchange is a successful call. */
  readonly add: (item: JudgeableExchange) => void;
  /** Returns the models that the gateway served before and after an exchange, or in the run of the exchange. */
  readonly listAround: (item: JudgeableExchange) => string[];
}

/** The maximum number of stored models, and the maximum length of a stored model ID, in characters. */
const [maxModels, maxModelLength] = [1_000, 200];

/** Creates the record of the models that were called successfully. The record uses a bounded amount of memory. */
export function createCalledModels({
  attributes,
  fixtures,
}: Pick<CatalogData, 'attributes' | 'fixtures'>): CalledModels {
  // Some gateways replace these aliases with the ID of a model.
  const aliases = attributes.valuesOf('given', 'model-aliases');
  const models = new Map<
    string,
    { readonly id: string; readonly base: string; first: Moment; last: Moment }
  >();
  return {
    add(item) {
      const { exchange, base } = item;
      const answer = answerOf(exchange);
      const id = exchange.model;
      if (!answer || exchange.attributes.accepted !== 'true' || !showsGoodModel(exchange)) return;
      if (id === undefined || id.length > maxModelLength || aliases.includes(id)) return;
      // A gateway may report an unknown model inside a 2xx response.
      if (classifyStream(answer, fixtures.errorWords) === 'error') return;
      const moment = momentOf(item);
      const name = `${base} ${id}`;
      const known = models.get(name);
      if (known && moment.end < known.first.end) known.first = moment;
      if (known && moment.start >= known.last.start) known.last = moment;
      if (!known && models.size < maxModels) models.set(name, { id, base, first: moment, last: moment });
    },
    listAround(item) {
      const moment = momentOf(item);
      return [...models.values()]
        .filter(
          ({ base, first, last }) =>
            base === item.base && (item.notes || (isBefore(first, moment) && isBefore(moment, last))),
        )
        .map(({ id }) => id);
    },
  };
}

/** The times of an exchange in milliseconds since 1970-01-01 UTC, or 0 if not recorded, and its position. */
interface Moment {
  readonly start: number;
  readonly end: number;
  readonly position: number;
}

function momentOf({ exchange: { startedAt, durationMs }, position }: JudgeableExchange): Moment {
  return { start: startedAt, end: startedAt === 0 ? 0 : startedAt + durationMs, position };
}

// For equal starts, the positions decide.
function isBefore(one: Moment, other: Moment): boolean {
  return one.end <= other.start && (one.start < other.start || one.position < other.position);
}

export function createResult(
  trafficCase: TrafficCase,
  { id, over }: Requirement,
  verdict: Verdict,
  { notes, describe }: JudgeableExchange,
): TrafficCheckResult {
  return {
    trafficCase,
    requirement: id,
    policy: notes && over === 'case' ? 'worst' : 'most-decisive',
    verdict,
    describe,
  };
}
