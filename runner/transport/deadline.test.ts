import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makeStopSwitch } from './deadline.ts';

test('the first reason stays', () => {
  const { stop, stopped, release } = makeStopSwitch(undefined, undefined);
  expect(stopped()).toBeUndefined();
  stop({ kind: 'bail', reason: 'first' });
  stop({ kind: 'time', reason: 'second' });
  expect(stopped()).toEqual({ kind: 'bail', reason: 'first' });
  release();
});

test.each([
  ['interrupted', true],
  ['time', true],
  ['bail', false],
  ['unanswered', true],
] as const)('%s ends what is under way: %s', (kind, ends) => {
  const { stop, signal } = makeStopSwitch(undefined, undefined);
  stop({ kind, reason: 'x' });
  expect(signal.aborted).toBe(ends);
});

test('an outer signal interrupts, also one that was aborted before', () => {
  const outer = new AbortController();
  const during = makeStopSwitch(outer.signal, undefined);
  outer.abort();
  const before = makeStopSwitch(outer.signal, undefined);
  expect([during.stopped()?.kind, before.stopped()?.kind]).toEqual(['interrupted', 'interrupted']);
});

test('once released, neither the time nor the outer signal stops anything', async () => {
  const outer = new AbortController();
  const { stopped, release } = makeStopSwitch(outer.signal, 5);
  release();
  outer.abort();
  await sleep(20);
  expect(stopped()).toBeUndefined();
});

test('the end of the time stops the run', async () => {
  const { signal, stopped } = makeStopSwitch(undefined, 5);
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  expect(stopped()).toEqual({ kind: 'time', reason: 'The time for the run, 0.005 s, is over.' });
});
