import { describe, expect, test } from 'vitest';
import { parseDataFile } from '../../common/data-file.ts';
import { catalogOfPackage } from '../catalog/catalog.ts';
import type { Attributes } from '../catalog/condition.ts';
import type { OperationId } from '../catalog/operations.ts';
import { type Requirement, readRequirements } from '../catalog/requirements.ts';
import { type Control, createControls, type Execution } from '../evidence/controls.ts';
import { readContent } from '../exchange/decode.ts';
import type { Exchange, Result } from '../exchange/exchange.ts';
import type { PlannedCase } from '../plan/plan.ts';
import { createEverythingProfile } from '../profile/everything-profile.ts';
import { createPromise } from '../profile/promise.ts';
import { type JudgedCase, judgeCases } from './judge-cases.ts';

const catalog = await catalogOfPackage();
const promise = createPromise(catalog, createEverythingProfile(catalog));
const context = { promise, controlCases: [], unlistedModel: 'no-such-model', goodModels: ['m-1'] };

/**
 * Creates a requirement with these members. `asks` is the member `then` of the requirement, by default a status 400.
 */
function requirement({ asks = { status: 400 }, ...members }: Readonly<Record<string, unknown>>): Requirement {
  const common = { id: 'a/b', clause: ['1'], level: 'must', says: 'It.', when: {}, ...members };
  const entry = Object.fromEntries([...Object.entries(common), ['then', asks]]);
  const [read] = readRequirements(
    [parseDataFile('l.yaml', JSON.stringify({ requirements: [entry] }))],
    promise.attributes,
    promise.schemas,
  ).requirements;
  if (!read) throw new Error('no requirement');
  return read;
}

function resultOf(status: number | undefined, body: unknown): Result {
  if (status === undefined) return { kind: 'failure', failure: { reason: 'reset', detail: 'it was reset' } };
  const text = JSON.stringify(body);
  const content = readContent(text);
  return { kind: 'answer', answer: { status, headers: {}, text, size: text.length, content, pieces: 1 } };
}
/** Creates an exchange with this status, or without a response if the status is undefined. */
function sent(
  status: number | undefined,
  more: Partial<Exchange> & { readonly body?: unknown } = {},
): Exchange {
  const { body = {}, ...rest } = more;
  return {
    id: 'x#1',
    attributes: { operation: 'chat' },
    model: undefined,
    request: { method: 'GET', path: '/', headers: {}, body: undefined },
    result: resultOf(status, body),
    startedAt: 0,
    durationMs: 0,
    earlier: [],
    controlAfter: undefined,
    ...rest,
  };
}

interface CaseGiven extends Partial<PlannedCase> {
  /** Attributes that replace the attributes of a call with the valid key. */
  readonly of?: Attributes;
  readonly asks?: Readonly<Record<string, unknown>>;
}
/** Creates a case, by default with one step and one requirement that applies to all steps. */
function caseOf({ of = {}, asks = {}, ...more }: CaseGiven): PlannedCase {
  const usual = { operation: 'chat', header: 'any', key: 'good', accepted: 'true', model: 'good' };
  const attributes = Object.fromEntries(
    Object.entries({ ...usual, ...of }).filter(([, value]) => value !== '-'),
  );
  const steps = more.steps ?? [{ attributes, control: false, expects: [] }];
  return {
    id: 'c',
    suite: 's',
    about: 'A.',
    phase: 'requests',
    alone: false,
    attributes,
    steps,
    checks: [{ requirement: requirement(asks), steps: [...steps.keys()] }],
    observes: [],
    pool: undefined,
    notApplicable: undefined,
    ...more,
  };
}

