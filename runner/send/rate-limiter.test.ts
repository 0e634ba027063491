import { describe, expect, test, vi } from 'vitest';
import type { Result } from '../exchange/exchange.ts';
import { parseRetryAfter, type RetryPolicy } from '../exchange/retry-policy.ts';
import { createRateLimiter, forEachUntilStopped, type Wait } from './rate-limiter.ts';
import { createStopSwitch } from './stop-switch.ts';

const now = Date.parse('2026-11-01T10:00:00Z');
test.each<[string | undefined, string | undefined, number | undefined]>([
  ['7', undefined, 7_000],
  [' 0 ', undefined, 0],
  ['1.5', undefined, 1_500],
  ['7', 'Sun, 01 Nov 2026 07:00:00 GMT', 7_000],
  ['Sun, 01 Nov 2026 10:00:30 GMT', undefined, 30_000],
  ['Sun, 01 Nov 2026 09:00:00 GMT', undefined, 0],
  ['Sun, 01 Nov 2026 10:00:30 GMT', 'soon', 30_000],
  // The clock of the gateway is three hours slow, then three hours fast.
  ['Sun, 01 Nov 2026 07:00:30 GMT', 'Sun, 01 Nov 2026 07:00:00 GMT', 30_000],
  ['Sun, 01 Nov 2026 13:00:30 GMT', 'Sun, 01 Nov 2026 13:00:00 GMT', 30_000],
  ['soon', undefined, undefined],
  ['', undefined, undefined],
  [undefined, undefined, undefined],
])('reads a Retry-After of %j in a response of %j as %j ms', (value, date, expected) => {
  const headers = {
    ...(value !== undefined && { 'retry-after': value }),
    ...(date !== undefined && { date }),
  };
  expect(parseRetryAfter(headers, now)).toBe(expected);
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

/** Imports `rate-limiter.ts` with a sleep that uses the fake clock. */
async function withFakeSleep(): Promise<typeof import('./rate-limiter.ts')> {
  const setTimeoutOf = (wait: number) => new Promise((done) => setTimeout(done, wait));
  vi.doMock('node:timers/promises', () => ({ setTimeout: setTimeoutOf }));
  vi.resetModules();
  return import('./rate-limiter.ts');
}

/** Measures an action with the fake clock, in milliseconds. */
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
    ['is sent after the first pause', answer(500), 0, true, 200],
    ['is sent a second time after twice the first pause', answer(503), 1, true, 400],
    ['is not sent a third time', answer(500), 2, false, 0],
    ['is sent after a lost connection', failure('reset'), 0, true, 200],
    ['is sent after a refused connection', failure('refused'), 0, true, 200],
    ['is not sent after a timeout', failure('timeout'), 0, false, 0],
    ['is not sent if the name does not resolve', failure('unresolved'), 0, false, 0],
    ['is not sent after a certificate error', failure('tls'), 0, false, 0],
    ['is not sent if a 429 asks for too long a pause', answer(429, '6'), 0, false, 0],
    ['is not sent if a 503 asks for too long a pause', answer(503, '6'), 0, false, 0],
    ['ignores Retry-After of a 500', answer(500, '6'), 0, true, 200],
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
  const pauseAfter = async (...asked: (string | undefined)[]) => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
    const fresh = await withFakeSleep();
    const limiter = fresh.createRateLimiter(retryPolicy);
    const retried: boolean[] = [];
    for (const after of asked) retried.push(await limiter.beforeRetry(answer(429, after), 0));
    const { ms } = await timed(limiter.enter);
    vi.useRealTimers();
    return { retried, ms };
  };
  test.each<[string, (string | undefined)[], boolean[], number]>([
    ['delays every request by its Retry-After', ['2'], [true], 2_000],
    ['delays every request by the first pause without Retry-After', [undefined], [true], 200],
    ['does not add its pause to a concurrent one', ['2', '3', '1'], [true, true, true], 3_000],
    ['with too long a Retry-After delays nothing', ['6'], [false], 0],
  ])('%s', async (_, asked, retried, ms) => {
    expect(await pauseAfter(...asked)).toEqual({ retried, ms });
  });
});

