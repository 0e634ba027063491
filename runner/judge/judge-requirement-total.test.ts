import { describe, expect, test } from 'vitest';
import { catalogOfPackage } from '../catalog/catalog.ts';
import { readContent } from '../exchange/decode.ts';
import type { Exchange, Result } from '../exchange/exchange.ts';
import { createEverythingProfile } from '../profile/everything-profile.ts';
import { createPromise } from '../profile/promise.ts';
import { judgeRequirement } from './judge-requirement.ts';

const catalog = await catalogOfPackage();
const promise = createPromise(catalog, createEverythingProfile(catalog));
const context = { promise, unlistedModel: 'no-such-model', goodModels: ['m-1'] };
const headers = { 'content-type': '', 'x-trace-id': '', 'content-length': 'x' };
const attributes = {
  surface: 'model',
  streamed: 'false',
  key: 'good',
  accepted: 'true',
  family: 'A',
  operation: 'chat',
  method: 'documented',
  place: '',
  member: 'none',
};

function exchange(result: Result): Exchange {
  return {
    id: 'x#1',
    attributes,
    model: undefined,
    request: { method: 'GET', path: '/', headers: {}, body: undefined },
    result,
    startedAt: 0,
    durationMs: 0,
    earlier: [],
    controlAfter: 'succeeded',
  };
}
function answered(status: number, text: string): Exchange {
  const content = readContent(text);
  return exchange({
    kind: 'answer',
    answer: { status, headers, text, size: text.length, content, pieces: 1 },
  });
}
const unanswered = exchange({ kind: 'failure', failure: { reason: 'reset', detail: 'reset' } });

describe('judging does not throw', () => {
  const bodies: [string, string][] = [
    ['nothing', ''],
    ['null', 'null'],
    ['a list', '[[],{}]'],
    ['a text', '"error"'],
    ['a number', '1e400'],
    ['a page', '<!doctype html><title>Oops</title>'],
    ['half a body', '{"error": {"message": "x'],
    [
      'odd members',
      '{"error":{"__proto__":{"type":"x"},"type":{},"code":[],"message":[]},"trace_id":{},"constructor":1}',
    ],
    ['odd types', '{"error":{"type":true,"code":"400","message":false,"details":"x"},"trace_id":7}'],
    ['a lone surrogate', '{"error":{"message":"\\ud800","type":"\\u0000"}}'],
    ['an event stream', 'event: error\ndata: {"error":{"message":null}}\n\n'],
    ['deep nesting', `{"error":{"details":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`],
  ];
  test.each(bodies)('for the requirements of the package and a response with a body of %s', (_, body) => {
    const outcomes = new Set<string>();
    // Each check of a deeply nested body takes milliseconds, so only one status is tested.
    const statuses =
      body.length > 10_000 ? [400] : [100, 200, 204, 301, 400, 401, 402, 404, 429, 500, 599, 999];
    for (const each of promise.requirements.filter(({ then }) => then.kind !== 'one-fault')) {
      for (const status of statuses) {
        const one = answered(status, body);
        outcomes.add(judgeRequirement(each, [one, one], context).outcome);
        outcomes.add(judgeRequirement(each, [one, unanswered], context).outcome);
      }
    }
    expect(
      [...outcomes].every((outcome) =>
        /^(violates|warns|inconclusive|conforms|not-applicable)$/.test(outcome),
      ),
    ).toBe(true);
  });
});
