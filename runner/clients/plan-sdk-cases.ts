import type { Attributes } from '../catalog/condition.ts';
import { explainMissingProperty, explainNotOffered, type NotApplicable } from '../plan/applicability.ts';
import type { BoundOperation, ModelOperation, Profile } from '../profile/profile.ts';
import type { SdkDriver, SdkLoadResult } from './sdk.ts';
import type { SdkRequirementId, SdkSpec } from './sdk-spec.ts';

/** A planned call of an SDK, with the requirements that are judged. */
export interface SdkCase {
  readonly id: string;
  readonly about: string;
  readonly driver: SdkDriver;
  readonly act: 'plain' | 'streamed' | 'list' | 'rejected';
  /** The called operation; for a list, the operation whose model should be listed. */
  readonly operation: ModelOperation;
  /** The attributes of the request, except for the header of the credential, which the SDK chooses. */
  readonly given: Attributes;
  readonly requirements: readonly SdkRequirementId[];
  /** The reason why the case is not applicable; undefined if the case is applicable. */
  readonly notApplicable: NotApplicable | undefined;
}

/** The SDKs to plan cases for, and the known models, by operation. */
export interface SdkPlanParts {
  readonly spec: SdkSpec;
  readonly profile: Profile;
  readonly sdks: readonly { readonly driver: SdkDriver; readonly result: SdkLoadResult }[];
  readonly models: ReadonlyMap<ModelOperation, string>;
}

/**
 * Plans the cases of each SDK, in the order of the report. Each operation has a valid call, a stream, and calls that
 * the gateway must reject. The first operation also has the model list, if the SDK can request a list.
 */
export function planSdkCases(parts: SdkPlanParts): SdkCase[] {
  return parts.sdks.flatMap(({ driver, result }) =>
    driver.operations.flatMap((operation, index) => [
      ...createCallCases(parts, driver, result, operation),
      ...(index === 0 ? createListCases(driver, result, operation) : []),
      ...createRejectedCases(parts, driver, result, operation),
    ]),
  );
}

function createCallCases(
  { profile, models }: SdkPlanParts,
  driver: SdkDriver,
  result: SdkLoadResult,
  operation: ModelOperation,
): SdkCase[] {
  const obstacle = explainMissingSdk(result) ?? explainNoCall(profile, models, operation, driver);
  const common = { driver, operation };
  return [
    {
      ...common,
      id: `clients/${driver.id}/${operation}/plain`,
      about: 'A valid call',
      act: 'plain',
      given: { operation },
      requirements: ['clients/call-succeeds'],
      notApplicable: obstacle,
    },
    {
      ...common,
      id: `clients/${driver.id}/${operation}/streamed`,
      about: 'A valid streamed call',
      act: 'streamed',
      given: streamedAttributes(operation),
      requirements: ['clients/stream-completes'],
      notApplicable: obstacle ?? explainNoStream(profile, operation),
    },
  ];
}

function createListCases(driver: SdkDriver, result: SdkLoadResult, operation: ModelOperation): SdkCase[] {
  if (driver.lists === 'none') return [];
  return [
    {
      id: `clients/${driver.id}/models`,
      about: 'The model list',
      driver,
      act: 'list',
      operation,
      given: { operation: 'models' },
      requirements: ['clients/list-models'],
      notApplicable: explainMissingSdk(result),
    },
  ];
}

function createRejectedCases(
  { spec, profile, models }: SdkPlanParts,
  driver: SdkDriver,
  result: SdkLoadResult,
  operation: ModelOperation,
): SdkCase[] {
  return spec.errors
    .filter(
      ({ given }) => given.fault === undefined || (driver.id === 'openai' && given.operation === operation),
    )
    .map(({ id, about, given, requirements }): SdkCase => {
      const isStreamed = given.streamed === 'true';
      const noKey =
        given.key === 'depleted' && !profile.keys.depleted
          ? explainMissingProperty(profile, 'keys.depleted', 'The profile has no depleted key.')
          : undefined;
      return {
        id: `clients/${driver.id}/${operation}/error/${id}`,
        about,
        driver,
        act: 'rejected',
        operation,
        given: { ...given, ...(isStreamed ? streamedAttributes(operation) : { operation }) },
        requirements,
        notApplicable:
          explainMissingSdk(result) ??
          explainNoCall(profile, models, operation, driver) ??
          (isStreamed ? explainNoStream(profile, operation) : undefined) ??
          noKey,
      };
    });
}

function streamedAttributes(operation: ModelOperation): Attributes {
  return { operation: operation === 'generate' ? 'streamGenerate' : operation, streamed: 'true' };
}

function explainMissingSdk(result: SdkLoadResult): NotApplicable | undefined {
  return result.kind === 'unavailable' ? { reason: result.reason, add: undefined } : undefined;
}

const sdkPaths: Readonly<Record<ModelOperation, string>> = {
  chat: '/v1/chat/completions',
  responses: '/v1/responses',
  messages: '/v1/messages',
  generate: '/v1beta/models/{model}:generateContent',
};

function explainNoCall(
  profile: Profile,
  models: ReadonlyMap<ModelOperation, string>,
  operation: ModelOperation,
  driver: SdkDriver,
): NotApplicable | undefined {
  const bound = profile.operations[operation];
  if (!bound) return explainNotOffered(operation, profile);
  if (readPostPath(bound) !== sdkPaths[operation])
    return { reason: `The SDKs call ${operation} only at POST ${sdkPaths[operation]}.`, add: undefined };
  if (!driver.takesExtra && profile.bodies[operation])
    return {
      reason: `${driver.id} cannot add the members of bodies.${operation} to a request.`,
      add: undefined,
    };
  return models.has(operation)
    ? undefined
    : { reason: `No model for \`${operation}\` is known.`, add: `models.${operation}.good` };
}

function readPostPath({ method, path }: BoundOperation): string | undefined {
  return method === 'POST' ? path.replace('{+model}', '{model}').split('?')[0] : undefined;
}

function explainNoStream(profile: Profile, operation: ModelOperation): NotApplicable | undefined {
  if (operation === 'generate') {
    const bound = profile.operations.streamGenerate;
    if (!bound) return explainNotOffered('streamGenerate', profile);
    return readPostPath(bound) === '/v1beta/models/{model}:streamGenerateContent'
      ? undefined
      : {
          reason: 'The SDKs call streamGenerate only at POST /v1beta/models/{model}:streamGenerateContent.',
          add: undefined,
        };
  }
  return profile.streamParameter === 'stream'
    ? undefined
    : { reason: 'The SDKs request a stream only with the member `stream`.', add: undefined };
}
