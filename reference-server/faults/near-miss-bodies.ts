import { withDecisions } from '../combine-setups.ts';
import { isObject } from '../json.ts';
import type { Fault } from './fault.ts';
import { applyWhere } from './overrides.ts';

/** Faults in which the gateway accepts bodies that are almost valid. */
export const nearMissBodyFaults: readonly Fault[] = [
  {
    id: 'near-miss/model-null-streamed',
    about: 'Does not validate the body of a streamed call if its `model` is null, and calls a default model.',
    violates: ['streams/invalid-model'],
    setup: withDecisions(
      applyWhere(
        ({ body }) => isObject(body) && body.model === null && body.stream === true,
        (base) => ({
          findBodyProblem: () => undefined,
          modelIdOf: (ctx) => base.modelIdOf(ctx) ?? 'gpt-reference',
        }),
      ),
    ),
  },
];