interface RunGiven extends Partial<Omit<Execution, 'controls' | 'incomplete'>> {
  readonly plain?: Partial<Record<OperationId, Control>>;
  readonly streamed?: Partial<Record<OperationId, Control>>;
  readonly headers?: readonly string[];
  readonly lockedOut?: readonly OperationId[];
  /** The status with which the gateway later rejected the valid key in a control of the chat operation. */
  readonly rejected?: number;
  /** The reason why a part of the case was not sent. */
  readonly cut?: string;
}
const idsOf = (value: object) => Object.keys(value) as OperationId[];
/** Creates a run with these exchanges of the case, after these controls. */
function runOf(own: readonly Exchange[], given: RunGiven): Execution {
  const {
    plain = { chat: good },
    streamed = {},
    headers = [],
    lockedOut = [],
    rejected,
    cut,
    ...more
  } = given;
  const controls = createControls();
  for (const id of idsOf(plain)) if (plain[id]) controls.plain.set(id, plain[id]);
  for (const id of idsOf(streamed)) if (streamed[id]) controls.streamed.set(id, streamed[id]);
  for (const header of headers) controls.headers.add(header);
  for (const id of lockedOut)
    controls.lockedOut.set(id, sent(403, { attributes: { key: 'good', accepted: 'true' } }));
  if (rejected !== undefined) controls.rejected.set('chat', sent(rejected));
  const incomplete = new Map(cut === undefined ? [] : [['c', cut]]);
  return {
    exchanges: new Map([['c', own]]),
    others: [],
    controls,
    incomplete,
    leftovers: [],
    stopped: undefined,
    ...more,
  };
}

const good: Control = {
  kind: 'succeeded',
  header: 'bearer',
  step: { attributes: {}, control: true, expects: [] },
};
const failed: Control = { kind: 'failed', exchange: sent(500) };
const absent: Control = { kind: 'absent', exchange: sent(404) };
const unoffered: Control = { kind: 'not-offered' };
const unknown: Control = { kind: 'no-model' };
const stopped = { kind: 'time', reason: 'The time is up.' } as const;

function judged(item: CaseGiven, own: readonly Exchange[], run: RunGiven = {}): JudgedCase {
  const [only] = judgeCases({ cases: [caseOf(item)] }, runOf(own, run), context);
  if (!only) throw new Error('nothing judged');
  return only;
}
type Row = [string, CaseGiven, readonly Exchange[], RunGiven, string];
/** Formats the outcome, the exchanges of the findings, the property to add and the reason as one text. */
function formatOutcome({ outcome, checks }: JudgedCase): string {
  const [first] = checks;
  const { add, reason, findings = [] } = first?.verdict ?? {};
  expect(first?.verdict.outcome).toBe(outcome);
  return [outcome, ...findings.map(({ exchange }) => `at ${exchange}`), add, reason]
    .filter(Boolean)
    .join(' | ');
}
function rows(title: string, table: Row[]): void {
  describe(title, () => {
    test.each(table)('%s', (_, item, own, run, expected) => {
      expect(formatOutcome(judged(item, own, run))).toBe(expected);
    });
  });
}

const noChat =
  'inconclusive | No valid call to the operation `chat` succeeded, so the other responses of this operation cannot be judged.';
const nowhere = 'inconclusive | No control succeeded.';
const unofferedChat =
  'not-applicable | operations.chat | The profile does not state the request of `chat`, and no call to its default path succeeded.';
const unknownChat = 'not-applicable | models.chat.good | No model that chat can call is known.';
const absentChat = 'not-applicable | The endpoint of `chat` does not exist.';
const notSent = 'inconclusive | Not all requests of the case were sent.';
const locked =
  'inconclusive | After requests with wrong keys, a valid request failed too. The gateway may have blocked this address.';

