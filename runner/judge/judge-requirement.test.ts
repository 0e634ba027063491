import { describe, expect, test } from 'vitest';
import { parseDataFile } from '../../contract/data-file.ts';
import { loadCatalog } from '../catalog/catalog.ts';
import { type Requirement, readRequirements } from '../catalog/requirements.ts';
import { readContent } from '../transport/decode.ts';
import type { Exchange, Result } from '../transport/exchange.ts';
import type { Finding } from './finding.ts';
import { judgeRequirement } from './judge-requirement.ts';
import { findWorstOutcome } from './outcome.ts';

const catalog = await loadCatalog();
const context = { catalog, unlistedModel: 'no-such-model', goodModels: ['m-1'] };

/** A requirement with these members over the simplest one; `asks` is its `then`. */
function requirement({ asks = { status: 400 }, ...members }: Readonly<Record<string, unknown>>): Requirement {
  const common = { id: 'a/b', clause: ['1'], level: 'must', says: 'It.', when: {}, ...members };
  const entry = Object.fromEntries([...Object.entries(common), ['then', asks]]);
  const file = parseDataFile('l.yaml', JSON.stringify({ requirements: [entry] }));
  const [read] = readRequirements([file], catalog.attributes, catalog.schemas).requirements;
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
/** An answer of which only the status could be read. */
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
const afterGood = { controlAfter: 'succeeded' } as const;
const afterBad = { controlAfter: 'failed' } as const;

describe('the exchanges of a case', () => {
  const transient = { transient: 'judged' };
  test.each<[string, Readonly<Record<string, unknown>>, Exchange[], string]>([
    ['that are right conform', {}, [answered(400), answered(400)], 'conforms'],
    ['of which one is wrong violate', {}, [answered(400), answered(200)], 'violates'],
    ['that break a should warn', { level: 'should' }, [answered(200)], 'warns'],
    ['that had no answer are inconclusive', {}, [unanswered()], 'inconclusive'],
    ['of which one had no answer are inconclusive', {}, [answered(400), unanswered()], 'inconclusive'],
    [
      'of which one is wrong violate, though another had no answer',
      {},
      [unanswered(), answered(200)],
      'violates',
    ],
    ['that were not sent are not applicable', {}, [], 'not-applicable'],
    [
      'without the part that is spoken of are inconclusive',
      { asks: { at: '/a/b', is: {} } },
      [answered(400)],
      'inconclusive',
    ],
    ['with 5xx that stays while a control succeeds violate', {}, [answered(500, {}, afterGood)], 'violates'],
    [
      'with 5xx that stays while a control fails are inconclusive',
      {},
      [answered(500, {}, afterBad)],
      'inconclusive',
    ],
    ['with 5xx and no control are inconclusive', {}, [answered(503)], 'inconclusive'],
    ['with 5xx that is due conform', { asks: { status: 500 } }, [answered(500)], 'conforms'],
    ['with 429 that stays are excused', {}, [answered(429, {}, afterGood)], 'inconclusive'],
    ['with 429 that stays violate where it is judged', transient, [answered(429, {}, afterGood)], 'violates'],
    ['with 429 that is judged need a control too', transient, [answered(429)], 'inconclusive'],
    [
      'with a wrong answer beside a failed control are inconclusive',
      {},
      [answered(401, {}, afterBad)],
      'inconclusive',
    ],
    ['with a right answer beside a failed control conform', {}, [answered(400, {}, afterBad)], 'conforms'],
  ])('%s', (_, members, exchanges, outcome) => {
    expect(judgeRequirement(requirement(members), exchanges, context).outcome).toBe(outcome);
  });
  test('are named by their findings, and reasons say what came', () => {
    const wrong = answered(200);
    expect(judgeRequirement(requirement({}), [answered(400), wrong], context)).toEqual({
      outcome: 'violates',
      findings: [{ exchange: wrong.id, finding: { kind: 'wrong-status', expected: '400', actual: 200 } }],
      reason: undefined,
    });
    expect(judgeRequirement(requirement({}), [unanswered()], context).reason).toBe(
      'No response: the connection was reset.',
    );
    expect(judgeRequirement(requirement({}), [answered(429, {}, afterGood)], context).reason).toMatch(
      /^Every response was 429/,
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
    ['is kept by all of which it speaks', pooled, [good(), good()], 'conforms'],
    ['is broken by one', pooled, [good(), bad(401)], 'violates'],
    ['speaks of its statuses alone', pooled, [good(), bad(404)], 'conforms'],
    [
      'speaks of its attributes alone',
      pooled,
      [good(), bad(400, { surface: 'billing', streamed: 'false' })],
      'conforms',
    ],
    [
      'speaks of no exchange whose attributes are unknown',
      pooled,
      [good(), bad(400, { surface: 'model' })],
      'conforms',
    ],
    ['is not applicable where nothing is spoken of', pooled, [bad(404)], 'not-applicable'],
    [
      'excuses no body, whatever the control says',
      pooled,
      [answered(400, { error: 'x' }, { attributes, ...afterBad })],
      'violates',
    ],
    ['passes over exchanges without an answer', pooled, [good(), unanswered()], 'conforms'],
    [
      'speaks of types where it asks for them',
      { ...pooled, when: { answer: { type: 'a' } } },
      [good(), bad()],
      'not-applicable',
    ],
    [
      'is broken by a type of which it speaks',
      { over: 'run', when: { answer: { type: 'a' } } },
      [answered(401, { error: { type: 'a' } }), answered(401, { error: { type: 'b' } })],
      'violates',
    ],
    [
      'speaks of no place at which no text stands',
      { over: 'run', when: { answer: { string: '/error' } } },
      [answered(401, { error: {} })],
      'not-applicable',
    ],
    [
      'passes over a body that can not be read',
      pooled,
      [good(), unreadable(400, { attributes })],
      'conforms',
    ],
    [
      'speaks of texts where it asks for them',
      { ...pooled, when: { answer: { string: '/error' } } },
      [good(), bad()],
      'violates',
    ],
  ])('%s', (_, members, exchanges, outcome) => {
    expect(judgeRequirement(requirement(members), exchanges, context).outcome).toBe(outcome);
  });
});

describe('of several exchanges', () => {
  const limit = { asks: { some: { status: 429, code: 'rate_limit_exceeded' } } };
  const never = { asks: { none: { status: '2xx' } } };
  const same = { asks: { same: ['status', '/error/type'] } };
  const typed = (status: number, type: string, more = {}): Exchange =>
    answered(status, { error: { type } }, more);
  const distinct = { over: 'run', asks: { distinct: 'header x-trace-id' } };
  const traced = (id?: string): Exchange =>
    answered(400, {}, id === undefined ? {} : { headers: { 'x-trace-id': id } });
  test.each<[string, Readonly<Record<string, unknown>>, Exchange[], string]>([
    [
      'some must be: one is',
      limit,
      [answered(200), answered(429, { error: { code: 'rate_limit_exceeded' } })],
      'conforms',
    ],
    ['some must be: none is', limit, [answered(200), answered(200)], 'violates'],
    ['some must be: one is nearly', limit, [answered(429, '')], 'violates'],
    ['some must be: none was answered', limit, [unanswered()], 'inconclusive'],
    ['none may be: none is', never, [answered(400), answered(401)], 'conforms'],
    ['none may be: one is', never, [answered(400), answered(200)], 'violates'],
    ['some must be: one can not be read', limit, [answered(200), unreadable(429)], 'inconclusive'],
    ['none may be: none was answered', never, [unanswered()], 'inconclusive'],
    ['none may be: one was not answered', never, [answered(400), unanswered()], 'inconclusive'],
    ['none may be: one is, another was not answered', never, [unanswered(), answered(200)], 'violates'],
    [
      'none may be: one can not be read',
      { asks: { none: { type: 'a' } } },
      [unreadable(400)],
      'inconclusive',
    ],
    ['all are the same', same, [typed(400, 'a'), typed(400, 'a')], 'conforms'],
    ['one has another status', same, [typed(400, 'a'), typed(401, 'a')], 'violates'],
    ['one has another type', same, [typed(400, 'a'), typed(400, 'b')], 'violates'],
    ['one lacks the type', same, [typed(400, 'a'), answered(400)], 'violates'],
    ['one is a passing condition', same, [typed(400, 'a'), typed(503, 'a')], 'inconclusive'],
    ['one had no answer', same, [typed(400, 'a'), unanswered()], 'inconclusive'],
    ['all are distinct', distinct, [traced('a'), traced('b'), traced()], 'conforms'],
    ['two are the same, case aside', distinct, [traced('a'), traced('b'), traced('A')], 'violates'],
    ['one alone can not be compared', distinct, [traced('a'), traced()], 'not-applicable'],
    ['what is empty can not be compared', distinct, [traced(''), traced('')], 'not-applicable'],
  ])('%s', (_, members, exchanges, outcome) => {
    expect(judgeRequirement(requirement(members), exchanges, context).outcome).toBe(outcome);
  });
  test.each<[string, Readonly<Record<string, unknown>>, Exchange[], Finding]>([
    [
      'what repeats, once and how often',
      distinct,
      ['a', 'a', 'b', 'a'].map(traced),
      { kind: 'repeats', place: 'header x-trace-id', value: 'a', times: 3 },
    ],
    [
      'what never happened',
      limit,
      [answered(200), answered(200)],
      { kind: 'never-happened', wanted: '429 rate_limit_exceeded', answers: 2 },
    ],
    [
      'what never happened, of several codes',
      { asks: { some: { code: ['a', 'b'] } } },
      [answered(200)],
      { kind: 'never-happened', wanted: 'a or b', answers: 1 },
    ],
    [
      'what never happened, by its kind',
      { asks: { some: { type: 'a' } } },
      [answered(200)],
      { kind: 'never-happened', wanted: 'type', answers: 1 },
    ],
    ['what happened', never, [answered(201)], { kind: 'happened', unwanted: '2xx', actual: 201 }],
    [
      'what differs',
      same,
      [typed(400, 'a'), answered(400)],
      { kind: 'differs', place: '/error/type', values: ['a', undefined] },
    ],
  ])('it is said %s', (_, members, exchanges, finding) => {
    const { findings } = judgeRequirement(requirement(members), exchanges, context);
    expect(findings.map((item) => item.finding)).toEqual([finding]);
  });
});

describe('a verdict', () => {
  const same = { asks: { same: ['status'] } };
  const away = { asks: { at: '/a/b', is: {} } };
  test.each<[string, Readonly<Record<string, unknown>>, Exchange[], string, RegExp]>([
    ['a failed control', {}, [answered(401, {}, afterBad)], 'inconclusive', /401.* failed right after it/],
    ['no control', {}, [answered(503)], 'inconclusive', /503.* no control/],
    [
      'a transient response if all responses must be the same',
      same,
      [answered(400), answered(503)],
      'inconclusive',
      /503, which may be transient/,
    ],
    ['a response without the part', away, [answered(400)], 'inconclusive', /No response has the part/],
    ['no response that it applies to', {}, [], 'not-applicable', /No response matched/],
  ])('gives the reason for %s', (_, members, exchanges, outcome, reason) => {
    expect(judgeRequirement(requirement(members), exchanges, context)).toEqual({
      outcome,
      findings: [],
      reason: expect.stringMatching(reason),
    });
  });
  test('that holds says nothing more', () => {
    expect(judgeRequirement(requirement({}), [answered(400)], context)).toEqual({
      outcome: 'conforms',
      findings: [],
      reason: undefined,
    });
  });
  test('of a list is no verdict on a single case, which knows no other calls', () => {
    expect(() => requirement({ asks: { anyOf: [{ lists: 'good' }, { status: 400 }] } })).toThrow(
      '"a/b" needs the models of all calls',
    );
  });
  test('of a list asks for a model where none is known, and of nothing else', () => {
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
] as const)('the worst of %j is %s', (items, expected) => {
  expect(findWorstOutcome(items)).toBe(expected);
});
