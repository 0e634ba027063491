import { withDecisions } from '../combine-setups.ts';
import type { Overrides } from '../gateway/decisions.ts';
import {
  allOf,
  byHeader,
  everyNth,
  inFamily,
  isStreamed,
  onOperation,
  type RequestCondition,
  withKey,
} from './conditions.ts';
import type { Fault } from './fault.ts';
import { applyWhere, checkFirst, combineOverrides } from './overrides.ts';

const acceptDeletedKeys: Overrides = () => ({ isKeyValid: () => true });
const acceptOnOneNode = (where: RequestCondition) => () => ({
  decisions: applyWhere(everyNth(5, allOf(where, byHeader('bearer'), withKey('deleted'))), acceptDeletedKeys),
});
const acceptInStreams = (where: RequestCondition): Overrides =>
  combineOverrides(checkFirst('body'), applyWhere(allOf(where, isStreamed), acceptDeletedKeys));

/** Faults in which the gateway accepts a deleted key. */
export const deletedKeyFaults: readonly Fault[] = [
  {
    id: 'bad-key/deleted-works-on-the-model-list',
    about: 'Accepts a deleted key on the model list.',
    violates: ['auth/deleted-bearer-token', 'auth/deleted-x-api-key', 'lifecycle/deleted-key'],
    setup: withDecisions(applyWhere(onOperation('models'), acceptDeletedKeys)),
  },
  {
    id: 'bad-key/deleted-works-in-x-goog-api-key',
    about: 'Accepts a deleted key in `x-goog-api-key`.',
    violates: ['auth/deleted-x-goog-api-key', 'streams/bad-api-key', 'lifecycle/deleted-key'],
    setup: withDecisions(applyWhere(byHeader('x-goog-api-key'), acceptDeletedKeys)),
  },
  {
    id: 'bad-key/deleted-works-for-usage',
    about: 'Accepts a deleted bearer token on the usage endpoint.',
    violates: ['auth/billing-bad-bearer-token', 'lifecycle/deleted-key'],
    setup: withDecisions(applyWhere(allOf(onOperation('usage'), byHeader('bearer')), acceptDeletedKeys)),
  },
  {
    id: 'bad-key/deleted-works-when-streamed',
    about: 'Accepts a deleted key on streamed chat calls.',
    violates: ['streams/bad-bearer-token', 'streams/bad-api-key', 'lifecycle/deleted-key'],
    setup: withDecisions(acceptInStreams(onOperation('chat'))),
  },
  {
    id: 'bad-key/deleted-works-on-one-node-in-family-b',
    about: 'Accepts a deleted bearer token in family B in one of five requests.',
    violates: ['auth/deleted-bearer-token'],
    setup: acceptOnOneNode(inFamily('B')),
  },
  {
    id: 'bad-key/deleted-works-when-streamed-in-x-api-key',
    about: 'Accepts a deleted key in `x-api-key` on streamed calls of families A and B.',
    violates: ['streams/bad-api-key'],
    setup: withDecisions(
      acceptInStreams(allOf(inFamily('A', 'B'), byHeader('x-api-key'), withKey('deleted'))),
    ),
  },
];
