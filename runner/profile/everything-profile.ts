import type { CatalogData } from '../catalog/catalog.ts';
import type { Profile } from './profile.ts';
import { parseProfile } from './read-profile.ts';

/**
 * The operations for which a profile may state a rate limit. Plans for profiles without a rate limit use the first
 * operation.
 */
export const limitableOperations = ['usage', 'balance', 'record'] as const;

/**
 * Returns a profile for planning without a gateway. The profile has everything that a case can require: keys, models,
 * operations, records, setup calls, and a rate limit for the operation `limited`.
 */
export function createEverythingProfile(
  data: Pick<CatalogData, 'operations' | 'schemas'>,
  limited: (typeof limitableOperations)[number] = 'usage',
): Profile {
  return parseProfile(
    {
      baseUrl: 'https://gateway.example',
      keys: {
        valid: 'sk-valid-key-0000',
        deleted: 'sk-deleted-key-00',
        depleted: 'sk-depleted-key-0',
        foreign: 'sk-foreign-key-00',
      },
      models: {
        chat: exampleModels,
        responses: exampleModels,
        messages: exampleModels,
        generate: exampleModels,
      },
      operations: {
        balance: 'GET /v1/billing/balance',
        usage: 'GET /v1/billing/usage?start_time={start}&end_time={end}',
        record: 'GET /v1/billing/requests?request_id={request_id}',
        internalError: 'GET /v1/billing/internal-error',
      },
      records: { own: `${exampleUuid}1`, foreign: `${exampleUuid}2` },
      rateLimit: { operation: limited, requests: 200, within: '10s' },
      setup: {
        createKey: { request: 'POST /admin/keys' },
        deleteKey: { request: 'DELETE /admin/keys/{id}' },
        topUp: { request: 'POST /admin/top-ups' },
        drain: { request: 'POST /admin/drain' },
      },
    },
    data,
  );
}

/** The placeholders for model IDs in the result of `createEverythingProfile`, by the role of the model. */
export const exampleModels = {
  good: 'MODEL',
  textOnly: 'TEXT-ONLY-MODEL',
  unsupported: 'UNSUPPORTED-MODEL',
  unavailable: 'UNAVAILABLE-MODEL',
  mismatched: 'OTHER-PROTOCOLS-MODEL',
};

/** A UUID without its last digit. */
export const exampleUuid = '00000000-0000-4000-8000-00000000000';
