import { beforeAll, describe, expect, test } from 'vitest';
import { isAboutOneResponse } from '../../../runner/catalog/expectation.ts';
import type { OperationId } from '../../../runner/catalog/operations.ts';
import type { Requirement } from '../../../runner/catalog/requirements.ts';
import { isKeyRejected } from '../../../runner/evidence/attribution.ts';
import { createControls, type Execution } from '../../../runner/evidence/controls.ts';
import { readContent } from '../../../runner/exchange/decode.ts';
import type { Exchange, Result, TransportFailure } from '../../../runner/exchange/exchange.ts';
import { type Decision, decide } from '../../../runner/judge/decide.ts';
import { type CaseContext, judgeCase, judgeCases } from '../../../runner/judge/judge-cases.ts';
import { appliesTo } from '../../../runner/judge/judge-requirement.ts';
import { isFailed, isUndecided, type Outcome } from '../../../runner/judge/outcome.ts';
import type { PlannedCase, PlannedStep } from '../../../runner/plan/plan.ts';
import type { GatewayPromise } from '../../../runner/profile/promise.ts';
import { suspectOf } from '../../../runner/send/send-case.ts';
import { createSurroundingCalls } from '../../../runner/traffic/surrounding-calls.ts';
import { createFullPlan } from '../../support/full-plan.ts';

/** The requests of the table: the first request of a planned case, and the first or the named requirement on it. */
const requests = {
  'a valid call': { case: 'requests/conversation/operation=chat/header=x-api-key' },
  'a valid call, judged by its output': {
    case: 'requests/conversation/operation=chat/header=x-api-key',
    requirement: 'requests/success-has-output',
  },
  'a valid call of the balance': { case: 'auth/good-key/operation=balance/header=x-api-key' },
  'a valid call among others': {
    case: 'auth/overlapping/operation=chat/credential=valid',
    requirement: 'requests/overlapping-calls',
  },
  'an invalid body': {
    case: 'requests/chat-body/operation=chat/place=messages/fault=missing/given=nothing',
  },
  'an account without a balance': { case: 'balance/depleted/operation=chat' },
  'an unlisted model': { case: 'models/unlisted/operation=chat' },
  'an unsupported model': { case: 'models/unsupported/operation=chat' },
  'a wrong key': { case: 'auth/rejected-key/operation=chat/header=bearer/key=unknown' },
  'no key': { case: 'auth/no-key/operation=chat' },
  'a valid key in another header': { case: 'auth/refused-header/operation=chat/key=good' },
  'a word as a record': { case: 'billing/request-id/operation=record/record=word' },
  'an absent record': { case: 'billing/absent-record/operation=record' },
} as const satisfies Readonly<Record<string, { readonly case: string; readonly requirement?: string }>>;
type Request = keyof typeof requests;

const json = { 'content-type': 'application/json', 'x-trace-id': '0b8f7a52-5f0c-4d6c-9a44-0d5f6f1f2a10' };

function answered(status: number, text: string, more: Readonly<Record<string, string>> = {}): Result {
  const headers = { ...json, ...more };
  const content = readContent(text);
  return { kind: 'answer', answer: { status, headers, text, size: text.length, content, pieces: 1 } };
}

/** A response with an error. `name` is `error.type`, or `error.code` after a slash. */
function refused(status: number, name: string, more?: Readonly<Record<string, string>>): Result {
  const error = name.startsWith('/')
    ? { code: name.slice(1), message: 'No.' }
    : { type: name, code: status, message: 'No.', details: null };
  return answered(status, JSON.stringify({ error }), more);
}

function failed(more: Partial<TransportFailure> = {}): Result {
  return { kind: 'failure', failure: { reason: 'reset', detail: 'it was reset', ...more } };
}

/**
 * Reads a response in short: a status and `page`, `same path`, `output`, the name of an error (`/` before a code), and
 * `wait` for Retry-After; or a failure.
 */
function responseOf(short: string): Result {
  if (short === 'broken') return failed();
  if (short === 'closed') return failed({ isUnanswered: true });
  const [status = '', kind = 'page', more] = short.split(' ');
  const wait: Readonly<Record<string, string>> = more === 'wait' ? { 'retry-after': '3' } : {};
  if (kind === 'page') return answered(Number(status), '<html>No</html>', wait);
  if (kind === 'output') return answered(Number(status), '{"choices":[{"message":{"content":"Hi"}}]}');
  if (kind === 'same-path')
    return answered(Number(status), '', { location: 'https://other.example/v1/chat/completions' });
  return refused(Number(status), kind, wait);
}