const inHeader = (header: string) => ({
  attributes: { operation: 'chat', header, key: 'good', accepted: 'true' },
  control: false,
  expects: [],
});
rows('a case', [
  ['is judged if the control succeeded', {}, [sent(400)], {}, 'conforms'],
  ['names the exchange that violates the requirement', {}, [sent(200)], {}, 'violates | at x#1'],
  [
    'that needs a missing property of the profile names the property',
    { notApplicable: { reason: 'No.', add: 'keys.deleted' } },
    [],
    {},
    'not-applicable | keys.deleted | No.',
  ],
  [
    'without a successful control is inconclusive',
    {},
    [sent(400)],
    { plain: { chat: failed, models: good } },
    noChat,
  ],
  [
    'of several operations names the operation without a successful control',
    {
      steps: ['chat', 'models'].map((operation) => ({
        attributes: { operation },
        control: false,
        expects: [],
      })),
    },
    [],
    { plain: { chat: good, models: failed } },
    'inconclusive | No valid call to the operation `models` succeeded, so the other responses of this operation cannot be judged.',
  ],
  [
    'of a stream without a successful streamed control is inconclusive',
    { of: { streamed: 'true' } },
    [sent(400)],
    { streamed: { chat: failed } },
    'inconclusive | No valid streamed call to the operation `chat` succeeded, so the other streamed responses of this operation cannot be judged.',
  ],
  [
    'without a stream is judged if only the streamed control fails',
    {},
    [sent(400)],
    { streamed: { chat: failed } },
    'conforms',
  ],
  [
    'with a key that no operation accepts is inconclusive',
    {},
    [sent(400)],
    { plain: { chat: failed } },
    nowhere,
  ],
  [
    'after the end of a run has the reason of the end',
    {},
    [],
    { plain: {}, stopped },
    'inconclusive | The time is up.',
  ],
  [
    'of a guessed operation that does not exist is not applicable',
    {},
    [],
    { plain: { chat: unoffered } },
    unofferedChat,
  ],
  ['without a model is not applicable', {}, [], { plain: { chat: unknown } }, unknownChat],
  [
    'of a stream without a model names the model of the plain operation',
    { of: { operation: 'streamGenerate' } },
    [],
    { plain: { streamGenerate: unknown } },
    'not-applicable | models.generate.good | No model that streamGenerate can call is known.',
  ],
  ['of an absent endpoint is not applicable', {}, [], { plain: { chat: absent, models: good } }, absentChat],
  [
    'of an absent endpoint is inconclusive without an accepted key',
    {},
    [],
    { plain: { chat: absent } },
    nowhere,
  ],
  [
    'of an absent streamed operation is not applicable',
    { of: { streamed: 'true' } },
    [],
    { streamed: { chat: absent } },
    absentChat,
  ],
  [
    'in a header that is not accepted is inconclusive',
    { of: { header: 'x-api-key' } },
    [sent(400)],
    { headers: ['chat bearer'] },
    'inconclusive | chat does not accept the valid key in x-api-key.',
  ],
  [
    'in a header that is accepted is judged',
    { of: { header: 'bearer' } },
    [sent(400)],
    { headers: ['chat bearer'] },
    'conforms',
  ],
  [
    'without a stream is inconclusive if the plain control fails and the streamed operation is absent',
    {},
    [sent(400)],
    { plain: { chat: failed, models: good }, streamed: { chat: absent } },
    noChat,
  ],
  [
    'in several headers is inconclusive if one is not accepted',
    { of: inHeader('x-api-key').attributes, steps: [inHeader('bearer'), inHeader('x-api-key')] },
    [sent(400), sent(400)],
    { headers: ['chat bearer'] },
    'inconclusive | chat does not accept the valid key in x-api-key.',
  ],
  [
    'of no operation is judged if an operation accepted the key',
    { of: { operation: 'none' } },
    [sent(400)],
    {},
    'conforms',
  ],
  [
    'of no operation is inconclusive without an accepted key',
    { of: { operation: '-' } },
    [sent(400)],
    { plain: {} },
    nowhere,
  ],
  [
    'with a mismatched model that the profile does not name is not applicable',
    { of: { model: 'mismatched' } },
    [],
    {},
    'not-applicable | models.chat.mismatched | The profile has no mismatched model.',
  ],
  [
    'with a mismatched model that was sent is judged',
    { of: { model: 'mismatched' } },
    [sent(400)],
    {},
    'conforms',
  ],
  [
    'with a mismatched model after the end of a run has the reason of the end',
    { of: { model: 'mismatched' } },
    [],
    { stopped },
    'inconclusive | The time is up.',
  ],
  ['without exchanges is inconclusive', {}, [], {}, notSent],
]);

