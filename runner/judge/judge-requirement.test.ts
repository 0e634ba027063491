import { describe, expect, test } from 'vitest';
import { parseDataFile } from '../../common/data-file.ts';
import { catalogOfPackage } from '../catalog/catalog.ts';
import type { Attributes } from '../catalog/condition.ts';
import { type Requirement, readRequirements } from '../catalog/requirements.ts';
import { readContent } from '../exchange/decode.ts';
import type { Exchange, Result } from '../exchange/exchange.ts';
import { createEverythingProfile } from '../profile/everything-profile.ts';
import { createPromise } from '../profile/promise.ts';
import type { Finding } from './finding.ts';
import { judgeRequirement } from './judge-requirement.ts';
import { findWorstOutcome } from './outcome.ts';

const catalog = await catalogOfPackage();
const promise = createPromise(catalog, createEverythingProfile(catalog));
const context = { promise, unlistedModel: 'no-such-model', goodModels: ['m-1'] };

/**
 * Creates a requirement with these members, and default values for all other members. `asks` is the member `then` of
 * the requirement.
 */
function requirement({ asks = { status: 400 }, ...members }: Readonly<Record<string, unknown>>): Requirement {
  const common = { id: 'a/b', clause: ['1'], level: 'must', says: 'It.', when: {}, ...members };
  const entry = Object.fromEntries([...Object.entries(common), ['then', asks]]);
  const file = parseDataFile('l.yaml', JSON.stringify({ requirements: [entry] }));
  const [read] = readRequirements([file], promise.attributes, promise.schemas).requirements;
  if (!read) throw new Error('no requirement');
  return read;
}
let count = 0;
function answered(
  status: number,
  body: unknown = {},
  more: Partial<Exchange> & { headers?: Record<string, string> } = {},
): Exchange {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const { headers = {}, ...rest } = more;
  const result: Result = {
    kind: 'answer',
    answer: { status, headers, text, size: text.length, content: readContent(text), pieces: 1 },
  };
  return exchange(result, rest);
}
/** Creates an exchange with a response whose body could not be read. */
function unreadable(status: number, more: Partial<Exchange> = {}): Exchange {
  const content = { kind: 'unreadable', reason: 'odd coding' } as const;
  return exchange(
    { kind: 'answer', answer: { status, headers: {}, text: '', size: 0, content, pieces: 1 } },
    more,
  );
}
function exchange(result: Result, more: Partial<Exchange> = {}): Exchange {
  count += 1;
  const request = { method: 'GET', path: '/', headers: {}, body: undefined };
  return {
    id: `x#${count}`,
    attributes: {},
    model: undefined,
    request,
    result,
    startedAt: 0,
    durationMs: 0,
    earlier: [],
    controlAfter: undefined,
    ...more,
  };
}
const unanswered = (): Exchange =>
  exchange({ kind: 'failure', failure: { reason: 'reset', detail: 'the connection was reset' } });
const closed = (attributes: Attributes = {}): Exchange =>
  exchange(
    { kind: 'failure', failure: { reason: 'reset', detail: 'the connection was reset', isUnanswered: true } },
    { attributes: { request: 'invalid', key: 'good', ...attributes }, controlAfter: 'succeeded' },
  );
const cut = (cutStatus: number, more: Partial<Exchange> = {}): Exchange =>
  exchange(
    { kind: 'failure', failure: { reason: 'reset', detail: 'other side closed', cutStatus } },
    { controlAfter: 'succeeded', ...more },
  );
const afterGood = { controlAfter: 'succeeded' } as const;
const afterBad = { controlAfter: 'failed' } as const;

