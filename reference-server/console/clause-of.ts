import { join } from 'node:path';
import { readDataFile } from '../../common/data-file.ts';
import { toMapping } from '../../common/mapping.ts';
import { packageRoot } from '../../common/package-root.ts';
import type { RequestFailure } from '../gateway/context.ts';
import { type GatewayOperationId, operations } from '../gateway/operations.ts';
import type { JournalEntry } from '../journal.ts';

type FailureKind = RequestFailure['kind'];

const invalid = '7.1 400 invalid_request_error';

/**
 * The names of the clauses in `specs/clauses.yaml`, by failure. For billing-type endpoints, the entries of
 * `billingClauses` take precedence.
 */
const clauses: Readonly<Partial<Record<FailureKind, string>>> = {
  'missing-credential': '5 missing_auth_credential',
  'bad-key': '5 invalid_api_key',
  'unparseable-body': invalid,
  'invalid-body': invalid,
  'invalid-parameter': invalid,
  'unknown-model': '7.1 400 model_not_available',
  'unavailable-model': '4 rule 3',
  'unsupported-model': '7.1 400 model_not_supported',
  'mismatched-model': '4 rule 4',
  'image-refused': '4 rule 5',
  'low-balance': '7.1 402 insufficient_balance',
};

const invalidParameter = '7.2 400 invalid_request';

/** The names of the clauses that apply only to billing-type endpoints, by failure. */
const billingClauses: Readonly<Partial<Record<FailureKind, string>>> = {
  'unparseable-body': invalidParameter,
  'invalid-body': invalidParameter,
  'invalid-parameter': invalidParameter,
  'unknown-record': '7.2 404 not_found',
  'too-frequent': '7.2 429 rate_limit_exceeded',
  internal: '7.2 500 internal_error',
};

/**
 * The names of the clauses about successful responses, by operation. For successful responses of the other operations,
 * the console shows no clause.
 */
const successClauses: Readonly<Partial<Record<GatewayOperationId, string>>> = {
  chat: '4 POST /v1/chat/completions',
  responses: '4 POST /v1/responses',
  models: '4 GET /v1/models',
  messages: '4 family B',
  generate: '4 /v1beta/models/...',
  streamGenerate: '4 /v1beta/models/...',
  balance: '4 billing-type endpoints',
  usage: '4 billing-type endpoints',
  record: '4 billing-type endpoints',
};

/** Returns the name of the clause that determines the response; undefined if no clause is known. */
export function clauseOf({
  failure,
  operation,
}: Pick<JournalEntry, 'failure' | 'operation'>): string | undefined {
  if (!failure) return operation && successClauses[operation];
  if (failure.kind === 'bad-key' && failure.header === 'bearer') return '5 invalid_bearer_token';
  const { family, surface } = (operation && operations[operation]) ?? {};
  if (failure.kind === 'low-balance' && family === 'A') return '7.1 400 insufficient_balance';
  return (surface === 'billing' ? billingClauses[failure.kind] : undefined) ?? clauses[failure.kind];
}

let sentences: Readonly<Record<string, unknown>> | undefined;

/** Returns the text of the clause with this name; an empty string if `specs/clauses.yaml` has no such clause. */
export function quoteOf(clause: string): string {
  sentences ??= toMapping(toMapping(readDataFile(join(packageRoot, 'specs', 'clauses.yaml')).value).clauses);
  return String(sentences[clause] ?? '');
}
