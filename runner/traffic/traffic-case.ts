import type { Catalog } from '../catalog/catalog.ts';
import type { Facts } from '../catalog/condition.ts';
import type { Requirement } from '../catalog/ledger.ts';
import { operationIds } from '../catalog/operations.ts';
import type { Exchange } from '../send/exchange.ts';
import type { TallyCase } from './tally.ts';

/** Facts by which recorded exchanges are told apart; those that nobody knows of are left out. */
const telling = [
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

/** The case of traffic that is not this suite's: all exchanges that are alike. */
export function recordedCase(facts: Facts): TallyCase {
  const known = telling.flatMap((name) => {
    const value = facts[name];
    return value === undefined || value === 'none' ? [] : [`${name}=${value}`];
  });
  const shown = Object.fromEntries(Object.entries(facts).filter(([name]) => telling.includes(name)));
  return {
    id: ['recorded', ...known].join('/'),
    suite: 'recorded',
    about: 'All recorded exchanges of this kind.',
    facts: shown,
  };
}

/** A case of the suites by its id. */
export function namedCase(id: string, facts: Facts, scenarios: Catalog['scenarios']): TallyCase {
  const [suite = '', scenario] = id.split('/', 2);
  const about = scenarios.find((item) => item.suite === suite && item.id === scenario)?.about ?? '';
  return { id, suite, about, facts };
}

/** The cases of requirements over all exchanges. */
export interface Pools {
  readonly of: (requirement: Requirement, exchange: Exchange) => TallyCase;
}

/** Makes the pooled cases of a run and of the known operations once. */
export function makePools({ scenarios }: Catalog): Pools {
  const ofRun = namedCase('pooled/run', {}, scenarios);
  const ofOperation = (operation: string): TallyCase =>
    namedCase(`pooled/operation/operation=${operation}`, { operation }, scenarios);
  const known = new Map<string, TallyCase>(operationIds.map((id) => [id, ofOperation(id)]));
  return {
    of({ over }, { facts: { operation = 'none' } }) {
      return over === 'operation' ? (known.get(operation) ?? ofOperation(operation)) : ofRun;
    },
  };
}

/** What would have to be known for an exchange to be judged. */
export function whyNot({ operation, header, key, request }: Facts): string {
  if (operation === 'none' || operation === undefined) return 'It calls no operation that is known.';
  if (header === undefined) return 'Its credential is not in the recording.';
  if (key === undefined) return 'Nothing tells whether its key is a good one.';
  if (request === undefined) return 'Nothing tells whether the request is right in all else.';
  return 'No requirement speaks of it.';
}
