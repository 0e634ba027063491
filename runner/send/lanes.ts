import { type Result, type SentResult, succeeded, type WireRequest } from '../exchange/exchange.ts';

export interface SendOptions {
  readonly mustSucceed: boolean;
}

/** One connection, which carries one request at a time and is opened again when it was closed. */
export interface Lane {
  readonly send: (request: WireRequest, how: SendOptions) => Promise<Result>;
  /** How often the connection has been opened. */
  readonly opened: () => number;
  /** Whether the connection can carry the next request only in the next turn of the event loop. Default: false. */
  readonly rests?: boolean;
  readonly close: () => Promise<void>;
}

interface UsedLane {
  readonly lane: Lane;
  busy: boolean;
  /** The last refused request with a body, and the number of the connection that carried it. */
  refused: CarriedRequest | undefined;
  /** The last request, and the number of the connection that carried it. */
  last: CarriedRequest | undefined;
}

interface CarriedRequest {
  readonly request: WireRequest;
  readonly opened: number;
}

/**
 * Distributes requests over at most `most` connections. A result says in `previous` which request its connection carried
 * just before, and in `after` whether it carried a refused request with a body since its last success.
 */
export function createLanes(
  most: number,
  open: () => Lane,
): {
  readonly send: (request: WireRequest, how: SendOptions) => Promise<SentResult>;
  readonly closeAfterRefusals: () => void;
  readonly close: () => Promise<void>;
} {
  const lanes: UsedLane[] = [];
  const waiting: ((lane: UsedLane) => void)[] = [];
  let keepsRefused = true;
  const take = (): UsedLane | Promise<UsedLane> => {
    const free = lanes.find(({ busy }) => !busy);
    if (free) {
      free.busy = true;
      return free;
    }
    if (lanes.length >= most) return new Promise((resolve) => waiting.push(resolve));
    const added: UsedLane = { lane: open(), busy: true, refused: undefined, last: undefined };
    lanes.push(added);
    return added;
  };
  const release = (used: UsedLane): void => {
    const next = waiting.shift();
    used.busy = next !== undefined;
    next?.(used);
  };
  const replace = async (used: UsedLane): Promise<void> => {
    const index = lanes.indexOf(used);
    if (index < 0) return;
    const fresh: UsedLane = { lane: open(), busy: true, refused: undefined, last: undefined };
    lanes[index] = fresh;
    release(fresh);
    await used.lane.close();
  };
  return {
    async send(request, how) {
      const used = await take();
      const { lane, refused, last } = used;
      const result = await lane.send(request, how);
      const opened = lane.opened();
      const isSame = refused !== undefined && refused.opened === opened;
      const previous = last?.opened === opened ? last.request : undefined;
      used.last = { request, opened };
      if (!isSame || succeeded(result)) used.refused = undefined;
      if (isRefused(request, result)) used.refused = { request, opened };
      if (used.refused && !keepsRefused) await replace(used);
      else if (lane.rests) setImmediate(release, used);
      else release(used);
      return { ...result, ...(isSame && { after: refused.request }), ...(previous && { previous }) };
    },
    closeAfterRefusals: () => {
      keepsRefused = false;
    },
    close: async () => {
      await Promise.all(lanes.splice(0).map(({ lane }) => lane.close()));
    },
  };
}

function isRefused({ body }: WireRequest, result: Result): boolean {
  return body !== undefined && body !== '' && result.kind === 'answer' && result.answer.status >= 400;
}