const step = { attributes: { operation: 'chat' }, control: false, expects: [] };
const twice = { steps: [step, step] };
const second = { ...twice, checks: [{ requirement: requirement({}), steps: [1] }] };
rows('a case of several steps', [
  ['is judged by the steps that the requirement applies to', second, [sent(200), sent(400)], {}, 'conforms'],
  ['that was interrupted is not judged', twice, [sent(400)], {}, notSent],
  [
    'that was interrupted has the reason',
    twice,
    [sent(400)],
    { cut: 'The model went away.' },
    'inconclusive | The model went away.',
  ],
  [
    'that was interrupted by the end of a run has the reason of the end',
    twice,
    [sent(400)],
    { stopped },
    'inconclusive | The time is up.',
  ],
  ['that was interrupted violates if a sent step violates', twice, [sent(200)], {}, 'violates | at x#1'],
  [
    'that was interrupted warns if a sent step warns',
    { ...twice, asks: { level: 'should' } },
    [sent(200)],
    {},
    'warns | at x#1',
  ],
]);

describe('a check that depends on a reported violation', () => {
  const control = (of: Attributes): PlannedCase =>
    caseOf({
      id: 'control',
      phase: 'controls',
      of: { streamed: 'false', ...of },
      asks: { id: 'a/control', asks: { status: '2xx' }, needs: 'key' },
    });
  const judgedWith = (
    item: CaseGiven,
    own: readonly Exchange[],
    run: RunGiven,
    first: Attributes,
    status: number,
  ) => {
    const controlCase = control(first);
    const execution = runOf(own, run);
    const exchanges = new Map([...execution.exchanges, ['control', [sent(status)]]]);
    const [only] = judgeCases(
      { cases: [caseOf(item)] },
      { ...execution, exchanges },
      {
        ...context,
        controlCases: [controlCase],
      },
    );
    return only?.checks[0]?.verdict;
  };
  test.each<[string, CaseGiven, RunGiven, Attributes, string]>([
    [
      'a header in which the valid key is not accepted',
      { of: { header: 'x-api-key' } },
      { headers: ['chat bearer'] },
      { header: 'x-api-key' },
      'chat does not accept the valid key in x-api-key. See the requirement a/control.',
    ],
    [
      'an operation without a successful control',
      { of: { operation: 'models' } },
      { plain: { chat: good, models: { ...failed, kind: 'refused' } } },
      { operation: 'models', header: 'bearer' },
      'No valid call to the operation `models` succeeded. See the requirement a/control.',
    ],
    [
      'a streamed call that fails',
      { of: { streamed: 'true' } },
      { streamed: { chat: { ...failed, kind: 'refused' } } },
      { streamed: 'true' },
      'No valid streamed call to the operation `chat` succeeded. See the requirement a/control.',
    ],
    [
      'an endpoint that does not exist',
      {},
      { plain: { chat: absent, models: good } },
      { header: 'bearer' },
      'The endpoint of `chat` does not exist. See the requirement a/control.',
    ],
  ])('does not apply: %s', (_, item, run, first, reason) => {
    expect(judgedWith(item, [sent(400)], run, first, 401)).toEqual({
      outcome: 'not-applicable',
      findings: [],
      reason,
      dependsOn: 'a/control',
    });
  });
  test('stays inconclusive if the response to the control was 429', () => {
    const run = { headers: ['chat bearer'] };
    const item = { of: { header: 'x-api-key' } };
    const verdict = judgedWith(item, [sent(400)], run, { header: 'x-api-key' }, 429);
    expect(verdict).toMatchObject({ outcome: 'inconclusive' });
  });
  test('stays inconclusive if the violation belongs to another header or operation', () => {
    const run = { headers: ['chat bearer'] };
    const item = { of: { header: 'x-api-key' } };
    const others: Attributes[] = [{ header: 'bearer' }, { header: 'x-api-key', operation: 'models' }];
    for (const other of others)
      expect(judgedWith(item, [sent(400)], run, other, 401)).toMatchObject({ outcome: 'inconclusive' });
  });
  test('is not applicable to a response that violates another requirement', () => {
    const status = { requirement: requirement({ id: 'a/status' }), steps: [0, 1] };
    const same = { requirement: requirement({ id: 'a/same', asks: { same: 'status' } }), steps: [0, 1] };
    const failing = sent(500, { controlAfter: 'succeeded' });
    const steps = [step, step];
    const [, second] = judged({ steps, checks: [status, same] }, [failing, failing]).checks;
    expect(second?.verdict).toMatchObject({ outcome: 'not-applicable', dependsOn: 'a/status' });
    const [alone] = judged({ steps, checks: [same] }, [failing, failing]).checks;
    expect(alone?.verdict).toMatchObject({ outcome: 'inconclusive' });
  });
  test('of a `must` stays inconclusive if the response violates only a `should`', () => {
    const status = { requirement: requirement({ id: 'a/status', level: 'should' }), steps: [0, 1] };
    const same = { requirement: requirement({ id: 'a/same', asks: { same: 'status' } }), steps: [0, 1] };
    const failing = sent(500, { controlAfter: 'succeeded' });
    const item = { steps: [step, step], checks: [status, same] };
    const outcomes = judged(item, [failing, failing]).checks.map(({ verdict }) => verdict.outcome);
    expect(outcomes).toEqual(['warns', 'inconclusive']);
  });
});

