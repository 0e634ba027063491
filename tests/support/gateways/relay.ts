import { listen } from '../../../reference-server/wire/listen.ts';
import type { WireResponse } from '../../../reference-server/wire/response.ts';
import { writeWire } from '../../../reference-server/wire/write-wire.ts';
import type { Result } from '../../../runner/exchange/exchange.ts';
import { defaultLimits } from '../../../runner/send/deadline.ts';
import { openTransport } from '../../../runner/send/http.ts';

/** Local HTTP connections that transport the responses of a gateway in this process. */
export type Relay = {
  /** Sends a response over HTTP and returns the response that the transport of the suite receives. */
  readonly receive: (
    wire: WireResponse,
    method: string,
    how: { readonly mustSucceed: boolean },
  ) => Promise<Result>;
  readonly close: () => Promise<void>;
};

/**
 * Opens a relay with at most this number of connections between the server of the reference gateway and the transport
 * of the suite.
 */
export async function openRelay(connections: number): Promise<Relay> {
  const due = new Map<string, WireResponse>();
  const server = await listen('127.0.0.1', 0, {
    async onRequest({ url = '' }, response) {
      const wire = due.get(url);
      try {
        if (!wire) throw new Error(`No response was registered for ${url}.`);
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
