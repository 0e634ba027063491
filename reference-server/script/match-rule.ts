import type { Context } from '../gateway/context.ts';
import { classifyPresentedKey } from '../gateway/presented-key.ts';
import { isObject, type Json } from '../json.ts';
import type { ScriptMatch } from './rule.ts';

type Conditions = Required<ScriptMatch>;

const conditions: {
  readonly [Name in keyof Conditions]: (wanted: Conditions[Name], ctx: Context) => boolean;
} = {
  operation: (wanted, { operation }) => operation !== undefined && [wanted].flat().includes(operation.id),
  method: (wanted, { request }) => request.method === wanted,
  path: (wanted, { request }) => matchesPattern(wanted, request.path),
  model: (wanted, { modelId }) => matchesPattern(wanted, modelId),
  key: (wanted, ctx) => classifyPresentedKey(ctx) === wanted,
  streamed: (wanted, { streamed }) => streamed === wanted,
  headers: (wanted, { request }) =>
    Object.entries(wanted).every(([name, text]) => matchesPattern(text, request.headers[name.toLowerCase()])),
  body: (wanted, { body }) => containsValue(body, wanted),
};

/** Whether a request satisfies all conditions of a rule; true if the rule has no conditions. */
export function matchesRule(match: ScriptMatch, ctx: Context): boolean {
  const isSatisfied = <Name extends keyof Conditions>(name: Name): boolean => {
    const wanted: Partial<Conditions>[Name] = match[name];
    return wanted === undefined || conditions[name](wanted, ctx);
  };
  return (
    isSatisfied('operation') &&
    isSatisfied('method') &&
    isSatisfied('path') &&
    isSatisfied('model') &&
    isSatisfied('key') &&
    isSatisfied('streamed') &&
    isSatisfied('headers') &&
    isSatisfied('body')
  );
}

/** Whether a text matches a pattern in which `*` matches any text, including line breaks. */
function matchesPattern(pattern: string, text: string | undefined): boolean {
  if (text === undefined) return false;
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last))
    return false;
  // The first match of each part leaves the most text for the next part, so no backtracking is needed.
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > text.length - last.length) return false;
    at = found + part.length;
  }
  return true;
}

/**
 * Whether a value contains the wanted value. Objects can have more members, and arrays more items in any order.
 * Wanted strings are patterns.
 */
function containsValue(value: unknown, wanted: Json): boolean {
  if (typeof wanted === 'string') return typeof value === 'string' && matchesPattern(wanted, value);
  if (Array.isArray(wanted))
    return Array.isArray(value) && wanted.every((item) => value.some((one) => containsValue(one, item)));
  if (isObject(wanted))
    return (
      isObject(value) && Object.entries(wanted).every(([name, item]) => containsValue(value[name], item))
    );
  return value === wanted;
}
