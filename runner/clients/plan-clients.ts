import type { Facts } from '../catalog/condition.ts';
import type { NotApplicable } from '../plan/applicability.ts';
import type { BoundOperation, ModelOperation, Profile } from '../profile/profile.ts';
import type { ClientLedger, ClientRequirementId } from './client-ledger.ts';
import type { FoundSdk, Sdk } from './sdk.ts';

/** A thing that a user does with an SDK. */
export interface ClientCase {
  readonly id: string;
  readonly about: string;
  readonly sdk: Sdk;
  readonly act: 'plain' | 'streamed' | 'list' | 'refused';
  /** Of a list, the operation whose model should be in it. */
  readonly operation: ModelOperation;
  /** What is known of the request beside the header in which the SDK sends its key. */
  readonly given: Facts;
  readonly requirements: readonly ClientRequirementId[];
  readonly notApplicable: NotApplicable | undefined;
}

/** What the planning of cases goes by. */
export interface ClientPlanParts {
  readonly ledger: ClientLedger;
  readonly profile: Profile;
  readonly sdks: readonly { readonly sdk: Sdk; readonly found: FoundSdk }[];
  /** The model that each operation calls; undefined where none is known. */
  readonly models: ReadonlyMap<ModelOperation, string>;
}

/** What each SDK is tried with, in the order of the report: a good call, a stream, the model list, then what must be refused. */
export function planClients(parts: ClientPlanParts): ClientCase[] {
  return parts.sdks.flatMap(({ sdk, found }) =>
    sdk.operations.flatMap((operation, index) => [
      ...callCases(parts, sdk, found, operation),
      ...(index === 0 ? listCases(sdk, found, operation) : []),
      ...refusedCases(parts, sdk, found, operation),
    ]),
  );
}

function callCases(
  { profile, models }: ClientPlanParts,
  sdk: Sdk,
  found: FoundSdk,
  operation: ModelOperation,
): ClientCase[] {
  const lack = absent(found) ?? cannotCall(profile, models, operation, sdk);
  const common = { sdk, operation };
  return [
    {
      ...common,
      id: `clients/${sdk.id}/${operation}/plain`,
      about: 'A good call',
      act: 'plain',
      given: { operation },
      requirements: ['clients/call-succeeds'],
      notApplicable: lack,
    },
    {
      ...common,
      id: `clients/${sdk.id}/${operation}/streamed`,
      about: 'A good call that is streamed',
      act: 'streamed',
      given: streamedFacts(operation),
      requirements: ['clients/stream-completes'],
      notApplicable: lack ?? cannotStream(profile, operation),
    },
  ];
}

function listCases(sdk: Sdk, found: FoundSdk, operation: ModelOperation): ClientCase[] {
  if (sdk.lists === 'none') return [];
  return [
    {
      id: `clients/${sdk.id}/models`,
      about: 'The list of models',
      sdk,
      act: 'list',
      operation,
      given: { operation: 'models' },
      requirements: ['clients/list-models'],
      notApplicable: absent(found),
    },
  ];
}

function refusedCases(
  { ledger, profile, models }: ClientPlanParts,
  sdk: Sdk,
  found: FoundSdk,
  operation: ModelOperation,
): ClientCase[] {
  return ledger.errors
    .filter(
      ({ given }) => given.fault === undefined || (sdk.id === 'openai' && given.operation === operation),
    )
    .map(({ id, about, given, holds }): ClientCase => {
      const isStreamed = given.streamed === 'true';
      const noKey =
        given.key === 'depleted' && !profile.keys.depleted
          ? { reason: 'No depleted key is known.', add: 'keys.depleted' }
          : undefined;
      return {
        id: `clients/${sdk.id}/${operation}/error/${id}`,
        about,
        sdk,
        act: 'refused',
        operation,
        given: { ...given, ...(isStreamed ? streamedFacts(operation) : { operation }) },
        requirements: holds,
        notApplicable:
          absent(found) ??
          cannotCall(profile, models, operation, sdk) ??
          (isStreamed ? cannotStream(profile, operation) : undefined) ??
          noKey,
      };
    });
}

function streamedFacts(operation: ModelOperation): Facts {
  return { operation: operation === 'generate' ? 'streamGenerate' : operation, streamed: 'true' };
}

function absent(found: FoundSdk): NotApplicable | undefined {
  return found.kind === 'absent' ? { reason: found.reason, add: undefined } : undefined;
}

/** The paths that SDKs call. */
const paths: Readonly<Record<ModelOperation, string>> = {
  chat: '/v1/chat/completions',
  responses: '/v1/responses',
  messages: '/v1/messages',
  generate: '/v1beta/models/{model}:generateContent',
};

function cannotCall(
  profile: Profile,
  models: ReadonlyMap<ModelOperation, string>,
  operation: ModelOperation,
  sdk: Sdk,
): NotApplicable | undefined {
  const bound = profile.operations[operation];
  if (!bound) return { reason: `The operation ${operation} is not offered.`, add: `operations.${operation}` };
  if (pathOf(bound) !== paths[operation])
    return { reason: `SDKs call ${operation} at POST ${paths[operation]} alone.`, add: undefined };
  if (!sdk.takesExtra && profile.bodies[operation])
    return {
      reason: `The ${operation} of ${sdk.id} can't have what bodies.${operation} adds.`,
      add: undefined,
    };
  return models.has(operation)
    ? undefined
    : { reason: `No model is known that ${operation} can call.`, add: `models.${operation}.good` };
}

/** The path of a POST, without its query. */
function pathOf({ method, path }: BoundOperation): string | undefined {
  return method === 'POST' ? path.replace('{+model}', '{model}').split('?')[0] : undefined;
}

function cannotStream(profile: Profile, operation: ModelOperation): NotApplicable | undefined {
  if (operation === 'generate') {
    const bound = profile.operations.streamGenerate;
    if (!bound)
      return { reason: 'The operation streamGenerate is not offered.', add: 'operations.streamGenerate' };
    return pathOf(bound) === '/v1beta/models/{model}:streamGenerateContent'
      ? undefined
      : { reason: 'SDKs call streamGenerate at :streamGenerateContent alone.', add: undefined };
  }
  return profile.streamParameter === 'stream'
    ? undefined
    : { reason: 'SDKs ask for a stream with the member `stream` alone.', add: undefined };
}
