import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Attributes } from '../catalog/condition.ts';
import { readContent } from '../exchange/decode.ts';
import type { Result, TransportFailure } from '../exchange/exchange.ts';
import { createBillingBudget } from './budget.ts';

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

const failed = (reason: TransportFailure['reason']): Result => ({
  kind: 'failure',
  failure: { reason, detail: '' },
});

test('allows the given number of successful calls', async () => {
  const budget = createBillingBudget(2, 0);
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
  ['a timeout, which may be billed', failed('timeout'), false],
  ['a broken connection', failed('reset'), false],
  ['a refused connection', failed('refused'), true],
  ['a name that does not resolve', failed('unresolved'), true],
])('after %s another call may be sent: $2', async (_, result, room) => {
  const budget = createBillingBudget(1, 0);
  await budget.take(billable, false);
  budget.settle(billable, false, result);
  expect(await budget.take(billable, false)).toBe(room);
});

test.each([
  [answer(500), true],
  [answer(200), false],
])('a call that exceeds the budget waits for pending calls', async (result, room) => {
  const budget = createBillingBudget(1, 0);
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
])('a call with %s', (_, attributes) => {
  test('costs nothing and needs no budget if refused', async () => {
    const budget = createBillingBudget(0, 0);
    for (let call = 0; call < 3; call += 1) {
      expect(await budget.take(attributes, false)).toBe(true);
      budget.settle(attributes, false, answer(401));
    }
    expect(await budget.take(billable, false)).toBe(false);
  });
  test('costs a call if accepted, and no further call is sent if the budget is used up', async () => {
    const budget = createBillingBudget(0, 0);
    const [first, second] = [budget.take(attributes, false), budget.take(attributes, false)];
    expect(await first).toBe(true);
    expect(await Promise.race([second, sleep(20, 'waits')])).toBe('waits');
    budget.settle(attributes, false, answer(200));
    expect(await second).toBe(false);
  });
});

test('a model list costs nothing', async () => {
  const list = { ...billable, surface: 'list' };
  const budget = createBillingBudget(0, 0);
  expect([await budget.take(list, false), await budget.take(list, false)]).toEqual([true, true]);
});

describe('a budget with planned calls', () => {
  test('reserves calls for the plan', async () => {
    const budget = createBillingBudget(3, 2);
    expect(await budget.take(billable, true)).toBe(true);
    budget.settle(billable, true, answer(200));
    expect(await budget.take(billable, true)).toBe(false);
    expect([await budget.take(billable, false), await budget.take(billable, false)]).toEqual([true, true]);
  });
  test('allows planned calls to use the rest of the budget', async () => {
    const budget = createBillingBudget(3, 1);
    for (const status of [200, 200, 200]) {
      expect(await budget.take(billable, false)).toBe(true);
      budget.settle(billable, false, answer(status));
    }
    expect(await budget.take(billable, false)).toBe(false);
  });
});

test('stops sending a fault that was accepted once, and still sends other faults', async () => {
  const budget = createBillingBudget(0, 0);
  const body = { ...billable, fault: 'missing' };
  const credential = { ...billable, key: 'unknown' };
  await budget.take(body, false);
  budget.settle(body, false, answer(200));
  expect(await budget.take(body, false)).toBe(false);
  expect(await budget.take(credential, false)).toBe(true);
});
