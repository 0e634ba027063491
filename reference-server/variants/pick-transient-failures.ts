import type { Context } from '../gateway/context.ts';

/**
 * Creates a function that selects every `share`th distinct request for a failure. The function returns true for the
 * first `times` times that a selected request is sent. Create a separate function for each server, since the function
 * has state.
 */
export function pickTransientFailures(share: number, times = 1): (ctx: Context) => boolean {
  const seen = new Map<string, { readonly struck: boolean; times: number }>();
  return ({ request, body, credential }) => {
    const identity = [
      request.method,
      request.path,
      String(request.query),
      credential.header,
      credential.value,
      JSON.stringify(body),
    ].join(' ');
    const known = seen.get(identity) ?? { struck: (seen.size + 1) % share === 0, times: 0 };
    seen.set(identity, known);
    known.times += 1;
    return known.struck && known.times <= times;
  };
}
