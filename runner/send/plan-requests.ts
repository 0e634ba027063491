import type { SetupAction } from '../../common/profile-values.ts';
import type { Preparation, WireRequest } from '../exchange/exchange.ts';
import type { PlannedCase } from '../plan/plan.ts';
import type { Profile } from '../profile/profile.ts';
import { type BuildContext, buildRequest } from '../request/build-request.ts';
import type { KeyRing } from '../request/keys.ts';

/** Returns a change with the calls of `setup` that make it, as a step before later requests. */
export function describeChange(
  { setup }: Pick<Profile, 'setup'>,
  action: SetupAction,
  values: Readonly<Record<string, string>>,
): Preparation[] {
  return (setup.calls[action] ?? []).map((call) => ({ kind: 'setup', action, call, values }));
}

/** Returns the keys of a case that creates a key: the created key is valid, and depleted, until it was deleted. */
export function withCreatedKey(value: KeyRing, created: string | undefined, isDeleted: boolean): KeyRing {
  const kinds = isDeleted ? ['deleted'] : ['good', 'depleted'];
  return (kind) => (created !== undefined && kinds.includes(kind) ? created : value(kind));
}

/**
 * Returns the requests of a case with the changes and requests before each, as a run sends them if each change takes
 * effect immediately.
 */
export function planRequests(
  { steps }: PlannedCase,
  context: BuildContext,
  createdKey: string,
): { readonly request: WireRequest; readonly before: readonly Preparation[] }[] {
  const { promise, keys } = context;
  const before: Preparation[] = [];
  let value = keys.value;
  let first: WireRequest | undefined;
  let hasChanged = false;
  return steps.map(({ attributes, before: change }) => {
    if (change) {
      hasChanged = true;
      value = withCreatedKey(keys.value, createdKey, change.action === 'deleteKey');
      if (first && change.during > 0)
        before.push({ kind: 'request', request: first, underWay: change.during });
      before.push(...describeChange(promise.profile, change.action, { key: createdKey, id: 'ID' }));
    }
    const done = [...before];
    const { request } = buildRequest(attributes, { ...context, keys: { ...keys, value } });
    first ??= request;
    if (hasChanged) before.push({ kind: 'request', request });
    return { request, before: done };
  });
}