/** Why a run and recorded traffic rightly judge the same response differently. */
const why = {
  passed:
    'A control of the run passed the same proxies to the same endpoint before. In recorded traffic, nothing did.',
  repeats: 'A run sends the request again, and asks a control between the attempts. A client may not have.',
  contents:
    "A run chooses the contents, and a control with like contents succeeded. Those of a client may be wrong in a way that the specification doesn't define.",
  toppedUp: 'Between the calls of clients, an account may be topped up. A run sends a control directly.',
  firewall: 'A run asks a control that passes the same firewall.',
  someContents:
    'A key of a client may be valid for only some contents. The control of a run has like contents.',
  unseen:
    'It is wrong to say that no key was sent, whether or not the key is valid. A run still asks, so that a key lost during the run is one cause.',
  status:
    'The status is wrong even for a model that is not available. A run still asks, so that it is one cause.',
  model:
    'A model may come and go between the calls of clients. A run sends the request again, and asks a control.',
  load: 'An overload may last for hours, and affect only some requests of some clients. A run waits, sends the request again, and asks a control.',
  namesAccount:
    'A run sends the request again. In recorded traffic, an error that names the balance is wrong the first time.',
  everyCall: 'A run knows all calls of the account, and whether any got the required response.',
} as const;

/**
 * A request, its response, and what a run and recorded traffic conclude: an outcome, a control and the outcome if it
 * succeeds, or `never` judged. Both know the same attributes. A difference has its reason.
 */
type Row = readonly [request: Request, response: string, run: string, traffic?: string, reason?: string];

