import { describe, expect, test } from 'vitest';
import { catalogOfPackage } from '../catalog/catalog.ts';
import { parseExpectation } from '../catalog/expectation.ts';
import { readContent } from '../exchange/decode.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { createEverythingProfile } from '../profile/everything-profile.ts';
import type { StatedProfile } from '../profile/profile.ts';
import { createPromise } from '../profile/promise.ts';
import { parseProfile } from '../profile/read-profile.ts';
import { checkResponse } from './check-response.ts';
import { type CheckResult, formatFinding } from './finding.ts';

const catalog = await catalogOfPackage();
type Deviations = NonNullable<StatedProfile['deviations']>;

/** Returns the result of one response of a gateway with these deviations, with its findings as text. */
function check(deviations: Deviations, then: unknown, status: number, error: unknown): string {
  const profile = parseProfile({ baseUrl: 'http://x', keys: { valid: 'sk-a' }, deviations }, catalog);
  const promise = createPromise(catalog, {
    ...createEverythingProfile(catalog),
    deviations: profile.deviations,
  });
  const text = JSON.stringify({ error });
  const answer = { status, headers: {}, text, size: text.length, content: readContent(text), pieces: 1 };
  const exchange: Exchange = {
    id: 'x#1',
    attributes: { family: 'A' },
    model: 'm-1',
    request: { method: 'POST', path: '/v1/chat/completions', headers: {}, body: undefined },
    result: { kind: 'answer', answer },
    startedAt: 0,
    durationMs: 1,
    earlier: [],
    controlAfter: undefined,
  };
  const findSchema = (name: string) => catalog.schemas.resolved(name);
  const expectation = parseExpectation(then, { findSchema, parts: [], errors: catalog.errors });
  return format(
    checkResponse(expectation, exchange, answer, { promise, unlistedModel: 'no', goodModels: [] }),
  );
}

function format(result: CheckResult): string {
  if (result.kind === 'deviates') return `deviates: ${result.parts.join()}`;
  return result.kind === 'fails' ? result.findings.map(formatFinding).join('; ') : result.kind;
}

const badBody = { status: 400, type: 'invalid_request_error' };
const unknownModel = { status: 400, type: 'model_not_available' };
const notFound = { name: 'not_found_error', status: 404 };

describe('several names of one error', () => {
  const both: Deviations = [{ types: { invalid_request_error: ['bad_request_error', 'invalid_value'] } }];
  test.each(['bad_request_error', 'invalid_value'])('%s deviates', (type) => {
    expect(check(both, badBody, 400, { type })).toBe('deviates: types.invalid_request_error');
  });
  test('another name violates, and the message names all of them', () => {
    expect(check(both, badBody, 400, { type: 'other' })).toBe(
      'expected error.type bad_request_error or invalid_value, got "other"',
    );
  });
  const statuses: Deviations = [{ types: { model_not_available: ['no_model', notFound] } }];
  test('each has its own status', () => {
    expect(check(statuses, unknownModel, 404, { type: notFound.name })).toMatch(/^deviates/);
    expect(check(statuses, unknownModel, 400, { type: 'no_model' })).toMatch(/^deviates/);
    expect(check(statuses, unknownModel, 404, { type: 'no_model' })).toMatch(/expected status 400, got 404/);
  });
});

describe('a name of the specification that also stands for another error', () => {
  const kept: Deviations = [
    {
      types: {
        invalid_request_error: ['invalid_request_error', 'bad_request_error'],
        model_not_available: 'invalid_request_error',
      },
    },
  ];
  test('conforms where the specification has it, and deviates where the profile has it', () => {
    const error = { type: 'invalid_request_error' };
    expect(check(kept, badBody, 400, error)).toBe('passes');
    expect(check(kept, unknownModel, 400, error)).toBe('deviates: types.model_not_available');
  });
  test('violates without its own meaning, and the message has the received name', () => {
    const moved: Deviations = [
      { types: { model_not_available: 'invalid_request_error', invalid_request_error: 'bad' } },
    ];
    const text = 'expected error.type bad, got "invalid_request_error"';
    const error = { type: 'invalid_request_error' };
    expect(check(moved, badBody, 400, error)).toBe(text);
    expect(check(moved, { status: 400, noOtherType: 'invalid_request_error' }, 400, error)).toBe(text);
  });
});

test('a name that fits as each of several errors shows that all of them are needed', () => {
  const same: Deviations = [
    {
      types: {
        missing_auth_credential: 'auth_error',
        invalid_bearer_token: 'auth_error',
        invalid_api_key: 'auth_error',
      },
    },
  ];
  const then = { status: 401, type: ['missing_auth_credential', 'invalid_bearer_token'] };
  expect(check(same, then, 401, { type: 'auth_error' })).toBe(
    'deviates: types.missing_auth_credential,types.invalid_bearer_token',
  );
});

test('an alternative that deviates satisfies the expectation', () => {
  const absent: Deviations = [{ requirement: 'model-error/trace-id-present', instead: 'absent' }];
  const then = { anyOf: [{ status: 500 }, { at: '/trace_id', is: {} }] };
  expect(check(absent, then, 400, {})).toBe('deviates: model-error/trace-id-present');
});

test('several requirements can have the same deviation', () => {
  const deviations: Deviations = [
    { requirement: ['model-error/trace-id-present', 'model-error/details-present'], instead: 'absent' },
  ];
  const part = (at: string) => check(deviations, { at, is: {} }, 400, {});
  expect([part('/trace_id'), part('/error/details')]).toEqual([
    'deviates: model-error/trace-id-present',
    'deviates: model-error/details-present',
  ]);
});

describe('a code that is declared a text', () => {
  const text: Deviations = [
    { requirement: 'model-error/code-integer', instead: { at: '/error/code', is: { type: 'string' } } },
  ];
  const equalsStatus = { at: '/error/code', equals: 'status' };
  test('must still equal the status', () => {
    expect(check(text, equalsStatus, 401, { code: '401' })).toBe('passes');
    expect(check(text, equalsStatus, 401, { code: '400' })).toContain('400');
  });
  test('is not compared if it is no number, or if nothing is declared', () => {
    expect(check(text, equalsStatus, 401, { code: 'no_key' })).toBe('nothing-to-check');
    expect(check([], equalsStatus, 401, { code: '400' })).toBe('nothing-to-check');
  });
});
