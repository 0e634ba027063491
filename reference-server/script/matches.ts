import type { Context } from '../gateway/context.ts';
import { presentedKey } from '../gateway/presented-key.ts';
import { isObject, type Json } from '../json.ts';
import type { ScriptMatch } from './rule.ts';

type Wanted = Required<ScriptMatch>;

const holds: { readonly [Name in keyof Wanted]: (wanted: Wanted[Name], ctx: Context) => boolean } = {
  operation: (wanted, { operation }) => operation !== undefined && [wanted].flat().includes(operation.id),
  method: (wanted, { request }) => request.method === wanted,
  path: (wanted, { request }) => fits(wanted, request.path),
  model: (wanted, { modelId }) => fits(wanted, modelId),
  key: (wanted, ctx) => presentedKey(ctx) === wanted,
  streamed: (wanted, { streamed }) => streamed === wanted,
  headers: (wanted, { request }) =>
    Object.entries(wanted).every(([name, text]) => fits(text, request.headers[name.toLowerCase()])),
  body: (wanted, { body }) => has(body, wanted),
};

/** Whether all that is wanted holds of a request, as far as the context knows it. */
export function matches(match: ScriptMatch, ctx: Context): boolean {
  const asked = <Name extends keyof Wanted>(name: Name): boolean => {
    const wanted: Partial<Wanted>[Name] = match[name];
    return wanted === undefined || holds[name](wanted, ctx);
  };
  return (
    asked('operation') &&
    asked('method') &&
    asked('path') &&
    asked('model') &&
    asked('key') &&
    asked('streamed') &&
    asked('headers') &&
    asked('body')
  );
}

/** Whether a text is as the pattern says, in which `*` is any text, line breaks included. */
function fits(pattern: string, text: string | undefined): boolean {
  if (text === undefined) return false;
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last))
    return false;
  // The leftmost place of each part leaves the most room for the next, so nothing has to be tried twice.
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > text.length - last.length) return false;
    at = found + part.length;
  }
  return true;
}

/** Whether a value has all that is wanted of it: stated members, stated items at any place, texts that fit. */
function has(value: unknown, wanted: Json): boolean {
  if (typeof wanted === 'string') return typeof value === 'string' && fits(wanted, value);
  if (Array.isArray(wanted))
    return Array.isArray(value) && wanted.every((item) => value.some((one) => has(one, item)));
  if (isObject(wanted))
    return isObject(value) && Object.entries(wanted).every(([name, item]) => has(value[name], item));
  return value === wanted;
}
