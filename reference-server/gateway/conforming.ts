import { plainEncoder } from '../wire/encode.ts';
import { billing } from './billing.ts';
import { listChecks } from './checks.ts';
import { credentials } from './credentials.ts';
import type { Decisions } from './decisions.ts';
import { errors } from './errors.ts';
import { modelCalls } from './model-calls.ts';
import { models } from './models.ts';
import { requestBodies } from './request-bodies.ts';
import { successes } from './successes.ts';

/** The decisions of a gateway that conforms to the specification. */
export const conforming: Decisions = {
  shortCircuit: () => undefined,
  listChecks,
  ...credentials,
  ...requestBodies,
  ...models,
  ...modelCalls,
  ...billing,
  ...successes,
  ...errors,
  ...plainEncoder,
  finish: (response) => response,
  transmit: (wire) => wire,
};
