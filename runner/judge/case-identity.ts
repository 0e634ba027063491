import type { CatalogData } from '../catalog/catalog.ts';
import type { Attributes } from '../catalog/condition.ts';
import { operationIds } from '../catalog/operations.ts';
import type { Requirement } from '../catalog/requirements.ts';
import type { Exchange } from '../exchange/exchange.ts';

/** The name of a case, without its results: a case of a suite, or all exchanges with the same selected attributes. */
export interface CaseIdentity {
  readonly id: string;
  readonly suite: string;
  readonly about: string;
  readonly attributes: Attributes;
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
export function createRecordedCase(attributes: Attributes): CaseIdentity {
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
): CaseIdentity {
  const [suite = '', scenario] = id.split('/', 2);
  const about = scenarios.find((item) => item.suite === suite && item.id === scenario)?.about ?? '';
  return { id, suite, about, attributes };
}

/** The cases of requirements that apply to several exchanges together. */
export interface PooledCases {
  readonly caseFor: (requirement: Requirement, exchange: Exchange) => CaseIdentity;
}

/** Creates the pooled cases of the run and of each operation. */
export function createPooledCases({ scenarios }: Pick<CatalogData, 'scenarios'>): PooledCases {
  const runCase = createSuiteCase('pooled/run', {}, scenarios);
  const createOperationCase = (operation: string): CaseIdentity =>
    createSuiteCase(`pooled/operation/operation=${operation}`, { operation }, scenarios);
  const known = new Map<string, CaseIdentity>(operationIds.map((id) => [id, createOperationCase(id)]));
  return {
    caseFor({ over }, { attributes: { operation = 'none' } }) {
      return over === 'operation' ? (known.get(operation) ?? createOperationCase(operation)) : runCase;
    },
  };
}
