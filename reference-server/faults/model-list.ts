import { withDecisions } from '../combine-setups.ts';
import type { Fault } from './fault.ts';

/** Faults in which the model list is missing, unreadable or wrong. */
export const modelListFaults: readonly Fault[] = [
  {
    id: 'model-list/crashes',
    about: 'Responds to model-list requests with 500.',
    violates: ['models/list-succeeds'],
    setup: withDecisions(() => ({
      createModelList: () => {
        throw new Error('a defect');
      },
    })),
  },
];
