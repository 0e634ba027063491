import { replaceModelBody } from '../overrides.ts';
import type { NamedChanges } from './named-change.ts';

/** Changes of error responses. */
export const errorChanges: NamedChanges = {
  'errors-in-model-shape': {
    about: 'errors of billing-type endpoints have the form of model endpoints',
    decisions: () => ({ chooseErrorShape: () => 'model' }),
  },
  'trace-id-in-message': {
    about: 'the trace ID stands in error.message instead of trace_id',
    decisions: replaceModelBody((error, trace) => ({
      error: { ...error, message: `${error.message} (request id: ${trace.trace_id})` },
    })),
  },
};
