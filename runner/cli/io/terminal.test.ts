import { expect, onTestFinished, test, vi } from 'vitest';
import { isCi, isColourEnabled, listenForInterruption } from './terminal.ts';

test.each<[string, Record<string, string>, boolean | undefined, boolean]>([
  ['a terminal', {}, true, true],
  ['a pipe', {}, false, false],
  ['an unknown output', {}, undefined, false],
  ['a terminal under NO_COLOR', { NO_COLOR: '1' }, true, false],
  ['a terminal under NO_COLOR of any value', { NO_COLOR: '0' }, true, false],
  ['a terminal under an empty NO_COLOR', { NO_COLOR: '' }, true, true],
  ['a pipe under FORCE_COLOR', { FORCE_COLOR: '1' }, false, true],
  ['a terminal under FORCE_COLOR=0', { FORCE_COLOR: '0' }, true, false],
  ['a pipe under NO_COLOR and FORCE_COLOR', { NO_COLOR: '1', FORCE_COLOR: '1' }, false, false],
  ['a dumb terminal', { TERM: 'dumb' }, true, false],
  ['a terminal of a CI system', { CI: 'true' }, true, false],
  ['a terminal with CI=false', { CI: 'false' }, true, true],
  ['a pipe of a CI system under FORCE_COLOR', { CI: 'true', FORCE_COLOR: '1' }, false, true],
])('the output to %s has colours: $3', (_, env, isTerminal, colour) => {
  expect(isColourEnabled(env, isTerminal)).toBe(colour);
});

test.each([
  [undefined, false],
  ['', false],
  ['false', false],
  ['0', false],
  ['true', true],
  ['1', true],
  ['woodpecker', true],
])('CI=%s means CI: %s', (CI, expected) => {
  expect(isCi({ CI })).toBe(expected);
});

test('a second signal ends the process only if the signal arrives more than 2 s after the first', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit code ${code}`);
  });
  const { signal, release } = listenForInterruption(() => {});
  onTestFinished(() => {
    release();
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
  process.emit('SIGINT');
  process.emit('SIGINT');
  expect(signal.aborted).toBe(true);
  // As if the process was busy for 2 s, and handles a signal that arrived meanwhile.
  vi.advanceTimersByTime(2_000);
  process.emit('SIGINT');

  await new Promise((resolve) => setImmediate(resolve));
  expect(() => process.emit('SIGINT')).toThrow('exit code 130');
});
