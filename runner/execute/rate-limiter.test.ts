import { describe, expect, test, vi } from 'vitest';
import type { Result } from '../transport/exchange.ts';
import { createRateLimiter, type RetryPolicy, retryAfter, type Wait } from './rate-limiter.ts';

const now = Date.parse('2026-11-01T10:00:00Z');
test.each<[string | undefined, string | undefined, number | undefined]>([
  ['7', undefined, 7_000],
  [' 0 ', undefined, 0],
  ['1.5', undefined, 1_500],
  ['7', 'Sun, 01 Nov 2026 07:00:00 GMT', 7_000],
  ['Sun, 01 Nov 2026 10:00:30 GMT', undefined, 30_000],
  ['Sun, 01 Nov 2026 09:00:00 GMT', undefined, 0],
  ['Sun, 01 Nov 2026 10:00:30 GMT', 'soon', 30_000],
  // The gateway's clock is three hours behind ours, and then three hours before it.
  ['Sun, 01 Nov 2026 07:00:30 GMT', 'Sun, 01 Nov 2026 07:00:00 GMT', 30_000],
  ['Sun, 01 Nov 2026 13:00:30 GMT', 'Sun, 01 Nov 2026 13:00:00 GMT', 30_000],
  ['soon', undefined, undefined],
  ['', undefined, undefined],
  [undefined, undefined, undefined],
])('a Retry-After of %j in an answer of %j asks for %j ms', (value, date, expected) => {
  const headers = {
    ...(value !== undefined && { 'retry-after': value }),
    ...(date !== undefined && { date }),
  };
  expect(retryAfter(headers, now)).toBe(expected);
});

const retryPolicy: RetryPolicy = {
  retries: 2,
  retriesOf429: 2,
  firstPauseMs: 200,
  longestPauseMs: 5_000,
  totalPauseMs: 8_000,
};
function answer(status: number, after?: string): Result {
  const headers: Record<string, string> = after === undefined ? {} : { 'retry-after': after };
  return {
    kind: 'answer',
    answer: { status, headers, text: '', size: 0, content: { kind: 'text' }, pieces: 0 },
  };
}
const failure = (reason: 'reset' | 'refused' | 'timeout' | 'unresolved' | 'tls'): Result => ({
  kind: 'failure',
  failure: { reason, detail: '' },
});

/** The module with sleeps that the fake clock ends. */
async function withFakeSleep(): Promise<typeof import('./rate-limiter.ts')> {
  const setTimeoutOf = (wait: number) => new Promise((done) => setTimeout(done, wait));
  vi.doMock('node:timers/promises', () => ({ setTimeout: setTimeoutOf }));
  vi.resetModules();
  return import('./rate-limiter.ts');
}

/** How long, by a clock that the test moves, each action takes. */
async function timed(action: () => Promise<unknown>): Promise<{ ms: number; value: unknown }> {
  const start = performance.now();
  let ended = 0;
  const running = action().then((value) => {
    ended = performance.now();
    return value;
  });
  await vi.runAllTimersAsync();
  return { value: await running, ms: ended - start };
}

describe('a retry', () => {
  test.each<[string, Result, number, boolean, number]>([
    ['waits before the first', answer(500), 0, true, 200],
    ['waits twice as long before the second', answer(503), 1, true, 400],
    ['is not made a third time', answer(500), 2, false, 0],
    ['is made after a lost connection', failure('reset'), 0, true, 200],
    ['is made after a refused connection', failure('refused'), 0, true, 200],
    ['is not made after a time-out', failure('timeout'), 0, false, 0],
    ['is not made where no name resolves', failure('unresolved'), 0, false, 0],
    ['is not made for a certificate', failure('tls'), 0, false, 0],
    ['is not made where a 429 asks for too long', answer(429, '6'), 0, false, 0],
    ['is not made where a 503 asks for too long', answer(503, '6'), 0, false, 0],
    ['waits before the first as long as usual where a 500 asks for a pause', answer(500, '6'), 0, true, 200],
  ])('%s', async (_, result, retry, made, ms) => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
    const fresh = await withFakeSleep();
    expect(await timed(() => fresh.createRateLimiter(retryPolicy).beforeRetry(result, retry))).toEqual({
      value: made,
      ms,
    });
    vi.useRealTimers();
  });
});

describe('a 429', () => {
  const held = async (...asked: (string | undefined)[]) => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
    const fresh = await withFakeSleep();
    const pace = fresh.createRateLimiter(retryPolicy);
    const retried: boolean[] = [];
    for (const after of asked) retried.push(await pace.beforeRetry(answer(429, after), 0));
    const { ms } = await timed(pace.enter);
    vi.useRealTimers();
    return { retried, ms };
  };
  test.each<[string, (string | undefined)[], boolean[], number]>([
    ['holds every request back for as long as it asks', ['2'], [true], 2_000],
    ['holds them back for a first pause where it asks for nothing', [undefined], [true], 200],
    ['is not added to another at the same time', ['2', '3', '1'], [true, true, true], 3_000],
    ['that asks for too long holds nothing back', ['6'], [false], 0],
  ])('%s', async (_, asked, retried, ms) => {
    expect(await held(...asked)).toEqual({ retried, ms });
  });
});

