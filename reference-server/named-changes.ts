import type { Overrides } from './decisions/index.ts';
import { replaceModelBody } from './faults/overrides.ts';

/** The changes that need code, by the name with which the word `use` of a rule calls them. */
export const namedChanges: Readonly<Record<string, Overrides>> = {
  'errors-in-model-shape': () => ({ chooseErrorShape: () => 'model' }),
  'trace-id-in-message': replaceModelBody((error, trace) => ({
    error: { ...error, message: `${error.message} (request id: ${trace.trace_id})` },
  })),
};