const rows: readonly Row[] = [
  ['a valid call', '200 output', 'conforms'],
  ['a valid call', 'broken', 'never'],
  ['a valid call', 'closed', 'never'],
  ['a valid call', '304', 'violates', 'never', why.passed],
  ['a valid call', '307 same-path', 'violates', 'never', why.passed],
  ['a valid call', '400 page', 'violates', 'never', why.contents],
  ['a valid call', '400 invalid_request_error', 'violates', 'same-request, then violates', why.contents],
  [
    'a valid call',
    '400 model_not_available',
    'operation, then violates',
    'same-request, then violates',
    why.contents,
  ],
  [
    'a valid call',
    '400 insufficient_balance',
    'operation, then violates',
    'same-request, then violates',
    why.contents,
  ],
  ['a valid call', '400 invalid_api_key', 'key, then violates', 'same-request, then violates', why.contents],
  ['a valid call', '401 page', 'key, then violates'],
  ['a valid call', '401 invalid_api_key', 'key, then violates'],
  ['a valid call', '401 missing_auth_credential', 'key, then violates', 'violates', why.unseen],
  ['a valid call', '401 model_not_available', 'key, then violates'],
  ['a valid call', '402 page', 'key, then violates', 'never', why.toppedUp],
  ['a valid call', '402 insufficient_balance', 'operation, then violates', 'never', why.toppedUp],
  ['a valid call', '403 page', 'key, then violates', 'never', why.firewall],
  ['a valid call', '403 forbidden', 'key, then violates', 'same-request, then violates', why.someContents],
  ['a valid call', '403 model_not_available', 'operation, then violates', 'violates', why.status],
  ['a valid call', '403 insufficient_balance', 'operation, then violates', 'never', why.toppedUp],
  ['a valid call', '404 page', 'violates', 'same-request, then violates', why.passed],
  ['a valid call', '404 not_found', 'violates', 'same-request, then violates', why.passed],
  ['a valid call', '405 page', 'violates', 'same-request, then violates', why.passed],
  ['a valid call', '407 page', 'violates', 'never', why.passed],
  ['a valid call', '408 page', 'operation, then violates', 'never', why.repeats],
  ['a valid call', '409 conflict', 'violates'],
  ['a valid call', '413 page', 'violates', 'never', why.passed],
  ['a valid call', '421 page', 'operation, then violates', 'never', why.repeats],
  ['a valid call', '425 page', 'operation, then violates', 'never', why.repeats],
  ['a valid call', '431 page', 'violates', 'never', why.passed],
  ['a valid call', '422 unprocessable', 'violates'],
  ['a valid call', '429 page', 'never'],
  ['a valid call', '429 rate_limit', 'never'],
  ['a valid call', '429 insufficient_balance', 'never'],
  ['a valid call', '500 internal_error', 'operation, then violates'],
  ['a valid call', '500 page', 'operation, then violates'],
  ['a valid call', '500 invalid_api_key', 'operation, then violates'],
  ['a valid call', '502 page', 'operation, then violates'],
  ['a valid call', '503 overloaded', 'operation, then violates', 'never', why.load],
  ['a valid call', '503 overloaded wait', 'never'],
  ['a valid call', '529 overloaded', 'operation, then violates', 'never', why.load],
  ['a valid call, judged by its output', '200 invalid_request_error', 'operation, then violates'],
  ['a valid call, judged by its output', '200 output', 'conforms'],
  ['a valid call, judged by its output', '400 page', 'conforms'],
  ['a valid call of the balance', '400 /invalid_request', 'violates'],
  ['a valid call of the balance', '402 page', 'key, then violates', 'never', why.toppedUp],
  ['a valid call of the balance', '401 invalid_api_key', 'key, then violates'],
  ['a valid call of the balance', '403 forbidden', 'key, then violates'],
  ['a valid call of the balance', '404 page', 'violates', 'same-request, then violates', why.passed],
  ['a valid call of the balance', '404 /not_found', 'violates', 'same-request, then violates', why.passed],
  ['a valid call of the balance', '500 /internal_error', 'operation, then violates'],
  ['a valid call among others', 'broken', 'never'],
  [
    'a valid call among others',
    '400 invalid_request_error',
    'operation, then violates',
    'same-request, then violates',
    why.contents,
  ],
  [
    'a valid call among others',
    '404 page',
    'operation, then violates',
    'same-request, then violates',
    why.passed,
  ],
  ['a valid call among others', '401 invalid_bearer_token', 'key, then violates'],
  ['a valid call among others', '500 internal_error', 'conforms'],
  ['an invalid body', '200 output', 'violates'],
  ['an invalid body', 'broken', 'never'],
  ['an invalid body', 'closed', 'operation, then violates'],
  ['an invalid body', '400 invalid_request_error', 'conforms'],
  [
    'an invalid body',
    '400 model_not_available',
    'operation, then violates',
    'model, then violates',
    why.model,
  ],
  ['an invalid body', '400 insufficient_balance', 'operation, then violates', 'never', why.toppedUp],
  ['an invalid body', '401 invalid_bearer_token', 'key, then violates'],
  ['an invalid body', '401 missing_auth_credential', 'key, then violates', 'violates', why.unseen],
  ['an invalid body', '403 page', 'key, then violates', 'never', why.firewall],
  ['an invalid body', '403 forbidden', 'key, then violates', 'same-request, then violates', why.someContents],
  ['an invalid body', '403 model_not_available', 'operation, then violates', 'violates', why.status],
  ['an invalid body', '404 page', 'violates', 'same-request, then violates', why.passed],
  ['an invalid body', '404 not_found', 'violates'],
  ['an invalid body', '408 page', 'operation, then violates', 'never', why.repeats],
  ['an invalid body', '413 page', 'violates', 'never', why.passed],
  ['an invalid body', '422 unprocessable', 'violates'],
  ['an invalid body', '429 rate_limit', 'never'],
  ['an invalid body', '500 internal_error', 'operation, then violates'],
  ['an invalid body', '502 page', 'operation, then violates'],
  ['an invalid body', '503 overloaded', 'operation, then violates', 'never', why.load],
  ['an account without a balance', '200 output', 'violates'],
  ['an account without a balance', '400 insufficient_balance', 'conforms'],
  ['an account without a balance', '400 model_not_available', 'operation, then violates', 'never', why.model],
  ['an account without a balance', '401 page', 'key, then violates'],
  ['an account without a balance', '401 invalid_bearer_token', 'key, then violates'],
  [
    'an account without a balance',
    '401 missing_auth_credential',
    'key, then violates',
    'violates',
    why.unseen,
  ],
  ['an account without a balance', '403 page', 'key, then violates', 'never', why.firewall],
  [
    'an account without a balance',
    '403 forbidden',
    'key, then violates',
    'same-request, then violates',
    why.someContents,
  ],
  ['an account without a balance', '403 insufficient_balance', 'violates'],
  ['an account without a balance', '402 page', 'violates'],
  ['an account without a balance', '429 rate_limit', 'operation, then violates', 'never', why.everyCall],
  [
    'an account without a balance',
    '429 insufficient_balance',
    'operation, then violates',
    'service, then violates',
    why.namesAccount,
  ],
  ['an account without a balance', '500 internal_error', 'operation, then violates'],
  ['an unlisted model', '200 output', 'violates'],
  ['an unlisted model', '400 model_not_available', 'conforms'],
  ['an unlisted model', '400 model_not_supported', 'violates'],
  ['an unlisted model', '404 model_not_available', 'violates'],
  ['an unlisted model', '404 page', 'violates', 'same-request, then violates', why.passed],
  ['an unlisted model', '401 invalid_bearer_token', 'key, then violates'],
  ['an unlisted model', '400 insufficient_balance', 'operation, then violates', 'never', why.toppedUp],
  [
    'an unlisted model',
    '403 forbidden',
    'key, then violates',
    'same-request, then violates',
    why.someContents,
  ],
  ['an unlisted model', '503 model_not_available', 'operation, then violates', 'never', why.load],
  ['an unsupported model', '400 model_not_supported', 'conforms'],
  [
    'an unsupported model',
    '400 model_not_available',
    'operation, then violates',
    'model, then violates',
    why.model,
  ],
  ['an unsupported model', '403 model_not_supported', 'operation, then violates', 'violates', why.status],
  ['an unsupported model', '200 output', 'violates'],
  ['a wrong key', '200 output', 'violates'],
  ['a wrong key', 'closed', 'never'],
  ['a wrong key', '400 invalid_request_error', 'violates'],
  ['a wrong key', '400 model_not_available', 'operation, then violates', 'never', why.model],
  ['a wrong key', '400 insufficient_balance', 'violates'],
  ['a wrong key', '401 invalid_bearer_token', 'conforms'],
  ['a wrong key', '401 missing_auth_credential', 'violates'],
  ['a wrong key', '402 page', 'violates', 'never', why.firewall],
  ['a wrong key', '403 page', 'violates', 'never', why.firewall],
  ['a wrong key', '403 forbidden', 'violates'],
  ['a wrong key', '404 page', 'violates', 'same-request, then violates', why.passed],
  ['a wrong key', '404 not_found', 'violates'],
  ['a wrong key', '408 page', 'operation, then violates', 'never', why.repeats],
  ['a wrong key', '429 page', 'never'],
  ['a wrong key', '500 internal_error', 'operation, then violates'],
  ['a wrong key', '503 overloaded', 'operation, then violates', 'never', why.load],
  ['no key', '200 output', 'violates'],
  ['no key', '400 model_not_available', 'operation, then violates', 'never', why.model],
  ['no key', '401 invalid_bearer_token', 'violates'],
  ['no key', '402 page', 'violates', 'never', why.firewall],
  ['no key', '402 insufficient_balance', 'violates'],
  ['no key', '403 page', 'violates', 'never', why.firewall],
  ['no key', '403 forbidden', 'violates'],
  ['no key', '404 page', 'violates', 'same-request, then violates', why.passed],
  ['no key', '404 not_found', 'violates', 'same-request, then violates', why.passed],
  ['no key', '500 internal_error', 'operation, then violates'],
  ['a valid key in another header', '200 output', 'violates'],
  [
    'a valid key in another header',
    '400 model_not_available',
    'operation, then violates',
    'never',
    why.model,
  ],
  ['a valid key in another header', '400 insufficient_balance', 'violates'],
  ['a valid key in another header', '401 invalid_api_key', 'violates'],
  ['a valid key in another header', '403 forbidden', 'violates'],
  ['a valid key in another header', '404 page', 'violates', 'same-request, then violates', why.passed],
  ['a valid key in another header', '500 internal_error', 'operation, then violates'],
  ['a word as a record', '400 /invalid_request', 'conforms'],
  ['a word as a record', '404 /not_found', 'violates'],
  ['a word as a record', '404 page', 'violates', 'same-request, then violates', why.passed],
  ['a word as a record', '402 page', 'key, then violates', 'never', why.toppedUp],
  ['a word as a record', '401 page', 'key, then violates'],
  ['a word as a record', '403 forbidden', 'key, then violates'],
  ['a word as a record', '429 /rate_limit_exceeded', 'never'],
  ['a word as a record', '500 /internal_error', 'operation, then violates'],
  ['a word as a record', '400 insufficient_balance', 'operation, then violates', 'never', why.toppedUp],
  ['an absent record', '404 /not_found', 'conforms'],
  ['an absent record', '404 page', 'violates', 'same-request, then violates', why.passed],
  ['an absent record', '200 output', 'violates'],
  ['an absent record', '401 page', 'key, then violates'],
  ['an absent record', '400 insufficient_balance', 'operation, then violates', 'never', why.toppedUp],
];

