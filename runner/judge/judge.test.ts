import { describe, expect, test } from 'vitest';
import { catalogOfPackage } from '../catalog/catalog.ts';
import type { Attributes } from '../catalog/condition.ts';
import { readContent } from '../exchange/decode.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { plan } from '../plan/plan.ts';
import { createEverythingProfile } from '../profile/everything-profile.ts';
import { createPromise } from '../profile/promise.ts';
import { createJudge, type Judge, type JudgeItem, type LaterEvidence, type UndecidedCheck } from './judge.ts';
import type { LocatedFinding } from './judge-requirement.ts';

interface Shown {
  readonly finding: LocatedFinding;
  readonly exchange: { readonly id: string };
}
type Item = JudgeItem<Shown>;

const catalog = await catalogOfPackage();
const promise = createPromise(catalog, createEverythingProfile(catalog));
const { cases } = plan(promise);

/** Returns the attributes of the first request of a planned case. */
function attributesOf(id: string): Attributes {
  const found = cases.find((item) => item.id === id)?.steps[0];
  if (!found) throw new Error(`no case ${id}`);
  return found.attributes;
}

const noKey = 'auth/no-key/operation=chat';
const required = 'auth/missing-credential';
let count = 0;

/** Creates an exchange that got this status and an error of this type. */
function item(
  status: number,
  {
    type = 'x',
    run,
    ...more
  }: Partial<Exchange> & { readonly type?: string; readonly run?: Item['run'] } = {},
): Item {
  count += 1;
  const id = `x#${count}`;
  const text = JSON.stringify({ error: { type, code: status, message: 'No.', details: null } });
  const headers = { 'content-type': 'application/json', 'x-trace-id': `t-${count}` };
  const answer = { status, headers, text, size: text.length, content: readContent(text), pieces: 1 };
  const exchange: Exchange = {
    id,
    attributes: attributesOf(noKey),
    model: undefined,
    request: { method: 'POST', path: '/v1/chat/completions', headers: {}, body: '{}' },
    result: { kind: 'answer', answer },
    startedAt: count,
    durationMs: 0,
    earlier: [],
    controlAfter: undefined,
    ...more,
  };
  return {
    exchange,
    base: 'https://g.example',
    position: count,
    run,
    isPlain: true,
    isWhole: true,
    isOffered: true,
    describe: (finding) => ({ finding, exchange: { id } }),
  };
}

function judgeWith(evidence: Partial<LaterEvidence<Item>> = {}): Judge<Item, Shown> {
  return createJudge<Item, Shown>(promise, {
    doubt: () => undefined,
    assumeValidKey: () => undefined,
    findRepetition: () => undefined,
    postpone: () => {},
    observe: () => [],
    listRepeated: () => [],
    ...evidence,
  });
}

function resultOf({ results }: ReturnType<Judge<Item, Shown>['add']>, id = required): unknown {
  const found = results.find(({ requirement }) => requirement.id === id);
  return (
    found && {
      outcome: found.verdict.outcome,
      stored: [...new Set(found.stored?.map(({ exchange }) => exchange.id))],
    }
  );
}

function recordedCheck(judge: Judge<Item, Shown>): unknown {
  const found = judge.end().find(({ suite }) => suite === 'recorded');
  return found?.checks.find(({ requirement }) => requirement === required);
}

