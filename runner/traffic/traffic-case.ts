import type { Catalog } from '../catalog/catalog.ts';
import type { Facts } from '../catalog/condition.ts';
import { type Requirement, requirementsFor } from '../catalog/ledger.ts';
import { operationIds } from '../catalog/operations.ts';
import { appliesToStatus } from '../judge/judge.ts';
import type { Exchange } from '../transport/exchange.ts';
import type { TallyCase } from './aggregate-results.ts';

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

/** Requirements of single exchanges, and of all together. */
export interface Requirements {
  readonly cases: readonly Requirement[];
  readonly pools: readonly Requirement[];
}

/** What is the same for all exchanges with the same facts: what speaks of them, and their case if they are not this suite's. */
export interface Applicable {
  /** Those of single exchanges. */
  readonly cases: readonly Requirement[];
  /** Those of all together, which speak of answers with that status. */
  readonly pools: (status: number) => readonly Requirement[];
  readonly recorded: TallyCase;
}

/** So many kinds of exchanges are remembered; a recording has a few dozen. */
const remembered = 1_000;

/**
 * Finds the requirements that speak of exchanges with some facts; whatever their answers are. It knows facts again by the
 * object that holds them.
 */
export function createApplicable({ cases, pools }: Requirements): {
  readonly of: (facts: Facts) => Applicable;
} {
  const known = new Map<Facts, Applicable>();
  return {
    of(facts) {
      const found = known.get(facts);
      if (found) return found;
      const made = {
        cases: requirementsFor(facts, cases),
        pools: byStatus(requirementsFor(facts, pools)),
        recorded: recordedCase(facts),
      };
      if (known.size >= remembered) known.clear();
      known.set(facts, made);
      return made;
    },
  };
}

function byStatus(pools: readonly Requirement[]): Applicable['pools'] {
  const known = new Map<number, readonly Requirement[]>();
  return (status) => {
    const found = known.get(status) ?? pools.filter((pool) => appliesToStatus(pool, status));
    known.set(status, found);
    return found;
  };
}
