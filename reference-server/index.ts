/**
 * The reference gateway for the tests of an application: a server on this machine that implements the specification.
 * See `docs/reference-gateway.md`.
 *
 * The exports of this file are public. Everything else in `reference-server/` is internal and can change in any
 * release. The type of the option `decisions`, which faults and variants use, is also internal.
 */
import { listFaults } from './faults/index.ts';
import { listVariants } from './variants/index.ts';

export type { TimeFormat } from '../common/profile-values.ts';
export { combineSetups, type Setup } from './combine-setups.ts';
export type { ConsoleSuite, ShownRequest, SuiteResult } from './console/suite.ts';
export {
  createReferenceServer,
  type ReferenceServer,
  type ReferenceServerOptions,
} from './create-reference-server.ts';
export type { Fault } from './faults/index.ts';
export type { Accounts, CreatedKey, KeyInfo, Keys } from './gateway/administration.ts';
export type { PresentedKey } from './gateway/context.ts';
export type { GatewayOperationId as OperationId } from './gateway/operations.ts';
export type {
  FullProfileChanges,
  ModelRoles,
  OperationTemplate,
  PartialProfile,
  ProfileChanges,
  StatedModelRoles,
  TargetProfile,
} from './gateway/profile.ts';
export type { Seed } from './gateway/seed.ts';
export type { ReceivedRequest } from './journal.ts';
export type { Change, Match, Rule } from './rules/rule.ts';
export type { ActiveSituation, Situation, Situations } from './situations/situation.ts';
export type { Variant } from './variants/index.ts';

/** All faults of `conformance serve --fault`. */
export const faults = listFaults();
/**
 * All variants of `conformance serve --variant`. A violation or warning that the suite reports with a variant is a false
 * positive, except for the warnings in `warns` of the variant.
 */
export const variants = listVariants();