test('limits the sum of all pauses', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
  const { createRateLimiter: fresh } = await withFakeSleep();
  const limiter = fresh(retryPolicy);
  const retried: boolean[] = [];
  for (const after of ['5', '4', '3']) {
    retried.push(await limiter.beforeRetry(answer(429, after), 0));
    await timed(async () => (await limiter.enter())());
  }
  expect(retried).toEqual([true, false, true]);
  vi.useRealTimers();
});
test('delays no request at first', async () => {
  vi.useFakeTimers();
  const { createRateLimiter: fresh } = await withFakeSleep();
  const limiter = fresh(retryPolicy);
  const { ms } = await timed(() => Promise.all(Array.from({ length: 50 }, () => limiter.enter())));
  vi.useRealTimers();
  expect(ms).toBe(0);
});
test('limits the number of concurrent requests', async () => {
  const limiter = createRateLimiter(retryPolicy, { atOnce: 2 });
  let entered = 0;
  const enter = async () => {
    const leave = await limiter.enter();
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
test('does not wait for other requests after an abort', async () => {
  const stop = new AbortController();
  const limiter = createRateLimiter(retryPolicy, { atOnce: 1, signal: stop.signal });
  await limiter.enter();
  const waiting = [limiter.enter(), limiter.enter()];
  stop.abort();
  await expect(Promise.all([...waiting, limiter.enter()])).resolves.toHaveLength(3);
}, 1_000);
test('halves the concurrency after a 429', async () => {
  const limiter = createRateLimiter({ ...retryPolicy, firstPauseMs: 1 });
  const leave = await Promise.all(Array.from({ length: 8 }, () => limiter.enter()));
  await limiter.beforeRetry(answer(429, undefined), 0);
  for (const one of leave) one();
  let entered = 0;
  const again = Array.from({ length: 8 }, () =>
    limiter.enter().then(() => {
      entered += 1;
    }),
  );
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([entered, again.length]).toEqual([4, 8]);
});

describe('a change of the system clock during a pause', () => {
  test.each([
    ['forward', 3_600_000],
    ['back', -3_600_000],
  ])('%s does not change the pause', async (_, ms) => {
    const limiter = createRateLimiter({ ...retryPolicy, firstPauseMs: 60 });
    await limiter.beforeRetry(answer(429), 0);
    const start = performance.now();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
    await limiter.enter();
    vi.useRealTimers();
    const waited = performance.now() - start;
    expect(waited).toBeGreaterThan(50);
    expect(waited).toBeLessThan(5_000);
  });
});

describe('a maximum rate', () => {
  test('spreads the starts of requests over time', async () => {
    const limiter = createRateLimiter(retryPolicy, { perSecond: 50 });
    const start = performance.now();
    await Promise.all(Array.from({ length: 6 }, () => limiter.enter()));
    expect(performance.now() - start).toBeGreaterThanOrEqual(95);
  });
  test('delays waiting requests by a pause, too', async () => {
    const limiter = createRateLimiter({ ...retryPolicy, longestPauseMs: 1_000 }, { perSecond: 100 });
    const leave = await limiter.enter();
    const waiting = Array.from({ length: 3 }, async () => {
      await limiter.enter();
      return performance.now();
    });
    const paused = performance.now();
    await limiter.beforeRetry(answer(429, '0.3'), 0);
    leave();
    const begun = await Promise.race(waiting);
    expect(begun - paused).toBeGreaterThanOrEqual(290);
  });
});

describe('a wait is reported with its cause', () => {
  test.each<[string, Result, Wait | undefined]>([
    [
      'with the Retry-After of a 429',
      answer(429, '2'),
      { cause: 'limited', status: 429, isStated: true, milliseconds: 2_000 },
    ],
    [
      'as the usual back-off for a 429 without Retry-After',
      answer(429),
      { cause: 'limited', status: 429, isStated: false, milliseconds: 10 },
    ],
    [
      'as a pause of all requests for a 503 with Retry-After',
      answer(503, '1'),
      { cause: 'limited', status: 503, isStated: true, milliseconds: 1_000 },
    ],
    ['as a back-off after a 500', answer(500), { cause: 'failed', status: 500, milliseconds: 10 }],
    [
      'as a back-off after a lost connection',
      failure('reset'),
      { cause: 'failed', status: undefined, milliseconds: 10 },
    ],
    ['not if the request is not retried', answer(429, '6'), undefined],
  ])('%s', async (_, result, wait) => {
    const waits: Wait[] = [];
    const limiter = createRateLimiter(
      { ...retryPolicy, firstPauseMs: 10 },
      { onWait: (begun) => waits.push(begun) },
    );
    await limiter.beforeRetry(result, 0);
    expect(waits).toEqual(wait ? [wait] : []);
  });

  test('as the wait of a maximum rate', async () => {
    const waits: Wait[] = [];
    const limiter = createRateLimiter(retryPolicy, { perSecond: 50, onWait: (begun) => waits.push(begun) });
    await Promise.all([limiter.enter(), limiter.enter()]);
    expect(waits).toEqual([{ cause: 'rate', perSecond: 50, milliseconds: expect.any(Number) }]);
  });
});

test.each<[string, number, string | undefined, number]>([
  ['the first time', 0, undefined, 200],
  ['before the second-to-last retry', 1, undefined, 3_000],
  ['before the last retry', 2, undefined, 3_000],
  ['with a Retry-After', 1, '1', 1_000],
])('with a rate limit of 3 s, a 429 %s waits $3 ms', async (_, retry, after, ms) => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
  try {
    const fresh = await withFakeSleep();
    const limiter = fresh.createRateLimiter({ ...retryPolicy, retriesOf429: 3 });
    const waits = async (): Promise<void> => {
      await limiter.beforeRetry(answer(429, after), retry, 3_000);
      await limiter.enter();
    };
    expect((await timed(waits)).ms).toBe(ms);
  } finally {
    vi.useRealTimers();
  }
});

test('a list is left where a timer stops the run, even if no item waits for anything', async () => {
  const items = Array.from({ length: 1_000_000 }, (_, index) => index).values();
  const stop = createStopSwitch(undefined, 20);
  let last = -1;
  const lane = (): Promise<void> =>
    forEachUntilStopped(items, stop, (item) => {
      last = item;
    });
  await Promise.all([lane(), lane()]);
  expect(stop.stopped()?.kind).toBe('time');
  expect(last).toBeGreaterThan(0);
  expect(items.next().value).toBe(last + 1);
});