describe('a requirement that depends on others', () => {
  const { requirements } = promise;
  const pooled = { id: 'pooled/operation/operation=chat', phase: 'pooled', steps: [] } as const;
  const attributes = {
    ...{
      operation: 'chat',
      surface: 'model',
      streamed: 'false',
      method: 'documented',
      family: 'A',
      accept: 'json',
    },
  };
  const verdictOf = (id: string, body: object) => {
    const own = requirements.find((item) => item.id === id);
    if (!own) throw new Error(`The requirement ${id} does not exist.`);
    const item = { ...pooled, pool: { over: 'operation', operation: 'chat' } } as const;
    return judged({ ...item, checks: [{ requirement: own, steps: [] }] }, [sent(400, { body, attributes })])
      .checks[0]?.verdict;
  };
  test.each([
    ['model-error/trace-id-uuid', { error: {} }, 'model-error/trace-id-present'],
    ['model-error/message-not-empty', { error: 'text' }, 'model-error/error-object'],
    ['model-error/code-equals-status', { error: { code: '400' } }, 'model-error/code-integer'],
  ])('%s does not apply to %j, which violates %s', (id, body, dependsOn) => {
    expect(verdictOf(id, body)).toMatchObject({ outcome: 'not-applicable', dependsOn });
  });
  test('is judged if all requirements on which the judgement depends are satisfied', () => {
    expect(verdictOf('model-error/trace-id-uuid', { trace_id: 7 })).toMatchObject({ outcome: 'violates' });
  });
});

const bad = { phase: 'bad-keys', of: { key: 'unknown' } } as const;
const out = { lockedOut: ['chat'] } as const;
rows('a case with a wrong key', [
  ['is judged', bad, [sent(400)], {}, 'conforms'],
  ['is inconclusive if the valid key is rejected afterwards', bad, [sent(400)], out, locked],
  [
    'is judged if another operation rejects the valid key',
    bad,
    [sent(400)],
    { lockedOut: ['models'] },
    'conforms',
  ],
  [
    'violates if the wrong key is accepted, even if the valid key is rejected afterwards',
    bad,
    [sent(200)],
    out,
    'violates | at x#1',
  ],
  [
    'of no operation is judged even if an operation rejects the valid key afterwards',
    { ...bad, of: { operation: '-', key: 'unknown' } },
    [sent(400)],
    out,
    'conforms',
  ],
  [
    'of several steps violates if the key is accepted in one step',
    { ...bad, steps: [step, step] },
    [sent(200), sent(400)],
    out,
    'violates | at x#1',
  ],
  [
    'of several operations is inconclusive if one operation rejects the valid key afterwards',
    { ...bad, steps: [step, { attributes: { operation: 'models' }, control: false, expects: [] }] },
    [sent(400), sent(400)],
    { ...out, plain: { chat: good, models: good } },
    locked,
  ],
  [
    'after which the valid key is rejected does not affect a case of the phase `requests`',
    {},
    [sent(400)],
    out,
    'conforms',
  ],
]);

const valid = { attributes: { operation: 'chat', key: 'good', accepted: 'true' } } as const;
const rejection = (status: number, controlAfter: Exchange['controlAfter'], more = {}): Exchange =>
  sent(status, { ...valid, controlAfter, ...more });
