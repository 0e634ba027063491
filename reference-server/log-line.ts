import type { Handled } from './gateway/gateway.ts';
import { presentedKey } from './gateway/presented-key.ts';

/** One line about an exchange: time, method, operation, model, key role, status, duration, trace id. Never a key. */
export function logLine({ ctx, wire, error }: Handled, now: number): string {
  const parts = [
    new Date(ctx.now).toISOString(),
    ctx.request.method,
    ctx.operation?.id ?? safePath(ctx.request.path),
    // Of what a client wrote, only what the seed knows too: a key may stand in any other place.
    ...(ctx.model ? [`model=${ctx.model.id}`] : []),
    ...(ctx.streamed ? ['streamed'] : []),
    `key=${presentedKey(ctx)}`,
    String(wire.status),
    `${now - ctx.now}ms`,
    ctx.traceId,
  ];
  if (error !== undefined) parts.push(`error=${describe(error)}`);
  return parts.join(' ');
}

// A path that is no endpoint helps to find a wrong base URL. It is shown where it looks like one: short segments
// of a plain alphabet, and nothing that could be a key.
function safePath(path: string): string {
  return path
    .split('/')
    .map((segment) => (/^(?!sk-)[a-z0-9._:-]{0,24}$/i.test(segment) ? segment : '…'))
    .join('/')
    .slice(0, 120);
}

// The words of our own errors; whatever looks like a key in them is left out.
function describe(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : typeof error;
  return JSON.stringify(text.replace(/sk-\S*/gi, '…').slice(0, 200));
}
