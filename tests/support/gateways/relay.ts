import { listen } from '../../../reference-server/wire/listen.ts';
import type { WireResponse } from '../../../reference-server/wire/response.ts';
import { writeWire } from '../../../reference-server/wire/write-wire.ts';
import type { Result } from '../../../runner/transport/exchange.ts';
import { defaultLimits, openTransport } from '../../../runner/transport/http.ts';

/** A connection for answers that were made elsewhere. */
export type Relay = {
  /** What the suite makes of that answer to a request of that method when it comes over HTTP, as the wire states it. */
  readonly receive: (
    wire: WireResponse,
    method: string,
    how: { readonly mustSucceed: boolean },
  ) => Promise<Result>;
  readonly close: () => Promise<void>;
};

/** Opens a relay of so many connections, with the server of the reference gateway at one end and what sends for a run at the other. */
export async function openRelay(connections: number): Promise<Relay> {
  const due = new Map<string, WireResponse>();
  const server = await listen('127.0.0.1', 0, {
    async onRequest({ url = '' }, response) {
      const wire = due.get(url);
      try {
        if (!wire) throw new Error(`Nothing is to be sent to ${url}.`);
        await writeWire(wire, response);
      } catch {
        response.destroy();
      }
    },
    onUnreadable: (status) => `HTTP/1.1 ${status} \r\n\r\n`,
  });
  const client = openTransport(`http://127.0.0.1:${server.port}`, { connections, limits: defaultLimits });
  let sent = 0;
  return {
    async receive(wire, method, how) {
      sent += 1;
      const path = `/${sent}`;
      due.set(path, wire);
      const result = await client.send({ method, path, headers: {}, body: undefined }, how);
      due.delete(path);
      return result;
    },
    async close() {
      await client.close();
      await server.close();
    },
  };
}
