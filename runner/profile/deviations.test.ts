import { describe, expect, test } from 'vitest';
import { catalogOfPackage } from '../catalog/catalog.ts';
import { formatExpectation } from '../judge/format-expectation.ts';
import { promiseOf } from './deviations.ts';
import { createPromise, type GatewayPromise } from './promise.ts';
import { parseProfile } from './read-profile.ts';

const catalog = await catalogOfPackage();
const promiseWith = (deviations: unknown): GatewayPromise =>
  createPromise(catalog, parseProfile({ baseUrl: 'http://x', keys: { valid: 'sk-a' }, deviations }, catalog));

test.each<[about: string, deviations: unknown, message: RegExp]>([
  [
    'an unknown type',
    [{ types: { invalid_apikey: 'x' } }],
    /"invalid_apikey".*Did you mean "invalid_api_key"/,
  ],
  ['an unknown code', [{ codes: { nothing: 'x' } }], /"nothing" is not one of the codes/],
  [
    'an unknown requirement',
    [{ requirement: 'models/unlistd', instead: 'absent' }],
    /Did you mean "models\/unlisted"/,
  ],
  ['an absence of a status', [{ requirement: 'models/unlisted', instead: 'absent' }], /one member or header/],
  [
    'a name that is declared twice',
    [{ types: { invalid_api_key: 'x' } }, { types: { invalid_api_key: 'y' } }],
    /types\.invalid_api_key is declared twice/,
  ],
])('refuses %s', (_, deviations, message) => {
  expect(() => promiseWith(deviations)).toThrow(message);
});

describe('the promise of a gateway', () => {
  const { errors, requirements, deviations } = promiseWith([
    {
      types: {
        invalid_api_key: 'authentication_error',
        missing_auth_credential: 'authentication_error',
        model_not_available: { status: 404 },
        insufficient_balance: 'invalid_request_error',
      },
    },
    { requirement: 'model-error/trace-id-present', instead: 'absent' },
  ]);
  const requirement = (id: string) => requirements.find((one) => one.id === id);

  test('reads its own names: what all errors of a name say', () => {
    expect(errors.types.get('authentication_error')).toMatchObject({
      about: 'key',
      retry: false,
      refuses: [],
    });
    expect(errors.types.get('invalid_request_error')).toMatchObject({ about: 'request', retry: false });
  });
  test('a name that keeps its meaning stands for itself too', () => {
    expect(deviations.readings.types.get('invalid_request_error')?.map(({ name }) => name)).toEqual([
      'insufficient_balance',
      'invalid_request_error',
    ]);
  });
  test('a condition on a type holds for a name only if it holds for all of its errors', () => {
    const { when } = requirement('balance/recharge-url') ?? {};
    expect(when?.answer?.type?.values).toContain('insufficient_balance');
    expect(when?.answer?.type?.values).not.toContain('invalid_request_error');
  });
  test('a requirement has its declared expectation, and the others have none', () => {
    expect(requirement('model-error/trace-id-present')?.instead).toEqual({ kind: 'absent', at: '/trace_id' });
    expect(requirements.filter(({ instead }) => instead)).toHaveLength(1);
  });
  test('each part names the requirements that show whether it is needed', () => {
    expect(deviations.parts.map(({ id }) => id)).toEqual([
      'types.invalid_api_key',
      'types.missing_auth_credential',
      'types.model_not_available',
      'types.insufficient_balance',
      'model-error/trace-id-present',
    ]);
    expect(deviations.parts.every((part) => part.requirements.length > 0)).toBe(true);
  });
  test('names what it promises, for the expectation in reports', () => {
    const promised = (id: string): string => {
      const own = requirement(id);
      const expectation = own && promiseOf(own, deviations);
      return expectation ? formatExpectation(expectation) : '';
    };
    expect(promised('models/unlisted')).toBe('404 `model_not_available`');
    expect(promised('auth/bad-x-api-key')).toBe('401 `authentication_error`');
    expect(promised('model-error/trace-id-present')).toBe('no `trace_id`');
    expect(promised('models/unsupported')).toBe('');
  });
});
