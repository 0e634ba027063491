import { expect, test } from 'vitest';
import { catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import { isAboutOneResponse } from '../../../runner/catalog/expectation.ts';
import { isErrorInSuccess, needsConfirmation } from '../../../runner/evidence/attribution.ts';
import { readContent } from '../../../runner/exchange/decode.ts';
import { type Exchange, isExpectedResponse, type Result } from '../../../runner/exchange/exchange.ts';
import { checkResponse } from '../../../runner/judge/check-response.ts';
import { plan } from '../../../runner/plan/plan.ts';
import { createEverythingProfile } from '../../../runner/profile/everything-profile.ts';
import { createPromise } from '../../../runner/profile/promise.ts';

const catalog = await catalogOfPackage();
const promise = createPromise(catalog, createEverythingProfile(catalog));
const { cases } = plan(promise);
const context = { promise, unlistedModel: 'no-such-model', goodModels: [] };
const errors = ['internal_error', 'invalid_request', 'insufficient_balance', 'model_not_available', 'other'];

const results = [200, 400, 401, 402, 404, 500, 503].flatMap((status) =>
  [...errors.map((name) => JSON.stringify({ error: { type: name, code: name, message: name } })), 'page'].map(
    (text): Result => {
      const content = readContent(text);
      return { kind: 'answer', answer: { status, headers: {}, text, size: text.length, content, pieces: 1 } };
    },
  ),
);

// Sending needs the expectation only for responses that may be transient.
test('planning and judging expect the same of every response that may be transient', () => {
  let expected = 0;
  for (const { id, steps, checks } of cases) {
    for (const [index, { attributes, expects, control }] of steps.entries()) {
      const own = checks.filter(
        (item) => item.steps.includes(index) && isAboutOneResponse(item.requirement.then),
      );
      for (const result of results) {
        if (
          result.kind === 'failure' ||
          control ||
          !needsConfirmation({ attributes, result }, catalog.errors)
        )
          continue;
        const request = { method: 'POST', path: '/', headers: {}, body: undefined };
        const exchange: Exchange = {
          id,
          attributes,
          model: undefined,
          request,
          result,
          startedAt: 0,
          durationMs: 0,
          earlier: [],
          controlAfter: undefined,
        };
        const judged =
          own.length > 0 &&
          own.every(
            ({ requirement }) =>
              checkResponse(requirement.then, exchange, result.answer, context).kind === 'passes',
          );
        const isExpected = !isErrorInSuccess(exchange) && isExpectedResponse(result, expects);
        expect([id, result.answer.status, isExpected]).toEqual([id, result.answer.status, judged]);
        if (judged) expected += 1;
      }
    }
  }
  expect(expected).toBeGreaterThan(10);
});
