import type { Facts } from '../catalog/condition.ts';
import type { Passed } from '../proxy/passed.ts';
import { joined } from '../proxy/raw-headers.ts';
import type { Exchange } from '../send/exchange.ts';

/** Headers of one connection, or of one body, that would be wrong in a request that is sent again. */
const ofConnection = [
  'host',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
];

/** The header in which a request carries its key, in the words of the fact `header`. */
export function headerOf({ request }: Passed): string {
  const names = new Set(request.headers.map(([name]) => name));
  if (names.has('authorization')) return 'bearer';
  return ['x-api-key', 'x-goog-api-key'].find((name) => names.has(name)) ?? 'none';
}

/** A request that passed by, as the exchange that the ledger judges and the report shows. */
export function exchangeOf(
  passed: Passed,
  known: {
    readonly id: string;
    readonly facts: Facts;
    readonly model: string | undefined;
    readonly baseUrl: string;
  },
): Exchange {
  const { method, url, headers, body } = passed.request;
  const shown = Object.entries(joined(headers)).filter(([name]) => !ofConnection.includes(name));
  return {
    id: known.id,
    facts: known.facts,
    model: known.model,
    request: { method, path: url.slice(known.baseUrl.length), headers: Object.fromEntries(shown), body },
    result: passed.result,
    startedAt: passed.startedAt,
    durationMs: passed.durationMs,
    earlier: [],
    controlAfter: undefined,
  };
}