let promise: GatewayPromise;
let cases: ReadonlyMap<string, PlannedCase>;
beforeAll(async () => {
  const full = await createFullPlan();
  promise = full.promise;
  cases = new Map(full.plan.cases.map((item) => [item.id, item]));
}, 60_000);

/** A case with one step, its exchange and the first requirement on its response. */
interface Situation {
  readonly planned: PlannedCase;
  readonly step: PlannedStep;
  readonly exchange: Exchange;
}

function situationOf(request: Request, response: string): Situation {
  const named: { readonly case: string; readonly requirement?: string } = requests[request];
  const whole = cases.get(named.case);
  const [step] = whole?.steps ?? [];
  const check = whole?.checks.find(
    ({ requirement: { id, then } }) => isAboutOneResponse(then) && id === (named.requirement ?? id),
  );
  if (!whole || !step || !check) throw new Error(`no case ${named.case}`);
  const planned: PlannedCase = {
    ...whole,
    phase: whole.phase === 'controls' ? 'requests' : whole.phase,
    steps: [step],
    checks: [{ ...check, steps: [0] }],
  };
  const result = responseOf(response);
  const exchange: Exchange = {
    id: `${planned.id}#1`,
    attributes: step.attributes,
    model: 'm',
    request: { method: 'POST', path: '/v1/chat/completions', headers: {}, body: '{}' },
    result,
    startedAt: 0,
    durationMs: 1,
    earlier: [result, result],
    controlAfter: undefined,
  };
  return { planned, step, exchange };
}

