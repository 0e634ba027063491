import { randomUUID } from 'node:crypto';
import { splitPointer } from '../../common/pointer.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import type { Header } from '../wire/response.ts';
import type { RefusalTexts } from './facts.ts';
import type { Edit, Form, Template } from './rule.ts';

/** The unchanged reply, from which templates take values, and the reason for a refusal. */
export type Right = {
  readonly body: Json;
  readonly headers: readonly Header[];
  /** What the refusal is about. */
  readonly problem?: RefusalTexts | undefined;
};

/**
 * Fills a template: `{ right: POINTER }` and `{ rightHeader: NAME }` become the value there, or null if nothing is there,
 * and `{ format: TEXT }` a text in which what is in braces is replaced.
 */
export function fill(template: Template, right: Right): Json {
  if (isList(template)) return template.map((item) => fill(item, right));
  if (!isObject(template)) return template;
  const pointer = onlyMember(template, 'right');
  if (typeof pointer === 'string') return valueAt(right.body, pointer) ?? null;
  const header = onlyMember(template, 'rightHeader');
  if (typeof header === 'string')
    return right.headers.find(([name]) => name.toLowerCase() === header.toLowerCase())?.[1] ?? null;
  const format = onlyMember(template, 'format');
  if (typeof format === 'string') return formatText(format, right);
  return Object.fromEntries(Object.entries(template).map(([name, item]) => [name, fill(item, right)]));
}

function formatText(text: string, { body, problem = {} }: Right): string {
  return text.replace(/\{(\/[^{}]*|[a-z]*)\}/g, (_, name: string) => {
    const value = /^(\/|$)/.test(name) ? valueAt(body, name) : problem[name];
    return typeof value === 'string' ? value : JSON.stringify(value ?? null);
  });
}

/**
 * Returns what an edit makes of a value; undefined if nothing is left. The form of a value that doesn't exist doesn't
 * exist either.
 */
export function edit(how: Edit, old: Json | undefined, right: Right): Json | undefined {
  if (!isObject(how)) return fill(how, right);
  if (onlyMember(how, 'remove') === true) return undefined;
  if (onlyMember(how, 'new') === 'uuid') return randomUUID();
  const form = onlyMember(how, 'as');
  if (isForm(form)) return old === undefined ? undefined : forms[form](old);
  return onlyMember(how, 'value') ?? fill(how, right);
}

/**
 * Returns a value with an edit of the value at the pointer. A missing member is added to the object around it; where
 * there is no such object, nothing changes.
 */
export function editAt(value: Json, pointer: string, how: Edit, right: Right): Json {
  return editInside(value, splitPointer(pointer), how, right) ?? null;
}

function editInside(
  value: Json,
  [name, ...others]: readonly string[],
  how: Edit,
  right: Right,
): Json | undefined {
  if (name === undefined) return edit(how, value, right);
  if (isList(value))
    return value.flatMap((item, index) => {
      const changed = String(index) === name ? editInside(item, others, how, right) : item;
      return changed === undefined ? [] : [changed];
    });
  if (!isObject(value)) return value;
  const old = Object.hasOwn(value, name) ? value[name] : undefined;
  if (old === undefined) {
    const added = others.length === 0 ? edit(how, undefined, right) : undefined;
    return added === undefined ? value : { ...value, [name]: added };
  }
  const changed = editInside(old, others, how, right);
  const { [name]: _, ...rest } = value;
  return changed === undefined ? rest : { ...value, [name]: changed };
}

/** Returns the value at a pointer; undefined if nothing is there. */
export function valueAt(value: Json, pointer: string): Json | undefined {
  let at: Json | undefined = value;
  for (const name of splitPointer(pointer)) {
    if (isList(at)) at = at[Number(name)];
    else at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }
  return at;
}

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

const onlyMember = (value: JsonObject, name: string): Json | undefined =>
  Object.keys(value).length === 1 && Object.hasOwn(value, name) ? value[name] : undefined;

const forms: Readonly<Record<Form, (value: Json) => Json>> = {
  string: (value) => (typeof value === 'string' ? value : JSON.stringify(value)),
  json: (value) => JSON.stringify(value),
  upper: (value) => (typeof value === 'string' ? value.toUpperCase() : value),
  undashed: (value) => (typeof value === 'string' ? value.replaceAll('-', '') : value),
  list: (value) => [value],
};

const isForm = (name: Json | undefined): name is Form =>
  typeof name === 'string' && Object.hasOwn(forms, name);