const invalid =
  'inconclusive | The gateway accepted the key `keys.valid` at first, but later rejected the key in a control too (401). The key may have been deleted, or may have expired or run out of credit.';
const unproven =
  'inconclusive | The response was 401, and a previously successful control failed immediately afterwards.';
const sameStatus = { asks: { asks: { same: ['status'] } } } as const;
rows('a case in which the valid key is rejected', [
  ['violates if a control succeeded afterwards', {}, [rejection(401, 'succeeded')], {}, 'violates | at x#1'],
  ['is inconclusive if a control was rejected', {}, [rejection(401, 'failed')], { rejected: 401 }, invalid],
  ['is inconclusive if a control failed in another way', {}, [rejection(401, 'failed')], {}, unproven],
  [
    'is inconclusive if the run stopped',
    {},
    [rejection(403, undefined)],
    { stopped },
    'inconclusive | The time is up.',
  ],
  [
    'conforms if the rejection is expected',
    { asks: { asks: { status: 401 } } },
    [rejection(401, 'failed')],
    { rejected: 401 },
    'conforms',
  ],
  [
    'violates if another response is wrong',
    twice,
    [sent(200), rejection(401, 'failed', { id: 'x#2' })],
    { rejected: 401 },
    'violates | at x#1',
  ],
  [
    'is inconclusive if only the rejected response differs from the others',
    { ...twice, ...sameStatus },
    [sent(400), rejection(401, 'failed', { id: 'x#2' })],
    { rejected: 401 },
    invalid,
  ],
  [
    'with a wrong key is inconclusive because of the valid key',
    bad,
    [sent(400)],
    { ...out, rejected: 401 },
    invalid,
  ],
]);

const burst = { phase: 'burst', of: { burst: 'true' }, asks: { asks: { some: { status: 429 } } } } as const;
rows('a burst', [
  ['is judged by all of its requests', burst, [sent(200), sent(429)], {}, 'conforms'],
  ['after a rejection of the valid key is inconclusive', burst, [sent(401)], { rejected: 401 }, invalid],
  ['without a 429 violates', burst, [sent(200), sent(200, { id: 'x#2' })], {}, 'violates | at x#2'],
  [
    'that was not sent completely is inconclusive without a 429',
    burst,
    [sent(200)],
    { cut: 'It was slow.' },
    'inconclusive | It was slow.',
  ],
  [
    'that was not sent completely conforms with a 429',
    burst,
    [sent(429)],
    { cut: 'It was slow.' },
    'conforms',
  ],
  ['is inconclusive if the valid key is rejected after wrong keys', burst, [sent(429)], out, locked],
]);