function controlsOfRun(): Execution['controls'] {
  const controls = createControls();
  const operations: readonly OperationId[] = ['chat', 'models', 'balance', 'record'];
  for (const operation of operations) {
    const step = { attributes: { operation }, control: true, expects: [] };
    controls.plain.set(operation, { kind: 'succeeded', header: 'bearer', step });
    for (const header of ['bearer', 'x-api-key']) controls.headers.add(`${operation} ${header}`);
  }
  return controls;
}

function executionOf(exchanges: Execution['exchanges'], stopped?: Execution['stopped']): Execution {
  const controls = controlsOfRun();
  return { exchanges, others: [], controls, incomplete: new Map(), stopped, leftovers: [] };
}

function context(): CaseContext {
  return { promise, controlCases: [], unlistedModel: 'x' };
}

function judgeInRun(
  { planned, exchange }: Situation,
  controlAfter: Exchange['controlAfter'],
  stopped?: Execution['stopped'],
): Outcome {
  const execution = executionOf(new Map([[planned.id, [{ ...exchange, controlAfter }]]]), stopped);
  return judgeCase(planned, execution, context()).outcome;
}

/** Returns the control that a run sends after the response; undefined if it judges the response without one. */
function controlInRun({ step, exchange }: Situation): string | undefined {
  const suspect = suspectOf(step, exchange, { controls: controlsOfRun(), context: { promise } });
  if (!suspect) return undefined;
  return isKeyRejected(exchange, promise.errors) ? 'key' : 'operation';
}

function runResult(situation: Situation): string {
  const control = controlInRun(situation);
  const outcome = judgeInRun(situation, control === undefined ? undefined : 'succeeded');
  if (outcome === 'inconclusive') return 'never';
  return control === undefined ? outcome : `${control}, then ${outcome}`;
}

function trafficResult({ planned, exchange }: Situation): string {
  const [check] = planned.checks;
  if (!check) throw new Error('no check');
  const { requirement } = check;
  const { verdict, doubt } = decideInTraffic(requirement, exchange);
  if (!doubt) return verdict.outcome;
  if (!doubt.control) return 'never';
  const again = decideInTraffic(requirement, { ...exchange, controlAfter: 'succeeded' }, true).verdict;
  return isFailed(again.outcome) ? `${doubt.control}, then ${again.outcome}` : 'never';
}

