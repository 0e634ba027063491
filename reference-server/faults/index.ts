import { acceptHeaderFaults } from './accept-headers.ts';
import { badKeyResponseFaults } from './bad-key-responses.ts';
import { badKeyFaults } from './bad-keys.ts';
import { billingFaults } from './billing.ts';
import { billingLimitFaults } from './billing-limits.ts';
import { chatBodyFaults } from './chat-bodies.ts';
import { chatMessageFaults } from './chat-messages.ts';
import { closedConnectionFaults } from './closed-connections.ts';
import { conformingRequestFaults } from './conforming-requests.ts';
import { credentialFormFaults } from './credential-forms.ts';
import { credentialPlaceFaults } from './credential-places.ts';
import { deletedKeyFaults } from './deleted-keys.ts';
import { emptyCredentialFaults } from './empty-credentials.ts';
import { endpointFaults } from './endpoints.ts';
import type { Fault } from './fault.ts';
import { goodKeyFaults } from './good-keys.ts';
import { keyMistakeFaults } from './key-mistakes.ts';
import { lenientJsonFaults } from './lenient-json.ts';
import { lifecycleFaults } from './lifecycle.ts';
import { lowBalanceFaults } from './low-balance.ts';
import { missingKeyFaults } from './missing-keys.ts';
import { modelListFaults } from './model-list.ts';
import { modelFaults } from './models.ts';
import { nearMissBodyFaults } from './near-miss-bodies.ts';
import { nearMissValueFaults } from './near-miss-values.ts';
import { nearMissFaults } from './near-misses.ts';
import { readFaults } from './read-faults.ts';
import { requestBodyFaults } from './request-bodies.ts';
import { severalFaults } from './several-faults.ts';
import { singleNodeFaults } from './single-node.ts';
import { streamFaults } from './streams.ts';
import { traceFaults } from './traces.ts';

export type { Fault } from './fault.ts';

const definitions: readonly Fault[] = [
  ...readFaults('good-keys'),
  ...goodKeyFaults,
  ...readFaults('credentials'),
  ...credentialFormFaults,
  ...credentialPlaceFaults,
  ...emptyCredentialFaults,
  ...readFaults('wrong-keys'),
  ...badKeyFaults,
  ...keyMistakeFaults,
  ...readFaults('deleted-keys'),
  ...deletedKeyFaults,
  ...readFaults('missing-keys'),
  ...missingKeyFaults,
  ...readFaults('key-errors'),
  ...badKeyResponseFaults,
  ...readFaults('several-faults'),
  ...severalFaults,
  ...readFaults('model-error-bodies'),
  ...readFaults('other-error-bodies'),
  ...readFaults('model-error-fields'),
  ...readFaults('traces'),
  ...traceFaults,
  ...readFaults('connections'),
  ...readFaults('chat-bodies'),
  ...chatBodyFaults,
  ...chatMessageFaults,
  ...readFaults('conforming-requests'),
  ...conformingRequestFaults,
  ...readFaults('request-bodies'),
  ...requestBodyFaults,
  ...readFaults('json'),
  ...lenientJsonFaults,
  ...closedConnectionFaults,
  ...readFaults('shared-state'),
  ...readFaults('lifecycle'),
  ...lifecycleFaults,
  ...readFaults('models'),
  ...modelFaults,
  ...readFaults('model-list'),
  ...modelListFaults,
  ...readFaults('low-balance'),
  ...lowBalanceFaults,
  ...readFaults('streams'),
  ...streamFaults,
  ...readFaults('stream-errors'),
  ...readFaults('billing'),
  ...billingFaults,
  ...billingLimitFaults,
  ...readFaults('billing-errors'),
  ...readFaults('endpoints'),
  ...endpointFaults,
  ...readFaults('accept-headers'),
  ...acceptHeaderFaults,
  ...readFaults('near-miss-values'),
  ...nearMissFaults,
  ...readFaults('near-miss-bodies'),
  ...nearMissBodyFaults,
  ...nearMissValueFaults,
  ...readFaults('nodes'),
  ...singleNodeFaults,
];

/** All faults of `conformance serve --fault`. */
export const faults: readonly Fault[] = definitions;
