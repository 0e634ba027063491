export type { Answer, Chunk, Content, Header, StreamEvent, Wire } from './answer.ts';
export { combineSetups, type Setup } from './combine-setups.ts';
export type { BodyRead, Call, Context, Credential, GatewayRequest } from './context.ts';
export {
  createReferenceServer,
  type ReferenceServer,
  type ReferenceServerOptions,
} from './create-reference-server.ts';
export type { Instead } from './decisions/instead.ts';
export type { Check } from './decisions/order.ts';
export type { Decisions, Overrides } from './decisions.ts';
export type { Failure, Refusal } from './failure.ts';
export { type Fault, type FaultSetup, faults } from './faults/index.ts';
export type { HardTimes } from './hard-times.ts';
export type { ReceivedRequest } from './journal.ts';
export type { OperationId } from './operations.ts';
export type { PresentedKey } from './presented-key.ts';
export type {
  FullProfileChanges,
  ModelRoles,
  OperationTemplate,
  PartialProfile,
  ProfileChanges,
  TargetProfile,
  TimeFormat,
} from './profile.ts';
export { readScript } from './script/read-script.ts';
export type { ScriptAnswer, ScriptError, ScriptEvent, ScriptMatch, ScriptRule } from './script/rule.ts';
export type { Seed } from './seed.ts';
export { type ServeOptions, serveReference } from './serve-reference.ts';
export { type Variant, type VariantSetup, variants } from './variants/index.ts';