/** Judges an exchange as recorded traffic; with `isProven`, after the calls around it ruled every doubt out. */
function decideInTraffic(requirement: Requirement, exchange: Exchange, isProven = false): Decision {
  const item = {
    exchange,
    base: '',
    position: 1,
    run: undefined,
    isPlain: true,
    isWhole: true,
    isOffered: true,
  };
  const evidence = isProven ? { doubt: () => undefined } : createSurroundingCalls(promise.errors);
  return decide(requirement, [item], evidence, { promise, unlistedModel: 'x', goodModels: [] });
}

/** The requirement on the form of errors with the status of a response. */
function formRequirement({ result }: Exchange): Requirement {
  const isNamed = result.kind === 'answer' && [400, 401, 402, 403, 429, 500].includes(result.answer.status);
  const id = isNamed ? 'model-error/json-object' : 'model-error/other-statuses';
  const found = promise.requirements.find((requirement) => requirement.id === id);
  if (!found) throw new Error(`no requirement ${id}`);
  return found;
}

function decided(outcome: Outcome): string {
  return isUndecided(outcome) ? 'never' : outcome;
}

/** Returns the outcome of the requirement on the form of all errors of a run with this exchange. */
function poolInRun(exchange: Exchange): string {
  const pooled = cases.get('pooled/operation/operation=chat');
  if (!pooled) throw new Error('no pooled case');
  const planned = { ...pooled, checks: [{ requirement: formRequirement(exchange), steps: [] }] };
  const execution = executionOf(new Map([['x', [exchange]]]));
  const [judged] = judgeCases({ cases: [planned] }, execution, context());
  return decided(judged?.outcome ?? 'not-applicable');
}

function poolInTraffic(exchange: Exchange): string {
  const requirement = formRequirement(exchange);
  if (!appliesTo(requirement, exchange)) return 'never';
  const { verdict, doubt } = decideInTraffic(requirement, exchange);
  return doubt ? 'never' : decided(verdict.outcome);
}

function nameRow(row: Row): { readonly name: string; readonly row: Row } {
  return { name: `${row[0]}: ${row[1]}`, row };
}

describe('a run and recorded traffic', () => {
  test.each(rows.map(nameRow))('$name', ({ row: [request, response, run, traffic = run] }) => {
    const situation = situationOf(request, response);
    expect({ run: runResult(situation), traffic: trafficResult(situation) }).toEqual({ run, traffic });
  });
  test('have a reason for each difference, and only for differences', () => {
    const differ = rows.filter(([, , run, traffic = run]) => run !== traffic);
    expect(rows.filter(([, , , , reason]) => reason !== undefined)).toEqual(differ);
    expect(new Set(rows.map(([request, response]) => `${request} ${response}`)).size).toBe(rows.length);
  });
});

describe('a run that sends a control because of a response', () => {
  const awaiting = rows.filter(([, , run]) => run.includes(', then '));
  test.each(awaiting.map(nameRow))('$name proves nothing if the control fails or is not sent', ({ row }) => {
    const situation = situationOf(row[0], row[1]);
    const stopped = { kind: 'interrupted', reason: 'The run was interrupted.' } as const;
    expect(judgeInRun(situation, 'failed')).toBe('inconclusive');
    expect(judgeInRun(situation, undefined, stopped)).toBe('inconclusive');
  });
});

describe('the form of an error', () => {
  test.each<[response: string, attempts: readonly string[], run: string, traffic: string]>([
    ['500 page', [], 'never', 'never'],
    ['500 page', ['500 page'], 'violates', 'never'],
    ['500 page', ['500 internal_error'], 'conforms', 'never'],
    ['400 invalid_request_error', ['500 page'], 'conforms', 'conforms'],
    ['400 page', [], 'violates', 'violates'],
    ['401 page', [], 'violates', 'violates'],
    ['403 page', [], 'violates', 'never'],
    ['404 page', [], 'warns', 'warns'],
    ['429 page', ['429 page'], 'never', 'never'],
    ['502 page', [], 'never', 'never'],
    ['502 page', ['502 page'], 'warns', 'never'],
    ['500 internal_error', [], 'conforms', 'conforms'],
  ])('of %s after %j', (response, attempts, run, traffic) => {
    const { exchange } = situationOf('an invalid body', response);
    const sent = { ...exchange, earlier: attempts.map(responseOf) };
    expect({ run: poolInRun(sent), traffic: poolInTraffic(sent) }).toEqual({ run, traffic });
  });
});