describe('the exchanges of a case', () => {
  const transient = { transient: 'judged' };
  test.each<[string, Readonly<Record<string, unknown>>, Exchange[], string]>([
    ['that are correct conform', {}, [answered(400), answered(400)], 'conforms'],
    ['with one wrong response violate', {}, [answered(400), answered(200)], 'violates'],
    ['that violate a `should` warn', { level: 'should' }, [answered(200)], 'warns'],
    ['without a response are inconclusive', {}, [unanswered()], 'inconclusive'],
    ['of which one has no response are inconclusive', {}, [answered(400), unanswered()], 'inconclusive'],
    [
      'with one wrong response violate although another has no response',
      {},
      [unanswered(), answered(200)],
      'violates',
    ],
    [
      'without a response violate if the gateway closes the connection, and a control succeeds',
      {},
      [closed()],
      'violates',
    ],
    ['with a response that is cut off each time violate', {}, [cut(400)], 'violates'],
    [
      'with a response that is cut off once are inconclusive',
      {},
      [cut(400, { earlier: [unanswered().result] })],
      'inconclusive',
    ],
    [
      'with a response that is cut off are inconclusive if the control fails',
      {},
      [cut(400, { controlAfter: 'failed' })],
      'inconclusive',
    ],
    [
      'with a stream that is cut off after its start are inconclusive',
      {},
      [cut(200, { attributes: { streamed: 'true' } })],
      'inconclusive',
    ],
    [
      'with an error for a stream that is cut off violate',
      {},
      [cut(400, { attributes: { streamed: 'true' } })],
      'violates',
    ],
    [
      'without a response to a wrong method are inconclusive',
      {},
      [closed({ method: 'PATCH' })],
      'inconclusive',
    ],
    [
      'without a response to a wrong key are inconclusive',
      {},
      [closed({ key: 'truncated' })],
      'inconclusive',
    ],
    ['that were not sent are not applicable', {}, [], 'not-applicable'],
    [
      'without the part that the requirement applies to are inconclusive',
      { asks: { at: '/a/b', is: {} } },
      [answered(400)],
      'inconclusive',
    ],
    ['with a persistent 5xx violate if a control succeeds', {}, [answered(500, {}, afterGood)], 'violates'],
    [
      'with a persistent 5xx are inconclusive if a control fails',
      {},
      [answered(500, {}, afterBad)],
      'inconclusive',
    ],
    ['with a 5xx and no control are inconclusive', {}, [answered(503)], 'inconclusive'],
    ['with an expected 5xx conform', { asks: { status: 500 } }, [answered(500)], 'conforms'],
    ['with a persistent 429 are inconclusive', {}, [answered(429, {}, afterGood)], 'inconclusive'],
    ['with a persistent 429 violate if 429 is judged', transient, [answered(429, {}, afterGood)], 'violates'],
    ['with a judged 429 are inconclusive without a control', transient, [answered(429)], 'inconclusive'],
    [
      'with a judged 429 that asks for a pause are inconclusive',
      transient,
      [answered(429, {}, { ...afterGood, headers: { 'retry-after': '3600' } })],
      'inconclusive',
    ],
    [
      'with a judged 429 that asks for a pause because of the balance violate',
      transient,
      [
        answered(
          429,
          { error: { type: 'insufficient_balance' } },
          { ...afterGood, headers: { 'retry-after': '3600' } },
        ),
      ],
      'violates',
    ],
    [
      'with a wrong response and a failed control are inconclusive',
      {},
      [answered(401, {}, afterBad)],
      'inconclusive',
    ],
    ['with a correct response and a failed control conform', {}, [answered(400, {}, afterBad)], 'conforms'],
  ])('%s', (_, members, exchanges, outcome) => {
    expect(judgeRequirement(requirement(members), exchanges, context).outcome).toBe(outcome);
  });
  test('are named by their findings, or described by the reason', () => {
    const wrong = answered(200);
    expect(judgeRequirement(requirement({}), [answered(400), wrong], context)).toEqual({
      outcome: 'violates',
      findings: [{ exchange: wrong.id, finding: { kind: 'wrong-status', expected: '400', actual: 200 } }],
      severity: 'invalid-accepted',
      reason: undefined,
    });
    expect(judgeRequirement(requirement({}), [unanswered()], context).reason).toBe(
      'No response: the connection was reset.',
    );
    expect(judgeRequirement(requirement({}), [answered(429, {}, afterGood)], context).reason).toMatch(
      /^The last response was 429/,
    );
  });
});

