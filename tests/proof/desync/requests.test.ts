import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  connectTo,
  openRecordingProxy,
  type RawConnection,
  type RecordingProxy,
} from '../../support/raw-http.ts';
import type { StartedServer } from '../../support/start-program.ts';
import { isToolMissing } from '../../support/tools.ts';
import { readResponses } from './read-responses.ts';
import { type AttackRow, requestRows } from './requests.ts';
import { takeSeenRequests, upstreams } from './upstreams.ts';

for (const { name, needs, start } of upstreams) {
  describe.skipIf(needs && isToolMissing(needs))(
    `a gateway of ${name} and the proxy interpret the same requests in`,
    () => {
      let upstream: StartedServer;
      beforeAll(async () => {
        upstream = await start();
      });
      afterAll(() => upstream.stop());

      test.each(requestRows)('$name', async (row) => {
        const proxy = await openRecordingProxy(upstream.url);
        const attacker = connectTo(proxy);
        await attack(attacker, row);
        const victim = connectTo(proxy);
        victim.send('GET /victim HTTP/1.1\r\nHost: p\r\nx-api-key: victim\r\nConnection: close\r\n\r\n');
        const answered = readResponses(await victim.waitForEnd(), { isEnded: true });
        expect(answered.map(({ body }) => JSON.parse(body))).toEqual([{ path: '/victim', key: 'victim' }]);
        attacker.socket.destroy();
        expect(await attacker.waitForEnd()).not.toContain('victim');
        while (proxy.countActive() > 0) await new Promise((resolve) => setTimeout(resolve, 2));

        const seen = (await takeSeenRequests(upstream)).filter(({ path }) => path !== '/victim');
        expect(seen.map(({ path }) => path)).not.toContain('/smuggled');
        if (row.sees === 'broken') {
          // A client would treat anything that is written now as a response of the gateway.
          expect(attacker.received()).toBe('');
          expect(seen.length).toBeLessThanOrEqual(1);
          expect(attackExchanges(proxy)).toHaveLength(1);
          expect(attackExchanges(proxy)[0]?.requestUnreadable).toBe('the client did not send the whole body');
        } else if (row.sees === 'refused') {
          expect(seen).toEqual([]);
          expect(attackExchanges(proxy)).toEqual([]);
          expect(proxy.refused).toHaveLength(1);
        } else {
          expect(seen).toHaveLength(row.sees);
          if (row.bytes !== undefined) expect(seen[0]?.bytes).toBe(row.bytes);
          expect(proxy.refused).toEqual([]);
          const both = attackExchanges(proxy).map(({ request, result }) => ({
            method: request.method,
            path: new URL(request.url).pathname,
            // A gateway that responds early does not read the body.
            bytes: request.url.endsWith('/early') ? 0 : Buffer.byteLength(request.body ?? '', 'latin1'),
            status: result.kind === 'answer' ? result.answer.status : undefined,
          }));
          expect(both).toEqual(seen.map((item) => ({ ...item, status: 200 })));
        }
      });
    },
  );
}

/** Sends the bytes of a row, and waits for the expected responses or for the end of the connection. */
async function attack(attacker: RawConnection, { send, sees }: AttackRow): Promise<void> {
  const parts = [send].flat();
  for (const [index, part] of parts.entries()) {
    attacker.send(part);
    if (typeof sees !== 'number') await attacker.waitForEnd();
    else if (index === 0) await attacker.waitFor(parts.length > 1 ? wholeResponse : responses(sees));
    else if (sees > 1) await attacker.waitFor(responses(sees));
  }
}

// Until an early response ends, the proxy forwards further pieces of the body, which the gateway may still read.
const wholeResponse = /HTTP\/1\.1 [2-5].*?\r\n\r\n\{.*?\}/s;

/** Returns a pattern that matches this number of final responses. */
function responses(count: number): RegExp {
  return new RegExp(`(HTTP/1\\.1 [2-5].*?\\r\\n\\r\\n.*?){${count}}`, 's');
}

/** Returns the exchanges that the proxy reports, without the exchange of the victim. */
function attackExchanges(proxy: RecordingProxy): RecordingProxy['exchanges'] {
  return proxy.exchanges.filter(({ request }) => !request.url.endsWith('/victim'));
}
