import type { Catalog } from '../catalog/catalog.ts';
import type { Profile } from './profile.ts';
import { profileOf } from './read-profile.ts';

/** The operations of which a profile may say that requests to them are limited; the usual one first. */
export const limitable = ['usage', 'balance', 'record'] as const;

/** A profile that has everything, so that every case can be listed and explained; with a limit on that operation. */
export function everythingProfile(catalog: Catalog, limited: (typeof limitable)[number] = 'usage'): Profile {
  return profileOf(
    {
      baseUrl: 'https://gateway.example',
      keys: {
        valid: 'sk-valid-key-0000',
        deleted: 'sk-deleted-key-00',
        depleted: 'sk-depleted-key-0',
        foreign: 'sk-foreign-key-00',
      },
      models: { chat: models, responses: models, messages: models, generate: models },
      operations: {
        balance: 'GET /v1/billing/balance',
        usage: 'GET /v1/billing/usage?start_time={start}&end_time={end}',
        record: 'GET /v1/billing/requests?request_id={request_id}',
        internalError: 'GET /v1/billing/internal-error',
      },
      records: { own: `${uuid}1`, foreign: `${uuid}2` },
      rateLimit: { operation: limited, requests: 200, within: '10s' },
    },
    catalog,
  );
}

export const models = {
  good: 'MODEL',
  textOnly: 'TEXT-ONLY-MODEL',
  unsupported: 'UNSUPPORTED-MODEL',
  mismatched: 'OTHER-PROTOCOLS-MODEL',
};

export const uuid = '00000000-0000-4000-8000-00000000000';