describe('a pooled requirement', () => {
  const pooled = {
    over: 'run',
    when: { surface: 'model', streamed: false, answer: { status: [400, 401] } },
    asks: { at: '/error', is: { type: 'object' } },
  };
  const attributes = { surface: 'model', streamed: 'false' };
  const good = (): Exchange => answered(400, { error: {} }, { attributes });
  const bad = (status = 400, known: Record<string, string> = attributes): Exchange =>
    answered(status, { error: 'x' }, { attributes: known });
  test.each<[string, Readonly<Record<string, unknown>>, Exchange[], string]>([
    ['conforms if all exchanges that it applies to are correct', pooled, [good(), good()], 'conforms'],
    ['is violated by one exchange', pooled, [good(), bad(401)], 'violates'],
    ['applies only to its statuses', pooled, [good(), bad(404)], 'conforms'],
    [
      'applies only to its attributes',
      pooled,
      [good(), bad(400, { surface: 'billing', streamed: 'false' })],
      'conforms',
    ],
    [
      'does not apply to an exchange with unknown attributes',
      pooled,
      [good(), bad(400, { surface: 'model' })],
      'conforms',
    ],
    ['is not applicable without a matching exchange', pooled, [bad(404)], 'not-applicable'],
    [
      'judges a body in spite of a failed control',
      pooled,
      [answered(400, { error: 'x' }, { attributes, ...afterBad })],
      'violates',
    ],
    ['ignores exchanges without a response', pooled, [good(), unanswered()], 'conforms'],
    [
      'applies only to its types',
      { ...pooled, when: { answer: { type: 'a' } } },
      [good(), bad()],
      'not-applicable',
    ],
    [
      'is violated by a response with its type',
      { over: 'run', when: { answer: { type: 'a' } } },
      [answered(401, { error: { type: 'a' } }), answered(401, { error: { type: 'b' } })],
      'violates',
    ],
    [
      'does not apply if no text exists at its location',
      { over: 'run', when: { answer: { string: '/error' } } },
      [answered(401, { error: {} })],
      'not-applicable',
    ],
    ['ignores a body that cannot be read', pooled, [good(), unreadable(400, { attributes })], 'conforms'],
    [
      'applies if there is a text at its location',
      { ...pooled, when: { answer: { string: '/error' } } },
      [good(), bad()],
      'violates',
    ],
  ])('%s', (_, members, exchanges, outcome) => {
    expect(judgeRequirement(requirement(members), exchanges, context).outcome).toBe(outcome);
  });

  test.each([
    ['The request is invalid.', 'violates'],
    ['“Bad”: 400!', 'violates'],
    ['Le champ messages est requis à cet endroit', 'violates'],
    ['nieprawidłowy', 'violates'],
    ['mode\u0300le requis', 'violates'],
    ['400!', 'violates'],
    ['The request is invalid: 参数', 'violates'],
    ['неверно', 'not-applicable'],
    ['API 密钥无效或缺失', 'not-applicable'],
    ['invalid_request_error: 消息不能为空', 'not-applicable'],
    ['Ошибка API: сообщение заполнено', 'not-applicable'],
    ['オブジェクトでなければなりません JSON', 'not-applicable'],
    ['\u200b\ufeff', 'not-applicable'],
    ['\u3164', 'not-applicable'],
  ])('with a condition on Latin letters: %j is %s', (error, outcome) => {
    const members = { ...pooled, when: { answer: { mostlyLatin: '/error' } } };
    expect(judgeRequirement(requirement(members), [answered(400, { error })], context).outcome).toBe(outcome);
  });
});

describe('several exchanges', () => {
  const limit = { asks: { some: { status: 429, code: 'rate_limit_exceeded' } } };
  const never = { asks: { none: { status: '2xx' } } };
  const same = { asks: { same: ['status', '/error/type'] } };
  const typed = (status: number, type: string, more = {}): Exchange =>
    answered(status, { error: { type } }, more);
  const withKey = { attributes: { key: 'good', accepted: 'true' } };
  const distinct = { over: 'run', asks: { distinct: 'header x-trace-id' } };
  const traced = (id?: string): Exchange =>
    answered(400, {}, id === undefined ? {} : { headers: { 'x-trace-id': id } });
  test.each<[string, Readonly<Record<string, unknown>>, Exchange[], string]>([
    [
      'of which one must match: one does',
      limit,
      [answered(200), answered(429, { error: { code: 'rate_limit_exceeded' } })],
      'conforms',
    ],
    ['of which one must match: none does', limit, [answered(200), answered(200)], 'violates'],
    ['of which one must match: one has only the status', limit, [answered(429, '')], 'violates'],
    ['of which one must match: none has a response', limit, [unanswered()], 'inconclusive'],
    ['of which none may match: none does', never, [answered(400), answered(401)], 'conforms'],
    ['of which none may match: one does', never, [answered(400), answered(200)], 'violates'],
    ['of which one must match: one cannot be read', limit, [answered(200), unreadable(429)], 'inconclusive'],
    ['of which none may match: none has a response', never, [unanswered()], 'inconclusive'],
    ['of which none may match: one has no response', never, [answered(400), unanswered()], 'inconclusive'],
    [
      'of which none may match: one does, another has no response',
      never,
      [unanswered(), answered(200)],
      'violates',
    ],
    [
      'of which none may match: one cannot be read',
      { asks: { none: { type: 'a' } } },
      [unreadable(400)],
      'inconclusive',
    ],
    ['all are the same', same, [typed(400, 'a'), typed(400, 'a')], 'conforms'],
    ['one has another status', same, [typed(400, 'a'), typed(401, 'a')], 'violates'],
    ['one has another type', same, [typed(400, 'a'), typed(400, 'b')], 'violates'],
    ['one lacks the type', same, [typed(400, 'a'), answered(400)], 'violates'],
    ['one is transient', same, [typed(400, 'a'), typed(503, 'a')], 'inconclusive'],
    ['one has no response', same, [typed(400, 'a'), unanswered()], 'inconclusive'],
    [
      'one reports an account without a balance',
      same,
      [typed(400, 'a'), typed(402, 'insufficient_balance', withKey)],
      'inconclusive',
    ],
    ['one rejects the valid key', same, [typed(400, 'a'), typed(403, 'a', withKey)], 'inconclusive'],
    [
      'one rejects the valid key, but a control succeeded',
      same,
      [typed(400, 'a'), typed(403, 'a', { ...withKey, controlAfter: 'succeeded' })],
      'violates',
    ],
    ['all values are distinct', distinct, [traced('a'), traced('b'), traced()], 'conforms'],
    [
      'two are equal except for upper and lower case',
      distinct,
      [traced('a'), traced('b'), traced('A')],
      'violates',
    ],
    ['a single value cannot be compared', distinct, [traced('a'), traced()], 'not-applicable'],
    ['empty values cannot be compared', distinct, [traced(''), traced('')], 'not-applicable'],
  ])('%s: $3', (_, members, exchanges, outcome) => {
    expect(judgeRequirement(requirement(members), exchanges, context).outcome).toBe(outcome);
  });
  test.each<[string, Readonly<Record<string, unknown>>, Exchange[], Finding]>([
    [
      'a repeated value once, with its count',
      distinct,
      ['a', 'a', 'b', 'a'].map(traced),
      { kind: 'repeats', place: 'header x-trace-id', value: 'a', times: 3 },
    ],
    [
      'a missing response',
      limit,
      [answered(200), answered(200)],
      { kind: 'never-happened', wanted: '429 rate_limit_exceeded', answers: 2 },
    ],
    [
      'a missing response with one of several codes',
      { asks: { some: { code: ['a', 'b'] } } },
      [answered(200)],
      { kind: 'never-happened', wanted: 'a or b', answers: 1 },
    ],
    [
      'a missing response by the kind of the expectation',
      { asks: { some: { type: 'a' } } },
      [answered(200)],
      { kind: 'never-happened', wanted: 'type', answers: 1 },
    ],
    ['an unwanted response', never, [answered(201)], { kind: 'happened', unwanted: '2xx', actual: 201 }],
    [
      'differing values',
      same,
      [typed(400, 'a'), answered(400)],
      { kind: 'differs', place: '/error/type', values: ['a', undefined] },
    ],
  ])('the finding names %s', (_, members, exchanges, finding) => {
    const { findings } = judgeRequirement(requirement(members), exchanges, context);
    expect(findings.map((item) => item.finding)).toEqual([finding]);
  });
});

