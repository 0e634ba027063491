import { classifyPresentedKey } from './gateway/context.ts';
import type { HandledRequest } from './gateway/create-gateway.ts';

/**
 * Formats the log line of a request, such as `TIME POST chat model=MODEL streamed key=valid 200 3ms TRACE_ID`.
 * The line contains no key.
 */
export function formatLogLine({ ctx, wire, error }: HandledRequest, now: number): string {
  const parts = [
    new Date(ctx.now).toISOString(),
    ctx.request.method,
    ctx.operation?.id ?? safePath(ctx.request.path),
    // A model ID that the client sent could contain a key, so only the ID of a listed model is logged.
    ...(ctx.model ? [`model=${ctx.model.id}`] : []),
    ...(ctx.streamed ? ['streamed'] : []),
    `key=${classifyPresentedKey(ctx)}`,
    ...(wire.ending === 'unanswered' ? [] : [String(wire.status)]),
    ...(wire.ending === 'finish' || wire.ending === 'closed' ? [] : ['connection=broken']),
    `${now - ctx.now}ms`,
    ctx.traceId,
  ];
  if (error !== undefined) parts.push(`error=${formatError(error)}`);
  return parts.join(' ');
}

// An unknown path helps the user to find a wrong base URL. A segment is logged only if its text is short and plain,
// so that the segment cannot be a key.
function safePath(path: string): string {
  return path
    .split('/')
    .map((segment) => (/^(?!sk-)[a-z0-9._:-]{0,24}$/i.test(segment) ? segment : '…'))
    .join('/')
    .slice(0, 120);
}

// Formats an error without texts that look like a key.
function formatError(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : typeof error;
  return JSON.stringify(text.replace(/sk-\S*/gi, '…').slice(0, 200));
}
