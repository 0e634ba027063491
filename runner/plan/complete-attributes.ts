import type { KeyRole } from '../../contract/profile-values.ts';
import type { Attributes } from '../catalog/condition.ts';
import { isOperationId, type Operation, type Operations } from '../catalog/operations.ts';
import type { Profile } from '../profile/profile.ts';

const ownKeys: Readonly<Record<string, KeyRole>> = {
  deleted: 'deleted',
  depleted: 'depleted',
  foreign: 'foreign',
};
/** Kinds of keys whose prefix differs from that of the valid key. */
const otherPrefix = ['prefix-less', 'other-prefix', 'word', 'undefined', 'null', 'with-scheme'];
const harmless = Object.entries({
  fault: ['none'],
  model: ['good', 'text-only', 'none'],
  record: ['own', 'none'],
  range: ['valid', 'none'],
  method: ['documented'],
  path: ['documented'],
  version: ['sent', 'none'],
  contentType: ['json', 'none'],
});

/** Returns all attributes of a request: those that the scenario sets, the defaults of the operation, and the derived ones. */
export function completeAttributes(given: Attributes, operations: Operations, profile: Profile): Attributes {
  const id = given.operation ?? 'none';
  const operation = isOperationId(id) ? operations[id] : undefined;
  const header = given.header ?? 'any';
  const key = given.key ?? (header === 'none' ? 'none' : 'good');
  const attributes: Record<string, string> = {
    operation: id,
    header,
    key,
    model: operation?.body ? 'good' : 'none',
    modelNumber: 'none',
    fault: 'none',
    member: 'none',
    place: 'none',
    given: 'none',
    body: 'none',
    streamed: String(operation?.streams === 'always'),
    record: id === 'record' ? 'own' : 'none',
    range: id === 'usage' ? 'valid' : 'none',
    method: 'documented',
    path: 'documented',
    version: operation?.family === 'B' || header === 'x-api-key' ? 'sent' : 'none',
    contentType: operation?.body ? 'json' : 'none',
    accept: 'json',
    added: 'none',
    repeated: 'false',
    overlapping: 'false',
    lifecycle: 'none',
    burst: 'false',
    ...given,
    surface: operation?.surface ?? 'none',
    family: operation?.family ?? 'none',
    accepted: String(isAccepted(operation, header)),
    keyPrefix: keyPrefix(key, profile),
  };
  const valid = harmless.every(([name, values]) => values.includes(attributes[name] ?? 'none'));
  attributes.request = valid ? 'valid' : 'invalid';
  return attributes;
}

/** Returns the attributes that all requests of an operation have. */
export function getOperationAttributes(operation: Operation): Attributes {
  return {
    operation: operation.id,
    surface: operation.surface,
    family: operation.family,
    ...(operation.streams !== 'parameter' && { streamed: String(operation.streams === 'always') }),
  };
}

function isAccepted(operation: Operation | undefined, header: string): boolean {
  return header === 'any' || (operation?.headers ?? []).some((accepted) => accepted === header);
}

function keyPrefix(key: string, profile: Profile): string {
  if (key === 'none' || key === 'empty') return 'none';
  const role = ownKeys[key];
  const value = role ? profile.keys[role] : profile.keys.valid;
  if (otherPrefix.includes(key)) return 'other';
  return value?.startsWith('sk-') ? 'sk-' : 'other';
}
