import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createStopSwitch } from './stop-switch.ts';

test('keeps the first reason', () => {
  const { stop, stopped, release } = createStopSwitch(undefined, undefined);
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
] as const)('%s aborts the requests that are under way: %s', (kind, ends) => {
  const { stop, signal } = createStopSwitch(undefined, undefined);
  stop({ kind, reason: 'x' });
  expect(signal.aborted).toBe(ends);
});

test('an outer signal interrupts the run, even if the signal was aborted before', () => {
  const outer = new AbortController();
  const during = createStopSwitch(outer.signal, undefined);
  outer.abort();
  const before = createStopSwitch(outer.signal, undefined);
  expect([during.stopped()?.kind, before.stopped()?.kind]).toEqual(['interrupted', 'interrupted']);
});

test('neither the time limit nor the outer signal stops a released run', async () => {
  const outer = new AbortController();
  const { stopped, release } = createStopSwitch(outer.signal, 5);
  release();
  outer.abort();
  await sleep(20);
  expect(stopped()).toBeUndefined();
});

test('the time limit stops the run', async () => {
  const { signal, stopped } = createStopSwitch(undefined, 5);
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  expect(stopped()).toEqual({
    kind: 'time',
    reason:
      'The run reached its time limit of 0.005 s. Raise the limit (--max-time, or maxMs in the library).',
  });
});
