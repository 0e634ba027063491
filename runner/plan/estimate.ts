import type { Facts } from '../catalog/condition.ts';
import type { PlannedCase } from './plan.ts';

/** What a run will send, at most, before repeats and discovery. */
export interface Estimate {
  readonly requests: number;
  /** Requests that a gateway which keeps the contract may bill: model calls that succeed. */
  readonly billable: number;
  /** Requests with a key that must be refused; some gateways lock an address out that sends many. */
  readonly badKeys: number;
}

const badKeys = ['unknown', 'truncated', 'extended', 'suffixed', 'other-case', 'prefix-less', 'deleted'];

/** Counts the requests of the cases that will be sent. */
export function estimate(cases: readonly PlannedCase[], burst: number): Estimate {
  const sent = cases.filter((item) => !item.notApplicable && !item.pool);
  const facts = sent.flatMap((item) => item.steps.map((step) => step.facts));
  const bursts = sent.filter((item) => item.facts.burst === 'true').length;
  return {
    requests: facts.length + bursts * Math.max(0, burst - 1),
    billable: facts.filter(isBillable).length,
    badKeys: facts.filter(({ key = 'none' }) => badKeys.includes(key)).length,
  };
}

function isBillable({ surface, key, header, fault, model, method }: Facts): boolean {
  const taken =
    key === 'good' && header !== 'query' && header !== 'basic' && header !== 'raw' && header !== 'none';
  const asks = (fault === 'none' || fault === 'left-open') && (model === 'good' || model === 'text-only');
  return surface === 'model' && taken && asks && method === 'documented';
}
