import { beforeAll, describe, expect, test } from 'vitest';
import { type Catalog, catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import type { TransportFailure } from '../../../runner/exchange/exchange.ts';
import type { Report } from '../../../runner/report/report.ts';
import type { EngineEvent } from '../../../runner/run/run-event.ts';
import type { Wait } from '../../../runner/send/rate-limiter.ts';
import { reportOn } from '../../support/gateways/judge-gateway.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await catalogOfPackage();
});

/**
 * Returns the report of a run whose gateway responds to 99 requests and then fails for this number of milliseconds.
 */
function reportWithOutage(
  reason: TransportFailure['reason'],
  milliseconds: number,
  onEvent?: (event: EngineEvent) => void,
  firstReason: TransportFailure['reason'] = reason,
): Promise<Report> {
  let sent = 0;
  let end = 0;
  return reportOn(catalog, () => ({}), {
    only: ['auth'],
    onEvent,
    observe: (transport) => ({
      ...transport,
      async send(request, how) {
        sent += 1;
        if (sent === 100) end = performance.now() + milliseconds;
        if (performance.now() >= end) return transport.send(request, how);
        const failure = { reason: sent === 100 ? firstReason : reason, detail: 'the gateway is down' };
        return { kind: 'failure', failure };
      },
    }),
  });
}

describe('a gateway that stops responding during a run', () => {
  test('is judged after the restart, and the wait is reported', async () => {
    const waits: Wait[] = [];
    const { stopped, summary } = await reportWithOutage('refused', 1_000, (event) => {
      if (event.kind === 'wait' && event.wait.cause === 'unreachable') waits.push(event.wait);
    });
    expect(waits.map(({ milliseconds }) => milliseconds)).toEqual([10_000, 0]);
    expect(stopped).toBeNull();
    expect(summary.cases).toMatchObject({ violates: 0, inconclusive: 0 });
  });

  test('ends the run without a wait if its responses take too long', async () => {
    const { stopped, durationMs } = await reportWithOutage('timeout', 60_000);
    expect(stopped?.kind).toBe('unanswered');
    expect(stopped?.reason).toMatch(/did not respond to 12 requests in a row \(the gateway is down\)/);
    expect(durationMs).toBeLessThan(8_000);
  });

  test('is reported with the request during which the connection broke', { timeout: 30_000 }, async () => {
    const { stopped } = await reportWithOutage('refused', 60_000, undefined, 'reset');
    expect(stopped?.reason).toMatch(
      /Earlier, the gateway closed the connection during [a-z]+\/[^#\s]+, so a request of this case may have ended the gateway\.$/,
    );
  });

  test('ends the run if no restart follows', { timeout: 30_000 }, async () => {
    const { stopped, durationMs } = await reportWithOutage('refused', 60_000);
    expect(stopped?.reason).toMatch(/did not respond to 12 requests in a row \(the gateway is down\)/);
    expect(durationMs).toBeLessThan(15_000);
  });
});
