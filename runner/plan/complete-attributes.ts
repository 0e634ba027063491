import { attributesOfPackage } from '../catalog/attributes.ts';
import type { Attributes } from '../catalog/condition.ts';
import { isOperationId, type Operation } from '../catalog/operations.ts';
import { isInvalidPart } from '../catalog/several-faults.ts';
import type { Profile } from '../profile/profile.ts';
import type { GatewayPromise } from '../profile/promise.ts';
import { startsWithPrefix } from '../request/key-edits.ts';

/**
 * Returns all attributes of a request: the given attributes, the defaults of the operation, and the derived attributes.
 */
export function completeAttributes(
  given: Attributes,
  { operations, profile }: Pick<GatewayPromise, 'operations' | 'profile'>,
): Attributes {
  const id = given.operation ?? 'none';
  const operation = isOperationId(id) ? operations[id] : undefined;
  const header = given.header ?? 'any';
  const key = given.key ?? (header === 'none' ? 'none' : 'good');
  // Every attribute is listed, so that all of these objects have the same shape. V8 reads the properties of such
  // objects fast.
  const attributes = {
    operation: id,
    header,
    key,
    model: given.model ?? (operation?.body ? 'good' : 'none'),
    modelNumber: given.modelNumber ?? 'none',
    fault: given.fault ?? 'none',
    member: given.member ?? 'none',
    place: given.place ?? 'none',
    given: given.given ?? 'none',
    body: given.body ?? 'none',
    streamed: given.streamed ?? String(operation?.streams === 'always'),
    record: given.record ?? (id === 'record' ? 'own' : 'none'),
    range: given.range ?? (id === 'usage' ? 'valid' : 'none'),
    method: given.method ?? 'documented',
    path: given.path ?? 'documented',
    version: given.version ?? (operation?.family === 'B' || header === 'x-api-key' ? 'sent' : 'none'),
    contentType: given.contentType ?? (operation?.body ? 'json' : 'none'),
    transfer: given.transfer ?? (operation?.body ? 'length' : 'none'),
    accept: given.accept ?? 'json',
    added: given.added ?? 'none',
    repeated: given.repeated ?? 'false',
    overlapping: given.overlapping ?? 'false',
    lifecycle: given.lifecycle ?? 'none',
    connection: given.connection ?? 'any',
    burst: given.burst ?? 'false',
    surface: operation?.surface ?? 'none',
    family: operation?.family ?? 'none',
    accepted: String(isAccepted(operation, header)),
    keyPrefix: keyPrefix(key, profile),
    request: 'invalid',
  };
  if (isValidRequest(attributes)) attributes.request = 'valid';
  return attributes;
}

/** Whether the method, the path and all parts except the credential are valid. */
function isValidRequest(attributes: Attributes): boolean {
  const others = attributesOfPackage().parts.filter(({ name }) => name !== 'credential');
  return (
    attributes.method === 'documented' &&
    attributes.path === 'documented' &&
    !others.some((part) => isInvalidPart(part, attributes))
  );
}

/** Returns the attributes that all requests of an operation have in common. */
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
  const kind = attributesOfPackage().keyKinds.get(key);
  if (!kind?.edit) return prefixOf(profile.keys[kind?.profile ?? 'valid']);
  return startsWithPrefix(kind, profile.keys.valid) ? 'sk-' : 'other';
}

/** Returns the value of the attribute `keyPrefix` for this key. */
export function prefixOf(key: string | undefined): string {
  return key?.startsWith('sk-') ? 'sk-' : 'other';
}