describe('an exchange', () => {
  test('is judged when it comes, in the case of all exchanges with its attributes', () => {
    const judge = judgeWith();
    const [wrong, same] = [item(400), item(400)];
    const added = judge.add(wrong);
    expect(added).toMatchObject({ doubts: [], isJudged: true });
    expect(resultOf(added)).toEqual({ outcome: 'violates', stored: [wrong.exchange.id] });
    // Only the first example of a problem is stored.
    expect(resultOf(judge.add(same))).toEqual({ outcome: 'violates', stored: [] });
    expect(recordedCheck(judge)).toMatchObject({
      outcome: 'violates',
    });
  });
  test('of a run is judged in its case, and without a case only together with others', () => {
    const judge = judgeWith();
    const ofRun = { case: noKey };
    expect(resultOf(judge.add(item(400, { run: ofRun })))).toMatchObject({ outcome: 'violates' });
    expect(resultOf(judge.add(item(400, { run: { case: undefined } })))).toBeUndefined();
    expect(judge.end().map(({ id }) => id)).toEqual([noKey, 'pooled/operation/operation=chat', 'pooled/run']);
  });
  test('in doubt has no result', () => {
    const judge = judgeWith({
      doubt: (_, { over }) => (over === 'case' ? { reason: 'A proxy.' } : undefined),
    });
    const added = judge.add(item(400));
    expect(resultOf(added)).toBeUndefined();
    expect(added.doubts).toContain('A proxy.');
  });
  test('in doubt counts when a later exchange proves that the gateway caused its response', () => {
    const postponed: UndecidedCheck<Item>[] = [];
    const judge = judgeWith({
      doubt: ({ exchange }, { over }) =>
        over === 'case' && exchange.id === first.exchange.id
          ? { reason: 'A key.', control: 'key' }
          : undefined,
      postpone: (check) => postponed.push(check),
      observe: ({ exchange }) => (exchange.id === first.exchange.id ? [] : postponed.splice(0)),
    });
    const first = item(400);
    expect(resultOf(judge.add(first))).toBeUndefined();
    const added = judge.add(item(401, { type: 'missing_auth_credential' }));
    const ofFirst = added.results.filter(({ stored = [] }) =>
      stored.some(({ exchange }) => exchange.id === first.exchange.id),
    );
    expect(ofFirst.map(({ requirement }) => requirement.id)).toContain(required);
  });
});

test('the end can be asked for several times, also between exchanges', () => {
  const judge = judgeWith({ listRepeated: () => repeated });
  const first = item(400);
  const requirement = promise.requirements.find(({ id }) => id === required);
  if (!requirement) throw new Error(`no requirement ${required}`);
  const of = { id: 'late', suite: 's', about: '', attributes: {} };
  const repeated = [{ item: first, of, requirement, control: 'operation' as const }];
  expect(judge.end()).toEqual(judge.end());
  expect(judge.end()).toMatchObject([{ id: 'late', outcome: 'violates' }]);
  judge.set(of, { requirement: required, outcome: 'not-applicable', findings: [], reason: 'Not sent.' });
  // What a source states itself counts.
  expect(judge.end()).toMatchObject([{ id: 'late', outcome: 'not-applicable' }]);
});

describe('messages about invalid members', () => {
  const outcomeOf = (...problems: readonly (readonly [string, string])[]): unknown => {
    const judge = judgeWith();
    for (const [problem, message] of problems) {
      const attributes = attributesOf(`requests/chat-body-values/operation=chat/problem=${problem}`);
      const text = JSON.stringify({ error: { type: 'invalid_request_error', message } });
      const answer = { status: 400, headers: {}, text, size: 0, content: readContent(text), pieces: 1 };
      judge.add(item(400, { attributes, result: { kind: 'answer', answer } }));
    }
    return judge
      .end()
      .flatMap(({ checks }) => checks)
      .find(({ requirement }) => requirement === 'chat/messages-differ')?.outcome;
  };
  const all = 'model, messages, role and content are required';
  test.each([
    [
      'violates',
      [
        ['model-zero', all],
        ['role-zero', `${all} `],
      ],
    ],
    [
      'conforms',
      [
        ['role-zero', 'Invalid messages'],
        ['content-zero', 'Invalid messages'],
      ],
    ],
    [
      'conforms',
      [
        ['model-zero', all],
        ['role-zero', all],
        ['content-zero', 'content?'],
      ],
    ],
    [
      undefined,
      [
        ['model-zero', all],
        ['model-false', all],
      ],
    ],
    [
      undefined,
      [
        ['model-zero', '参数有误'],
        ['role-zero', '参数有误'],
      ],
    ],
  ] as const)('that are the same for different members: %s for %j', (outcome, problems) => {
    expect(outcomeOf(...problems)).toBe(outcome);
  });
});

test('responses of a run to texts that a firewall dislikes, and later ones, are not judged together', () => {
  const pooledOf = (...ids: readonly string[]): readonly string[] => {
    const judge = judgeWith();
    for (const id of ids) judge.add(item(400, { attributes: attributesOf(id), run: { case: id } }));
    return judge.end().flatMap(({ suite, id }) => (suite === 'pooled' ? [id] : []));
  };
  const disliked = 'requests/disliked-text/operation=chat/body=chat-sql';
  expect(pooledOf(disliked, noKey)).toEqual([]);
  expect(pooledOf(disliked, 'auth/good-key/operation=chat/header=bearer', noKey)).not.toEqual([]);
});
