/** Whether a body, or each event of a stream, is JSON that holds an error and nothing that a successful call returns. */
export function isErrorBody(text = ''): boolean {
  const events = text.split(/\r?\n/).flatMap((line) => /^data: ?(.*)/.exec(line)?.[1] ?? []);
  const parts = events.filter((event) => event !== endOfStream);
  return events.length === 0 ? isError(text) : parts.length > 0 && parts.every(isError);
}

const endOfStream = '[DONE]';

function isError(text: string): boolean {
  if (!/^\s*\{/.test(text)) return false;
  try {
    const { error, ...rest }: Readonly<Record<string, unknown>> = JSON.parse(text);
    if (typeof error !== 'object' || error === null) return false;
    const says = ['type', 'message'].some((name) => Object.hasOwn(error, name));
    return says && Object.values(rest).every((value) => typeof value !== 'object' || value === null);
  } catch {
    return false;
  }
}
