import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Attributes } from '../catalog/condition.ts';
import { readContent } from '../transport/decode.ts';
import type { Failure, Result } from '../transport/exchange.ts';
import { makeBudget } from './budget.ts';

const billable: Attributes = {
  surface: 'model',
  key: 'good',
  header: 'bearer',
  fault: 'none',
  model: 'good',
  method: 'documented',
};
const answer = (status: number): Result => ({
  kind: 'answer',
  answer: { status, headers: {}, text: '', size: 0, content: readContent(''), pieces: 0 },
});

const failed = (reason: Failure['reason']): Result => ({ kind: 'failure', failure: { reason, detail: '' } });

test('so many calls may succeed, and no more', async () => {
  const budget = makeBudget(2, 0);
  const taken: boolean[] = [];
  for (let call = 0; call < 3; call += 1) {
    const may = await budget.take(billable, false);
    if (may) budget.settle(billable, false, answer(200));
    taken.push(may);
  }
  expect(taken).toEqual([true, true, false]);
});

test.each<[string, Result, boolean]>([
  ['a success', answer(200), false],
  ['an error', answer(500), true],
  ['a time-out, which may be billed,', failed('timeout'), false],
  ['a connection that broke off', failed('reset'), false],
  ['a connection that was refused', failed('refused'), true],
  ['a name that does not resolve', failed('unresolved'), true],
])('after %s there is room for another: %s', async (_, result, room) => {
  const budget = makeBudget(1, 0);
  await budget.take(billable, false);
  budget.settle(billable, false, result);
  expect(await budget.take(billable, false)).toBe(room);
});

test.each([
  [answer(500), true],
  [answer(200), false],
])('what hangs on a call under way waits for it', async (result, room) => {
  const budget = makeBudget(1, 0);
  await budget.take(billable, false);
  const second = budget.take(billable, false);
  expect(await Promise.race([second, sleep(20, 'waits')])).toBe('waits');
  budget.settle(billable, false, result);
  expect(await second).toBe(room);
});

describe.each<[string, Attributes]>([
  ['a bad key', { ...billable, key: 'unknown' }],
  ['an invalid body', { ...billable, fault: 'missing' }],
  ['an unlisted model', { ...billable, model: 'unlisted' }],
])('a call with %s', (_, facts) => {
  test('costs nothing where it is refused, and needs no budget', async () => {
    const budget = makeBudget(0, 0);
    for (let call = 0; call < 3; call += 1) {
      expect(await budget.take(facts, false)).toBe(true);
      budget.settle(facts, false, answer(401));
    }
    expect(await budget.take(billable, false)).toBe(false);
  });
  test('costs as much as any where it is not refused, and is the last without a budget', async () => {
    const budget = makeBudget(0, 0);
    const [first, second] = [budget.take(facts, false), budget.take(facts, false)];
    expect(await first).toBe(true);
    expect(await Promise.race([second, sleep(20, 'waits')])).toBe('waits');
    budget.settle(facts, false, answer(200));
    expect(await second).toBe(false);
  });
});

test('a list costs nothing', async () => {
  const list = { ...billable, surface: 'list' };
  const budget = makeBudget(0, 0);
  expect([await budget.take(list, false), await budget.take(list, false)]).toEqual([true, true]);
});

describe('a budget of which a part is planned', () => {
  test('keeps that part for planned calls', async () => {
    const budget = makeBudget(3, 2);
    expect(await budget.take(billable, true)).toBe(true);
    budget.settle(billable, true, answer(200));
    expect(await budget.take(billable, true)).toBe(false);
    expect([await budget.take(billable, false), await budget.take(billable, false)]).toEqual([true, true]);
  });
  test('lets planned calls that are sent again use what is left', async () => {
    const budget = makeBudget(3, 1);
    for (const status of [200, 200, 200]) {
      expect(await budget.take(billable, false)).toBe(true);
      budget.settle(billable, false, answer(status));
    }
    expect(await budget.take(billable, false)).toBe(false);
  });
});

test('what was accepted once is held back, and what is wrong in another way is still sent', async () => {
  const budget = makeBudget(0, 0);
  const body = { ...billable, fault: 'missing' };
  const credential = { ...billable, key: 'unknown' };
  await budget.take(body, false);
  budget.settle(body, false, answer(200));
  expect(await budget.take(body, false)).toBe(false);
  expect(await budget.take(credential, false)).toBe(true);
});
