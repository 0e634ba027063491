import { attributesOfPackage } from '../catalog/attributes.ts';
import type { Attributes } from '../catalog/condition.ts';
import { isOperationId, type OperationId } from '../catalog/operations.ts';
import type { GatewayChange } from '../catalog/scenarios.ts';
import { findModelOperation, type ModelRole, modelRoles, type Profile } from '../profile/profile.ts';
import { explainUnfitKey } from '../request/key-edits.ts';

/**
 * The reason why a case is not sent. `add` is the property or the placeholder to add to the profile so that the case
 * can be sent; undefined if no addition helps.
 */
export interface NotApplicable {
  readonly reason: string;
  readonly add: string | undefined;
  /** The operation that the gateway does not offer according to the profile; undefined for any other reason. */
  readonly notOffered?: OperationId;
}

/**
 * Returns the reason why a request with these attributes cannot be sent to this gateway; undefined if the request can
 * be sent.
 */
export function explainNotApplicable(attributes: Attributes, profile: Profile): NotApplicable | undefined {
  const { operation = 'none', key, model, range, record, burst, lifecycle = 'none' } = attributes;
  const notOffered = isOperationId(operation) ? explainNotOffered(operation, profile) : undefined;
  if (notOffered) return notOffered;
  // The profile needs no deleted or depleted key for a lifecycle case, because the case creates such a key.
  const isOwn = lifecycle !== 'none';
  if (!isOwn && (key === 'deleted' || key === 'depleted' || key === 'foreign') && !profile.keys[key]) {
    return explainMissingProperty(profile, `keys.${key}`, `The profile has no ${key} key.`);
  }
  const unfit = explainUnfitKey(attributesOfPackage().keyKinds.get(key ?? ''), profile.keys.valid);
  if (unfit) return { reason: unfit, add: undefined };
  const role = modelRoles[model ?? ''];
  const calls = findModelOperation(operation);
  if (role && calls && !profile.models[calls][role] && !hasDefault(operation, role)) {
    return explainMissingProperty(
      profile,
      `models.${calls}.${role}`,
      `The profile has no ${role} model for \`${calls}\`.`,
    );
  }
  if (record === 'foreign' && !profile.records.foreign) {
    return explainMissingProperty(
      profile,
      'records.foreign',
      'The profile has no ID of a request record of another account.',
    );
  }
  if (record === 'empty' && /\{\+?request_id\}/.test(profile.operations.record?.path.split('?')[0] ?? ''))
    return {
      reason: 'Without a `request_id`, the path of `record` is the path of another endpoint.',
      add: undefined,
    };
  const needsOwnRecord =
    (record === 'own' || record === 'upper-case') &&
    ((key === 'good' && attributes.accepted === 'true' && attributes.request === 'valid') ||
      key === 'foreign');
  if (needsOwnRecord && !profile.records.own)
    return explainMissingProperty(
      profile,
      'records.own',
      "The profile has no ID of a request record of the valid key's account.",
    );
  if (range !== 'valid' && range !== 'none') return explainRange(profile, range);
  if (burst === 'true' && !profile.rateLimit) {
    return explainMissingProperty(
      profile,
      'rateLimit',
      'The profile does not state the rate limit of the gateway.',
    );
  }
  return undefined;
}

/**
 * Returns the reason why a case cannot be sent to this gateway; undefined if all of its steps can be sent. For a
 * pooled case, returns the reason why its operation cannot be called.
 */
export function explainCaseNotApplicable(
  {
    steps,
    pool,
  }: {
    readonly steps: readonly {
      readonly attributes: Attributes;
      readonly before?: GatewayChange | undefined;
    }[];
    readonly pool: { readonly operation: OperationId | undefined } | undefined;
  },
  profile: Profile,
): NotApplicable | undefined {
  if (pool) return pool.operation ? explainNotOffered(pool.operation, profile) : undefined;
  for (const { attributes, before } of steps) {
    const reason = explainNoSetup(before, profile) ?? explainNotApplicable(attributes, profile);
    if (reason) return reason;
  }
  return undefined;
}

