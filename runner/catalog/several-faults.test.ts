import { describe, expect, test } from 'vitest';
import { formatExpectation } from '../judge/format-expectation.ts';
import { catalogOfPackage } from './catalog.ts';
import { findRequirements } from './requirements.ts';

const { requirements } = (await catalogOfPackage()).ledger;
const usual = {
  operation: 'chat',
  surface: 'model',
  family: 'A',
  header: 'bearer',
  key: 'good',
  accepted: 'true',
  request: 'invalid',
  model: 'good',
  fault: 'none',
  member: 'none',
  given: 'none',
  streamed: 'false',
  record: 'none',
  range: 'none',
  version: 'none',
  contentType: 'json',
  transfer: 'length',
  body: 'none',
  accept: 'json',
  method: 'documented',
  path: 'documented',
  burst: 'false',
  lifecycle: 'none',
};
const badKey = { key: 'unknown' };
const noKey = { header: 'none', key: 'none', accepted: 'false' };
const unlisted = { model: 'unlisted' };
const notJson = { fault: 'unparseable', given: 'truncated' };

function expectedOf(attributes: Readonly<Record<string, string>>): string | undefined {
  const found = findRequirements({ ...usual, ...attributes }, requirements).find(
    ({ id }) => id === 'requests/several-faults',
  );
  return found && formatExpectation(found.then);
}

describe('the expectation of `requests/several-faults` for a request', () => {
  test.each([
    ['with one fault does not exist', unlisted, undefined],
    [
      'with a bad key and a body that only lenient parsers read permits the 401, or any other rejection',
      { ...badKey, fault: 'unparseable', given: 'comment' },
      '401 `invalid_bearer_token`, or another 4xx or 3xx',
    ],
    [
      'with a bad key and an unlisted model is the response to either fault',
      { ...badKey, ...unlisted },
      '401 `invalid_bearer_token`, or 400 `model_not_available`',
    ],
    [
      'without a key and with a body that is not JSON is the response to either fault',
      { ...noKey, ...notJson },
      '401 `missing_auth_credential`, or 400 `invalid_request_error`',
    ],
    [
      'with three faults is the response to any of the faults',
      { ...badKey, ...unlisted, operation: 'generate', family: 'C', ...notJson },
      '401 `invalid_bearer_token`, or 400 `model_not_available`, or 400 `invalid_request_error`',
    ],
    [
      'of an account without a balance for an unlisted model is the response to either fault',
      { key: 'depleted', ...unlisted },
      '400 `insufficient_balance`, or 400 `model_not_available`',
    ],
    [
      'that is streamed, with a bad key, permits no error in the stream',
      { ...badKey, ...unlisted, streamed: 'true' },
      '401, and `invalid_bearer_token` if the body is JSON, or 400 with no error type of section 7.1 other than `model_not_available`',
    ],
    [
      'that is streamed, of an account without a balance, permits an error in the stream',
      { key: 'depleted', ...unlisted, streamed: 'true' },
      '400 with no error type of section 7.1 other than `insufficient_balance`, or 2xx with an error in the stream, or 400 with no error type of section 7.1 other than `model_not_available`, or 2xx with an error in the stream',
    ],
    [
      'with a value that the specification leaves open permits any other rejection',
      { ...noKey, fault: 'left-open', given: 'content-parts' },
      '401 `missing_auth_credential`, or another 4xx or 3xx',
    ],
    [
      'with two headers, which the specification leaves open, permits any rejection',
      { header: 'two', accepted: 'false', ...unlisted },
      '400 `model_not_available`, or 4xx or 3xx',
    ],
    [
      'whose faults are all left open does not exist',
      { header: 'two', accepted: 'false', fault: 'left-open', given: 'content-parts' },
      undefined,
    ],
  ])('%s', (_, attributes, expected) => {
    expect(expectedOf(attributes)).toBe(expected);
  });
  test('permits any other rejection if the validity of another part is unknown', () => {
    const { model: _, ...known } = { ...usual, ...noKey, ...notJson };
    const found = findRequirements(known, requirements).find(({ id }) => id === 'requests/several-faults');
    expect(found && formatExpectation(found.then)).toContain('another 4xx');
  });
});

test('a declared response to an invalid part is declared for a request with several, too', () => {
  const status = (member: string) =>
    ({ kind: 'status', status: { members: [member], negated: false } }) as const;
  const declared = requirements.map((one) =>
    one.id === 'requests/body-json' ? { ...one, instead: status('422') } : one,
  );
  const find = (attributes: Readonly<Record<string, string>>) =>
    findRequirements({ ...usual, ...attributes }, declared).find(
      ({ id }) => id === 'requests/several-faults',
    );
  const { instead } = find({ ...noKey, ...notJson }) ?? {};
  expect(instead && formatExpectation(instead)).toBe('401 `missing_auth_credential`, or 422');
});
