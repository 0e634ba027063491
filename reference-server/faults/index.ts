import { authAnswerFaults } from './auth-answers.ts';
import { badKeyAnswerFaults } from './bad-key-answers.ts';
import { badKeyFaults } from './bad-keys.ts';
import { balanceFaults } from './balance.ts';
import { billingFaults } from './billing.ts';
import { billingErrorFaults } from './billing-errors.ts';
import { billingLimitFaults } from './billing-limits.ts';
import { chatBodyFaults } from './chat-bodies.ts';
import { chatMessageFaults } from './chat-messages.ts';
import { credentialFormFaults } from './credential-forms.ts';
import { endpointFaults } from './endpoints.ts';
import type { Fault } from './fault.ts';
import { goodKeyFaults } from './good-keys.ts';
import { modelErrorBodyFaults } from './model-error-bodies.ts';
import { modelErrorFieldFaults } from './model-error-fields.ts';
import { modelListFaults } from './model-list.ts';
import { modelFaults } from './models.ts';
import { nearBodyFaults } from './near-bodies.ts';
import { nearMissFaults } from './near-misses.ts';
import { nodeFaults } from './nodes.ts';
import { otherErrorBodyFaults } from './other-error-bodies.ts';
import { repeatFaults } from './repeats.ts';
import { requestBodyFaults } from './request-bodies.ts';
import { streamErrorFaults } from './stream-errors.ts';
import { streamFaults } from './streams.ts';
import { traceFaults } from './traces.ts';

export type { Fault } from './fault.ts';

/** All faults, those of `conformance serve --fault`. */
export const faults: readonly Fault[] = [
  ...goodKeyFaults,
  ...credentialFormFaults,
  ...badKeyFaults,
  ...authAnswerFaults,
  ...badKeyAnswerFaults,
  ...modelErrorBodyFaults,
  ...otherErrorBodyFaults,
  ...modelErrorFieldFaults,
  ...traceFaults,
  ...chatBodyFaults,
  ...chatMessageFaults,
  ...requestBodyFaults,
  ...repeatFaults,
  ...modelFaults,
  ...modelListFaults,
  ...balanceFaults,
  ...streamFaults,
  ...streamErrorFaults,
  ...billingFaults,
  ...billingLimitFaults,
  ...billingErrorFaults,
  ...endpointFaults,
  ...nearMissFaults,
  ...nearBodyFaults,
  ...nodeFaults,
];
