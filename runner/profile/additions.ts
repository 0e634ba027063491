import type { Operations } from '../catalog/operations.ts';
import { modelOperations } from './profile.ts';

/** A member that a profile may have, and what can be judged only with it. */
export interface Addition {
  /** Where it stands: `['keys', 'deleted']`. */
  readonly path: readonly string[];
  /** What it may look like. */
  readonly example: unknown;
  readonly about: string;
}

/** The keys that a profile may have beside the valid one, and the variables that are asked for them. */
export const optionalKeys = [
  { role: 'deleted', variable: 'GATEWAY_DELETED_KEY', about: 'existed and was deleted' },
  { role: 'depleted', variable: 'GATEWAY_DEPLETED_KEY', about: 'good, but its account has no balance' },
  { role: 'foreign', variable: 'GATEWAY_FOREIGN_KEY', about: 'good, of another account' },
] as const;

/** The name of an optional key. */
export type KeyName = (typeof optionalKeys)[number]['role'];

/** The billing-type requests, which have no default, each with what it may look like. */
export const billingRequests = [
  { operation: 'balance', example: 'GET /v1/billing/balance', about: 'the balance of the account' },
  {
    operation: 'usage',
    example: 'GET /v1/billing/usage?start_time={start}&end_time={end}',
    about: 'what was used in a time',
  },
  {
    operation: 'record',
    example: 'GET /v1/billing/requests?request_id={request_id}',
    about: 'the record of one request',
  },
  {
    operation: 'internalError',
    example: 'GET /v1/billing/internal-error',
    about: 'known to answer 500, where a test build has one',
  },
] as const;

const modelRoles = [
  { role: 'textOnly', example: 'TEXT-MODEL', about: 'takes text but no images' },
  { role: 'unsupported', example: 'OLD-MODEL', about: "exists, and can't be called now" },
  { role: 'mismatched', example: 'OTHER-MODEL', about: 'one that must be refused here' },
] as const;

const claudeIsTaken = 'where none is named, a claude model of messages is taken';

/** Everything that a profile may state so that more is judged, in the order of the file. */
export function additions(operations: Operations): Addition[] {
  return [
    ...optionalKeys.map(({ role, variable, about }) => ({
      path: ['keys', role],
      example: `\${${variable}}`,
      about,
    })),
    ...modelOperations.flatMap((operation) =>
      modelRoles.map(({ role, example, about }) => ({
        path: ['models', operation, role],
        example,
        about: operation === 'responses' && role === 'mismatched' ? claudeIsTaken : about,
      })),
    ),
    ...(['messages', 'generate', 'streamGenerate'] as const).map((id) => ({
      path: ['operations', id],
      example: operations[id].request,
      about: '',
    })),
    ...billingRequests.map(({ operation, example, about }) => ({
      path: ['operations', operation],
      example,
      about,
    })),
    { path: ['records', 'own'], example: 'REQUEST-ID', about: 'of a request of this account' },
    { path: ['records', 'foreign'], example: 'OTHER-REQUEST-ID', about: 'of a request of another account' },
    {
      path: ['rateLimit'],
      example: { operation: 'usage', requests: 200, within: '10s' },
      about: 'so many in that time must bring a 429',
    },
  ];
}