const control = { phase: 'controls', of: { header: 'bearer' } } as const;
const stream = { phase: 'controls', of: { operation: 'streamGenerate' } } as const;
const streamHeader = { phase: 'controls', of: { operation: 'streamGenerate', header: 'bearer' } } as const;
const needs = (of: string) => ({ ...control, asks: { needs: of } });
const elsewhere = { plain: { chat: failed, models: good } };
const away = { plain: { chat: absent, models: good } };
const refused = 'inconclusive | No valid call to the operation `chat` succeeded with any header.';
rows('a control', [
  ['that succeeded is judged', control, [sent(400)], {}, 'conforms'],
  ['of no operation is judged', { ...control, of: { operation: '-' } }, [sent(400)], {}, 'conforms'],
  [
    'of a guessed operation that does not exist is not applicable',
    control,
    [sent(400)],
    { plain: { chat: unoffered } },
    unofferedChat,
  ],
  ['without a model is not applicable', control, [], { plain: { chat: unknown } }, unknownChat],
  [
    'that was not sent names the plain call',
    control,
    [],
    {},
    'inconclusive | No plain call to chat succeeded.',
  ],
  ['that was not sent is not applicable for an absent endpoint', control, [], away, absentChat],
  [
    'that was not sent is inconclusive if no operation accepts the key',
    control,
    [],
    { plain: { chat: absent } },
    'inconclusive | No plain call to chat succeeded.',
  ],
  [
    'that was not sent has the reason of the end of the run',
    control,
    [],
    { stopped },
    'inconclusive | The time is up.',
  ],
  [
    'with a key that no operation accepts is inconclusive',
    needs('key'),
    [sent(400)],
    { plain: { chat: failed } },
    nowhere,
  ],
  [
    'with a key that no operation accepts has the reason of the end',
    control,
    [sent(400)],
    { plain: {}, stopped },
    'inconclusive | The time is up.',
  ],
  [
    'of an operation without a successful call is inconclusive',
    control,
    [sent(400)],
    { plain: { models: good } },
    refused,
  ],
  ['that failed is inconclusive', control, [sent(400)], elsewhere, refused],
  ['that failed is judged if only the key is needed', needs('key'), [sent(400)], elsewhere, 'conforms'],
  [
    'that failed is judged if only the endpoint is needed',
    needs('endpoint'),
    [sent(400)],
    elsewhere,
    'conforms',
  ],
  ['of an absent endpoint is not applicable', control, [sent(400)], away, absentChat],
  [
    'of an absent endpoint is not applicable if the endpoint is needed',
    needs('endpoint'),
    [sent(400)],
    away,
    absentChat,
  ],
  ['of an absent endpoint is judged if only the key is needed', needs('key'), [sent(400)], away, 'conforms'],
  [
    'of a stream is judged if the plain call succeeded',
    stream,
    [sent(400)],
    { plain: { streamGenerate: failed, generate: good } },
    'conforms',
  ],
  [
    'of a stream is inconclusive if the plain call failed',
    stream,
    [sent(400)],
    { plain: { streamGenerate: good, generate: failed } },
    'inconclusive | No valid call to the operation `streamGenerate` succeeded with any header.',
  ],
  [
    'of a stream in a given header is judged if the streamed call succeeded',
    streamHeader,
    [sent(400)],
    { plain: { streamGenerate: good, generate: failed } },
    'conforms',
  ],
]);

const over = { over: 'operation', when: { answer: { status: '4xx' } } };
const pool = { phase: 'pooled', pool: { over: 'operation', operation: 'chat' }, asks: over } as const;
const whole = {
  phase: 'pooled',
  pool: { over: 'run', operation: undefined },
  asks: { ...over, over: 'run' },
} as const;
const models = { id: 'm#1', attributes: { operation: 'models' } };
rows('a pooled case', [
  ['judges the exchanges of its operation', pool, [sent(400), sent(404, models)], {}, 'conforms'],
  ['of the run judges all exchanges', whole, [sent(400), sent(404, models)], {}, 'violates | at m#1'],
  [
    'judges attempts that belong to no case',
    pool,
    [sent(400)],
    { others: [sent(404, { id: 'o#1' })] },
    'violates | at o#1',
  ],
  [
    'judges earlier attempts, and names each by its own ID',
    pool,
    [sent(400, { earlier: [resultOf(429, {}), resultOf(400, {})] })],
    {},
    'violates | at x#1~1',
  ],
  [
    'that is not applicable in the plan stays not applicable',
    { ...pool, notApplicable: { reason: 'No.', add: 'a.b' } },
    [sent(404)],
    {},
    'not-applicable | a.b | No.',
  ],
  [
    'of a guessed operation that does not exist is not applicable',
    pool,
    [sent(404)],
    { plain: { chat: unoffered } },
    unofferedChat,
  ],
  ['without a model is not applicable', pool, [sent(404)], { plain: { chat: unknown } }, unknownChat],
  [
    'without a matching response is not applicable',
    pool,
    [sent(200)],
    {},
    'not-applicable | No response matched this requirement.',
  ],
  [
    'without a matching response is inconclusive if no call succeeded',
    pool,
    [sent(200)],
    { plain: {} },
    'inconclusive | No control succeeded.',
  ],
  [
    'without a matching response has the reason of the end of the run',
    whole,
    [],
    { stopped },
    'inconclusive | The time is up.',
  ],
  [
    'is judged by the existing exchanges if the run was stopped',
    pool,
    [sent(404)],
    { stopped },
    'violates | at x#1',
  ],
  [
    'with too few responses to compare is not applicable',
    { ...whole, asks: { over: 'run', asks: { distinct: '/id' } } },
    [sent(400, { body: { id: 'a' } })],
    { stopped },
    'not-applicable | Fewer than two responses contain the part that this requirement compares.',
  ],
]);

