import type { Context } from '../gateway/context.ts';

/** Whether a request is the first of its kind, or one of the first `times`, and one of those few that meet with a passing trouble. */
export function unlucky(share: number, times = 1): (ctx: Context) => boolean {
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