test('no more is waited for than is allowed altogether', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
  const { createRateLimiter: fresh } = await withFakeSleep();
  const pace = fresh(retryPolicy);
  const retried: boolean[] = [];
  for (const after of ['5', '4', '3']) {
    retried.push(await pace.beforeRetry(answer(429, after), 0));
    await timed(async () => (await pace.enter())());
  }
  expect(retried).toEqual([true, false, true]);
  vi.useRealTimers();
});
test('nothing is held back at first', async () => {
  const pace = createRateLimiter(retryPolicy);
  await expect(Promise.all(Array.from({ length: 50 }, () => pace.enter()))).resolves.toHaveLength(50);
});
test('no more are under way at once than it is told', async () => {
  const pace = createRateLimiter(retryPolicy, { atOnce: 2 });
  let entered = 0;
  const enter = async () => {
    const leave = await pace.enter();
    entered += 1;
    return leave;
  };
  const [first] = await Promise.all([enter(), enter()]);
  const third = enter();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(entered).toBe(2);
  first();
  await third;
  expect(entered).toBe(3);
});
test('after a 429 half as many are under way at once', async () => {
  const pace = createRateLimiter({ ...retryPolicy, firstPauseMs: 1 });
  const leave = await Promise.all(Array.from({ length: 8 }, () => pace.enter()));
  await pace.beforeRetry(answer(429, undefined), 0);
  for (const one of leave) one();
  let entered = 0;
  const again = Array.from({ length: 8 }, () =>
    pace.enter().then(() => {
      entered += 1;
    }),
  );
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([entered, again.length]).toEqual([4, 8]);
});

describe('a clock that is set during a pause', () => {
  test.each([
    ['forward', 3_600_000],
    ['back', -3_600_000],
  ])('%s makes it neither shorter nor longer', async (_, ms) => {
    const pace = createRateLimiter({ ...retryPolicy, firstPauseMs: 60 });
    await pace.beforeRetry(answer(429), 0);
    const start = performance.now();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
    await pace.enter();
    vi.useRealTimers();
    const waited = performance.now() - start;
    expect(waited).toBeGreaterThan(50);
    expect(waited).toBeLessThan(5_000);
  });
});

describe('at a rate', () => {
  test('requests begin one after another', async () => {
    const pace = createRateLimiter(retryPolicy, { perSecond: 50 });
    const start = performance.now();
    await Promise.all(Array.from({ length: 6 }, () => pace.enter()));
    expect(performance.now() - start).toBeGreaterThanOrEqual(95);
  });
  test('a pause also holds back those that wait for their turn', async () => {
    const pace = createRateLimiter({ ...retryPolicy, longestPauseMs: 1_000 }, { perSecond: 100 });
    const leave = await pace.enter();
    const waiting = Array.from({ length: 3 }, async () => {
      await pace.enter();
      return performance.now();
    });
    const paused = performance.now();
    await pace.beforeRetry(answer(429, '0.3'), 0);
    leave();
    const begun = await Promise.race(waiting);
    expect(begun - paused).toBeGreaterThanOrEqual(290);
  });
});

describe('a wait is reported with its cause', () => {
  test.each<[string, Result, Wait | undefined]>([
    [
      'for as long as a 429 states',
      answer(429, '2'),
      { cause: 'limited', status: 429, isStated: true, milliseconds: 2_000 },
    ],
    [
      'as the usual back-off if a 429 states nothing',
      answer(429),
      { cause: 'limited', status: 429, isStated: false, milliseconds: 10 },
    ],
    [
      'as a pause of all requests if a 503 states one',
      answer(503, '1'),
      { cause: 'limited', status: 503, isStated: true, milliseconds: 1_000 },
    ],
    ['as a back-off after a 500', answer(500), { cause: 'failed', status: 500, milliseconds: 10 }],
    [
      'as a back-off after a lost connection',
      failure('reset'),
      { cause: 'failed', status: undefined, milliseconds: 10 },
    ],
    ['not if the request is not sent again', answer(429, '6'), undefined],
  ])('%s', async (_, result, wait) => {
    const waits: Wait[] = [];
    const pace = createRateLimiter(
      { ...retryPolicy, firstPauseMs: 10 },
      { onWait: (begun) => waits.push(begun) },
    );
    await pace.beforeRetry(result, 0);
    expect(waits).toEqual(wait ? [wait] : []);
  });

  test('as that of a rate', async () => {
    const waits: Wait[] = [];
    const pace = createRateLimiter(retryPolicy, { perSecond: 50, onWait: (begun) => waits.push(begun) });
    await Promise.all([pace.enter(), pace.enter()]);
    expect(waits).toEqual([{ cause: 'rate', perSecond: 50, milliseconds: expect.any(Number) }]);
  });
});
