import type { CatalogData } from '../catalog/catalog.ts';
import { classifyStream } from '../exchange/events.ts';
import { answerOf, type Exchange, showsGoodModel } from '../exchange/exchange.ts';
import type { EmittedExchange } from './emitted-exchange.ts';

/** The models that were called successfully. */
export interface CalledModels {
  /** Adds the model of an exchange if the exchange is a successful call. */
  readonly add: (item: EmittedExchange) => void;
  /** Returns the models that the gateway served before and after an exchange, or in the run of the exchange. */
  readonly listAround: (item: EmittedExchange) => string[];
}

/** The maximum number of stored models, and the maximum length of a stored model ID, in characters. */
const [maxModels, maxModelLength] = [1_000, 200];

/** Returns the models that the gateway served during a run. */
export function listCalledModels(exchanges: readonly Exchange[], data: ModelData): string[] {
  const modelOf = createModelReader(data);
  return [...new Set(exchanges.flatMap((exchange) => modelOf(exchange) ?? []))];
}

/** Creates the record of the models that were called successfully. The record uses a bounded amount of memory. */
export function createCalledModels(data: ModelData): CalledModels {
  const modelOf = createModelReader(data);
  const models = new Map<
    string,
    { readonly id: string; readonly base: string; first: Moment; last: Moment }
  >();
  return {
    add(item) {
      const id = modelOf(item.exchange);
      if (id === undefined) return;
      const moment = momentOf(item);
      const name = `${item.base} ${id}`;
      const known = models.get(name);
      if (known && moment.end < known.first.end) known.first = moment;
      if (known && moment.start >= known.last.start) known.last = moment;
      if (!known && models.size < maxModels)
        models.set(name, { id, base: item.base, first: moment, last: moment });
    },
    listAround(item) {
      const moment = momentOf(item);
      return [...models.values()]
        .filter(
          ({ base, first, last }) =>
            base === item.base && (item.run || (isBefore(first, moment) && isBefore(moment, last))),
        )
        .map(({ id }) => id);
    },
  };
}

type ModelData = Pick<CatalogData, 'attributes' | 'fixtures'>;

/** Creates a function that returns the model that the gateway served in an exchange; undefined if it served none. */
function createModelReader({ attributes, fixtures }: ModelData): (exchange: Exchange) => string | undefined {
  // Some gateways replace these aliases with the ID of a model.
  const aliases = attributes.valuesOf('given', 'model-aliases');
  return (exchange) => {
    const answer = answerOf(exchange);
    const id = exchange.model;
    if (!answer || exchange.attributes.accepted !== 'true' || !showsGoodModel(exchange)) return undefined;
    if (id === undefined || id.length > maxModelLength || aliases.includes(id)) return undefined;
    // A gateway may report an unknown model inside a 2xx response.
    return classifyStream(answer, fixtures.errorWords) === 'error' ? undefined : id;
  };
}

/** The times of an exchange in milliseconds since 1970-01-01 UTC, or 0 if not recorded, and its position. */
interface Moment {
  readonly start: number;
  readonly end: number;
  readonly position: number;
}

function momentOf({ exchange: { startedAt, durationMs }, position }: EmittedExchange): Moment {
  return { start: startedAt, end: startedAt === 0 ? 0 : startedAt + durationMs, position };
}

// For equal starts, the positions decide.
function isBefore(one: Moment, other: Moment): boolean {
  return one.end <= other.start && (one.start < other.start || one.position < other.position);
}
