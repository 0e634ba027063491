import type { HandledRequest } from './gateway/create-gateway.ts';
import { presentedKey } from './gateway/presented-key.ts';

/**
 * Formats one line for the log: time, method, operation, model, key role, status, whether the connection was broken on
 * purpose, duration, trace ID. The line contains no key.
 */
export function formatLogLine({ ctx, wire, error }: HandledRequest, now: number): string {
  const parts = [
    new Date(ctx.now).toISOString(),
    ctx.request.method,
    ctx.operation?.id ?? safePath(ctx.request.path),
    // Any other text of the client could contain a key, so only a model ID of the seed is logged.
    ...(ctx.model ? [`model=${ctx.model.id}`] : []),
    ...(ctx.streamed ? ['streamed'] : []),
    `key=${presentedKey(ctx)}`,
    ...(wire.ending === 'unanswered' ? [] : [String(wire.status)]),
    ...(wire.ending === 'finish' ? [] : ['connection=broken']),
    `${now - ctx.now}ms`,
    ctx.traceId,
  ];
  if (error !== undefined) parts.push(`error=${formatError(error)}`);
  return parts.join(' ');
}

// An unknown path helps to find a wrong base URL. Segments are logged only if they are short and plain, and cannot be a
// key.
function safePath(path: string): string {
  return path
    .split('/')
    .map((segment) => (/^(?!sk-)[a-z0-9._:-]{0,24}$/i.test(segment) ? segment : '…'))
    .join('/')
    .slice(0, 120);
}

// Formats the message of an internal error, without texts that look like a key.
function formatError(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : typeof error;
  return JSON.stringify(text.replace(/sk-\S*/gi, '…').slice(0, 200));
}
