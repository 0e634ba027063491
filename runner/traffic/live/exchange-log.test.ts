import { describe, expect, test } from 'vitest';
import type { ClientDuty } from '../../catalog/client-duties.ts';
import { createExchangeLog, type ExchangeLog } from './exchange-log.ts';

const requirements = [
  { id: 'auth/first', clause: ['5'], says: 'The first must be there.' },
  { id: 'auth/second', clause: ['5'], says: 'The second must be there.' },
];
type Passed = Parameters<ExchangeLog['add']>[0];
type CapturedResult = Passed['result'];
type Judged = Parameters<ExchangeLog['add']>[1];

const passed: Passed = {
  id: 'request 1',
  request: { method: 'POST', url: 'http://gateway.example/v1/models', headers: [], body: undefined },
  result: { kind: 'failure', failure: { reason: 'reset', detail: 'closed' } },
  startedAt: 0,
  durationMs: 1,
  notes: undefined,
  requestUnreadable: undefined,
  ended: 'whole',
};

function judged(id: string, change: Partial<Judged> = {}): Judged {
  const { result, startedAt, durationMs } = passed;
  const request = { method: 'GET', path: '/v1/models?key=secret', headers: {}, body: undefined };
  const attributes = { operation: 'models' };
  return {
    exchange: {
      id,
      attributes,
      model: undefined,
      request,
      result,
      startedAt,
      durationMs,
      earlier: [],
      controlAfter: undefined,
    },
    outcome: 'conforms',
    failed: [],
    failures: [],
    breaches: [],
    redact: (text) => text,
    describe: () => {
      throw new Error('Not needed.');
    },
    ...change,
  };
}
const fails = { outcome: 'violates', failed: [{ requirement: 'auth/second', outcome: 'violates' }] } as const;

describe('createExchangeLog', () => {
  test('counts exchanges by outcome and end, and findings in the order of the requirements', () => {
    const log = createExchangeLog(requirements);
    log.add(passed, judged('1'));
    log.add({ ...passed, ended: 'cut-by-client' }, judged('2', fails));
    log.add(
      passed,
      judged('3', { ...fails, failed: [...fails.failed, { requirement: 'auth/first', outcome: 'warns' }] }),
    );
    log.refuse({ reason: 'malformed', status: 400, detail: 'The request is not valid HTTP.' });
    const { entries, outcomes, ends, findings } = log.totals();
    expect([entries, outcomes.violates, outcomes.conforms]).toEqual([4, 2, 1]);
    expect(ends).toEqual({ 'no-response': 2, 'cut-by-client': 1, refused: 1 });
    expect(findings.map(({ id, count }) => [id, count])).toEqual([
      ['auth/first', 1],
      ['auth/second', 2],
    ]);
  });

  test('adds a failure that a later exchange proves to the entry of the earlier exchange', () => {
    const log = createExchangeLog(requirements);
    log.add(passed, judged('1', { describe: () => Object({}) }));
    const before = log.revision();
    const late = {
      requirement: requirements[1],
      outcome: 'violates',
      exchange: { id: '1' },
      finding: { message: 'Another key was accepted.' },
    };
    log.add(passed, judged('2', { failures: [Object(late)] }));
    expect(log.changedSince(before).map(({ number, outcome, broken }) => [number, outcome, broken])).toEqual([
      [1, 'violates', ['auth/second']],
      [2, 'conforms', []],
    ]);
    expect(log.totals().outcomes).toMatchObject({ violates: 1, conforms: 1 });
    expect(log.detail(1)?.late).toEqual([
      { id: 'auth/second', outcome: 'violates', message: 'Another key was accepted.' },
    ]);
  });

  test.each([
    ['GET', '/v1/models?key=secret'],
    ['GET', 'http://gateway.example/v1/models?key=secret'],
  ])('leaves out the host, and the query, which may contain a key: %s %s', (method, path) => {
    const log = createExchangeLog(requirements);
    const one = judged('1');
    log.add(passed, {
      ...one,
      exchange: { ...one.exchange, request: { ...one.exchange.request, method, path } },
    });
    expect(log.changedSince(0)[0]?.path).toBe('/v1/models');
  });

  test('counts what clients did, and the worst of it for each exchange, apart from the outcome of the gateway', () => {
    const duty = (id: string, level: ClientDuty['level']): ClientDuty => Object({ id, level });
    const breach = (id: string, level: ClientDuty['level']) => ({
      duty: duty(id, level),
      describe: () => Object({ message: '' }),
    });
    const log = createExchangeLog(requirements, []);
    log.add(passed, judged('1', { breaches: [breach('client/a', 'should'), breach('client/b', 'must')] }));
    log.add(passed, judged('2', { ...fails, breaches: [breach('client/a', 'should')] }));
    log.add(passed, judged('3', { breaches: [breach('client/c', 'observe')] }));
    expect(log.changedSince(0).map(({ outcome, byClient }) => [outcome, byClient])).toEqual([
      ['conforms', 'violates'],
      ['violates', 'warns'],
      ['conforms', undefined],
    ]);
    expect(log.totals()).toMatchObject({ byClient: { violates: 1, warns: 1 }, outcomes: { conforms: 2 } });
  });

  test('counts responses with a status of 500 or more, whatever their outcome', () => {
    const log = createExchangeLog(requirements);
    const answer = (status: number): CapturedResult =>
      Object({
        kind: 'answer',
        answer: { status, headers: {}, text: '', content: { kind: 'json', value: {} } },
      });
    for (const status of [200, 499, 500, 503]) {
      const one = judged(String(status));
      log.add(passed, { ...one, exchange: { ...one.exchange, result: answer(status) } });
    }
    expect(log.totals()).toMatchObject({ serverErrors: 2, outcomes: { conforms: 4 } });
  });

  test('stores the last 10,000 entries and the contents of the last 500', () => {
    const log = createExchangeLog(requirements);
    const describe: Judged['describe'] = () => Object({});
    for (let number = 1; number <= 10_500; number += 1) log.add(passed, judged(String(number), { describe }));
    expect(log.changedSince(0)).toHaveLength(10_000);
    expect(log.totals().entries).toBe(10_500);
    expect([log.detail(10_000), log.detail(10_001)]).toMatchObject([undefined, { breaches: [] }]);
  });
});