function explainNoSetup(change: GatewayChange | undefined, profile: Profile): NotApplicable | undefined {
  if (!change) return undefined;
  const { action } = change;
  const { setup } = profile;
  const calls = setup.calls[action];
  if (!calls)
    return explainMissingProperty(
      profile,
      `setup.${action}`,
      'The profile does not state how to change keys or balances.',
    );
  return calls.some(({ kind }) => kind === 'command') && !setup.environment
    ? { reason: 'The commands of `setup` run only with --allow-setup.', add: undefined }
    : undefined;
}

/**
 * Returns the reason why an operation cannot be called: according to the profile, the gateway does not offer the
 * operation, or the profile does not state its request. Returns undefined if the operation can be called.
 */
export function explainNotOffered(operation: OperationId, profile: Profile): NotApplicable | undefined {
  if (profile.operations[operation]) return undefined;
  const property = `operations.${operation}`;
  return profile.notOffered.includes(operation)
    ? {
        reason: `According to ${property} in the profile, the gateway does not offer \`${operation}\`.`,
        add: undefined,
        notOffered: operation,
      }
    : explainMissingProperty(
        profile,
        property,
        `The profile does not state the request of \`${operation}\`.`,
      );
}

/**
 * Whether the run can find a model for the role if the profile states no such model. Apart from good models, the run
 * can find only a `mismatched` model for `responses`: the model with which the control of `messages` succeeded, if
 * the ID of this model contains `claude`.
 */
function hasDefault(operation: string, role: ModelRole): boolean {
  return operation === 'responses' && role === 'mismatched';
}

function explainRange(profile: Profile, range: string | undefined): NotApplicable | undefined {
  const text = JSON.stringify(profile.operations.usage);
  if ((range === 'reversed-minutes' || range === 'reversed-seconds') && profile.timeFormat === 'iso-date') {
    return { reason: 'Dates without a time cannot be less than a day apart.', add: undefined };
  }
  if (range === 'reversed-digits' && profile.timeFormat !== 'unix-seconds') {
    return {
      reason: 'A time range with fewer digits is sent only as Unix times in seconds.',
      add: undefined,
    };
  }
  const wanted = range?.startsWith('reversed')
    ? ['{start}', '{end}']
    : [range?.endsWith('-end') ? '{end}' : '{start}'];
  const missing = wanted.find(
    (placeholder) => !text.includes(placeholder) && !text.includes(placeholder.replace('{', '{+')),
  );
  return missing === undefined
    ? undefined
    : {
        reason: `The usage request of the profile has no placeholder ${missing}.`,
        add: `${missing} in operations.usage`,
      };
}

/**
 * Returns the reason why a case is not sent without a property. If the profile states the property with a variable
 * that is unset, the reason names the variable.
 */
export function explainMissingProperty(profile: Profile, property: string, reason: string): NotApplicable {
  const variable = profile.unset.get(property);
  if (variable === undefined) return { reason, add: property };
  return {
    reason: `${property} needs the environment variable ${variable}, which is unset or empty. Set the variable.`,
    add: undefined,
  };
}

/**
 * Returns a part of a case ID, such as `model-id=gpt-4o`, for each model that the profile lists for the role of the
 * request. For a model ID that may be a secret, the part contains the number of the model in the list, from 1.
 * Returns undefined if the profile does not list several models for this role.
 */
export function listModelSegments(
  { operation = '', model = '' }: Attributes,
  { modelLists, secrets }: Pick<Profile, 'modelLists' | 'secrets'>,
): readonly string[] | undefined {
  const [calls, role] = [findModelOperation(operation), modelRoles[model]];
  const ids = calls && role && modelLists[calls][role];
  // A model ID from an environment variable may be a secret, and reports contain case IDs.
  return ids?.map((id, index) => formatModelSegment(secrets.has(id) ? String(index + 1) : id));
}

/**
 * Formats the part of a case ID for a model: `model-id=gpt-4o`. Percent-encodes all characters except ASCII letters,
 * digits, `-`, `_`, `.` and `:`.
 */
export function formatModelSegment(model: string): string {
  const encoded = encodeURIComponent(model.toWellFormed()).replaceAll('%3A', ':');
  return `model-id=${encoded.replace(/[!'()*~]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)}`;
}
