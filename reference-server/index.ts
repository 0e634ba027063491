/**
 * The reference gateway for the tests of an application: a server on this machine that implements the specification.
 * See `docs/reference-gateway.md`.
 *
 * The exports of this file are public. Everything else below `dist/reference-server` is internal and can change in any
 * release. The type of the option `decisions`, which faults and variants use, is also internal.
 */
export type { TimeFormat } from '../common/profile-values.ts';
export { combineSetups, type Setup } from './combine-setups.ts';
export type { ConsoleSuite, ShownRequest, SuiteResult } from './console/suite.ts';
export {
  createReferenceServer,
  type ReferenceServer,
  type ReferenceServerOptions,
} from './create-reference-server.ts';
export { type Fault, faults } from './faults/index.ts';
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
export { type Variant, variants } from './variants/index.ts';