describe('a verdict', () => {
  const same = { asks: { same: ['status'] } };
  const away = { asks: { at: '/a/b', is: {} } };
  test.each<[string, Readonly<Record<string, unknown>>, Exchange[], string, RegExp]>([
    [
      'a failed control',
      {},
      [answered(401, {}, afterBad)],
      'inconclusive',
      /401.* failed immediately afterwards/,
    ],
    ['no control', {}, [answered(503)], 'inconclusive', /503.* no control/],
    [
      'a transient response if all responses must be the same',
      same,
      [answered(400), answered(503)],
      'inconclusive',
      /503, which may be transient/,
    ],
    ['a response without the part', away, [answered(400)], 'inconclusive', /No response contains the part/],
    ['no matching response', {}, [], 'not-applicable', /No response matched/],
  ])('gives the reason for %s', (_, members, exchanges, outcome, reason) => {
    expect(judgeRequirement(requirement(members), exchanges, context)).toEqual({
      outcome,
      findings: [],
      reason: expect.stringMatching(reason),
    });
  });
  test('that conforms has no findings and no reason', () => {
    expect(judgeRequirement(requirement({}), [answered(400)], context)).toEqual({
      outcome: 'conforms',
      findings: [],
      reason: undefined,
    });
  });
  test('on the model list is not possible for a single case', () => {
    expect(() => requirement({ asks: { anyOf: [{ lists: 'good' }, { status: 400 }] } })).toThrow(
      '"a/b" needs the models of all calls',
    );
  });
  test('on the model list asks for a model if none is known', () => {
    const unknown = { ...context, goodModels: [] };
    expect(
      judgeRequirement(requirement({ over: 'operation', asks: { lists: 'good' } }), [answered(200)], unknown),
    ).toEqual({
      outcome: 'not-applicable',
      findings: [],
      reason: expect.stringContaining('model'),
      add: 'models.chat.good',
    });
    expect(judgeRequirement(requirement({}), [answered(400)], unknown).outcome).toBe('conforms');
    const listed = judgeRequirement(
      requirement({ over: 'operation', asks: { lists: 'good' } }),
      [answered(200, ['m-1'])],
      context,
    );
    expect(listed.outcome).toBe('conforms');
  });
});

test.each([
  [[], 'not-applicable'],
  [['conforms', 'not-applicable'], 'conforms'],
  [['conforms', 'inconclusive'], 'inconclusive'],
  [['warns', 'inconclusive'], 'warns'],
  [['warns', 'violates', 'conforms'], 'violates'],
] as const)('finds the worst outcome of %j: %s', (items, expected) => {
  expect(findWorstOutcome(items)).toBe(expected);
});