describe('a 429 to an account without a balance', () => {
  const attributes = {
    ...{ operation: 'chat', family: 'A', header: 'any', key: 'depleted', accepted: 'true', model: 'good' },
    ...{ request: 'valid', streamed: 'false', accept: 'json', lifecycle: 'none' },
  };
  const call = (id: string, status: number, body: unknown): Exchange =>
    sent(status, { id: `${id}#1`, attributes, body, controlAfter: 'succeeded' });
  const limited = call('c', 429, {});
  const found = promise.requirements.find(({ id }) => id === 'balance/family-a');
  const outcomeOf = (own: Exchange, other?: Exchange): string | undefined => {
    if (!found) throw new Error('no requirement');
    const item = { ...caseOf({ of: attributes }), checks: [{ requirement: found, steps: [0] }] };
    const run = runOf([own], { others: other ? [other] : [] });
    return judgeCases({ cases: [item] }, run, context)[0]?.outcome;
  };
  test.each<[string, Exchange, Exchange | undefined, string]>([
    ['violates if no call got the required response', limited, undefined, 'violates'],
    ['violates if all other calls got 429 too', limited, call('d', 429, {}), 'violates'],
    [
      'is inconclusive if another call got the required response',
      limited,
      call('d', 400, { error: { type: 'insufficient_balance' } }),
      'inconclusive',
    ],
    [
      'violates if it reports the balance itself',
      call('c', 429, { error: { type: 'insufficient_balance' } }),
      call('d', 400, { error: { type: 'insufficient_balance' } }),
      'violates',
    ],
    [
      'violates if only a call with another key got the required response',
      limited,
      sent(400, {
        attributes: { ...attributes, key: 'good' },
        body: { error: { type: 'insufficient_balance' } },
      }),
      'violates',
    ],
  ])('%s', (_, own, other, outcome) => {
    expect(outcomeOf(own, other)).toBe(outcome);
  });
});

describe('a page that may come from another server', () => {
  const page = (status: number): Result => {
    const result = resultOf(status, '');
    if (result.kind === 'failure') throw new Error('no answer');
    return { ...result, answer: { ...result.answer, text: '<h1>', content: readContent('<h1>') } };
  };
  const asks = { over: 'operation', asks: { at: 'body', is: {} } };
  test.each<[string, Exchange, string]>([
    ['is only observed if a retry got another response', sent(400, { earlier: [page(500)] }), 'conforms'],
    ['is judged if it persists', { ...sent(500, { earlier: [page(500)] }), result: page(500) }, 'violates'],
    ['is judged with a status that shows no outage', sent(400, { earlier: [page(403)] }), 'violates'],
  ])('%s', (_, exchange, outcome) => {
    expect(
      judged({ ...pool, checks: [{ requirement: requirement(asks), steps: [] }] }, [exchange]).outcome,
    ).toBe(outcome);
  });
});

describe('the judged cases', () => {
  const cases = [
    caseOf({ ...pool, id: 'p' }),
    caseOf({
      id: 'c',
      checks: [400, 200].map((status) => ({
        requirement: requirement({ asks: { status } }),
        steps: [0],
      })),
    }),
    caseOf({ id: 'never' }),
  ];
  const own = [sent(400, { earlier: [resultOf(429, {})] })];
  const all = (): JudgedCase[] => judgeCases({ cases }, runOf(own, {}), context);

  test('are in the order of the plan, each with its worst outcome', () => {
    expect(all().map(({ planned, outcome }) => [planned.id, outcome])).toEqual([
      ['p', 'violates'],
      ['c', 'violates'],
      ['never', 'inconclusive'],
    ]);
    expect(all()[1]?.checks.map(({ verdict }) => verdict.outcome)).toEqual(['conforms', 'violates']);
  });
  test('have their own exchanges, but a pooled case has only exchanges with findings', () => {
    const names = all().map(({ exchanges }) => exchanges.map(({ id, earlier }) => [id, earlier.length]));
    expect(names).toEqual([[['x#1~1', 0]], [['x#1', 1]], []]);
  });
});
