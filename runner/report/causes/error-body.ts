/** Whether a body is JSON that holds an error and nothing that a successful call returns. */
export function isErrorBody(text = ''): boolean {
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
