import { isObject, type Json, type JsonObject } from '../json.ts';

/** The values of a template by name; undefined for a value that is absent. */
export type Scope = { readonly [name: string]: Json | undefined };

/** The parts of templates that occur several times, by name. */
export type Fragments = { readonly [name: string]: Json };

/** Fills a template. Returns undefined if nothing is left of it. */
export type Fill = (scope: Scope) => Json | undefined;

/** Items that the list around them contains one by one. */
class Items {
  readonly list: readonly Json[];
  constructor(list: readonly Json[]) {
    this.list = list;
  }
}

type Filled = Json | Items | undefined;
type Compiled = (scope: Scope) => Filled;

/**
 * Compiles a template. In its texts, `{name}` and `{name.member}` stand for a value, and `{name|JSON}` for the value or,
 * if it is absent or null, for this JSON. A text that consists of one of these becomes the value itself; a member or an
 * item without a value is left out. These objects are instructions:
 *
 * - `{ $each: NAME, $do: T }`: T for each item of a list. The members of an item are values in T, or the item is the value
 *   `item`. In a list, the results are its items.
 * - `{ $by: NAME, VALUE: T, … }`: the T of the value; nothing if there is none.
 * - `{ $use: NAME, name: T, … }`: the fragment of this name, with further values.
 */
export function compileTemplate(template: Json, fragments: Fragments): Fill {
  const compiled = new Map<string, Compiled>();
  const useFragment = (name: string, scope: Scope): Filled => {
    let fragment = compiled.get(name);
    if (!fragment) {
      const source = fragments[name];
      if (source === undefined) throw new Error(`no fragment is named "${name}"`);
      fragment = compile(source);
      compiled.set(name, fragment);
    }
    return fragment(scope);
  };

  function compile(node: Json): Compiled {
    if (typeof node === 'string') return compileText(node);
    if (!(isList(node) || isObject(node)) || isConstant(node)) return () => node;
    if (isList(node)) return compileList(node);
    if (node.$each !== undefined) return compileLoop(String(node.$each), node.$do ?? null);
    if (node.$by !== undefined) return compileChoice(node);
    if (node.$use !== undefined) return compileUse(node);
    const members = Object.entries(node).map(([name, item]) => [name, compile(item)] as const);
    return (scope) => fillMembers(members, scope);
  }

  function compileList(items: readonly Json[]): Compiled {
    const all = items.map(compile);
    return (scope) =>
      all.flatMap((fill) => {
        const value = fill(scope);
        if (value instanceof Items) return value.list;
        return value === undefined ? [] : [value];
      });
  }

  function compileLoop(name: string, body: Json): Compiled {
    const lookUp = compilePath(name);
    const fill = compileList(isList(body) ? body : [body]);
    return (scope) => {
      const list = lookUp(scope);
      if (!isList(list)) return undefined;
      return new Items(
        list.flatMap((item) => {
          const value = fill({ ...scope, ...(isObject(item) ? item : { item }) });
          return isList(value) ? value : [];
        }),
      );
    };
  }

  function compileChoice({ $by, ...cases }: JsonObject): Compiled {
    const lookUp = compilePath(String($by));
    const all = new Map(Object.entries(cases).map(([value, item]) => [value, compileSpread(item)]));
    return (scope) => all.get(String(lookUp(scope)))?.(scope);
  }

  // A list of alternatives is spread into the list around it.
  function compileSpread(item: Json): Compiled {
    const fill = compile(item);
    if (!isList(item)) return fill;
    return (scope) => {
      const value = fill(scope);
      return isList(value) ? new Items(value) : value;
    };
  }

  function compileUse({ $use, ...values }: JsonObject): Compiled {
    const members = Object.entries(values).map(([name, item]) => [name, compile(item)] as const);
    const name = String($use);
    if (members.length === 0) return (scope) => useFragment(name, scope);
    return (scope) => useFragment(name, { ...scope, ...fillMembers(members, scope) });
  }

  const fill = compile(template);
  return (scope) => plain(fill(scope));
}

function fillMembers(members: readonly (readonly [string, Compiled])[], scope: Scope): JsonObject {
  const object: Record<string, Json> = {};
  for (const [name, fill] of members) {
    const value = plain(fill(scope));
    if (value !== undefined) object[name] = value;
  }
  return object;
}

/** A loop that is the value of a member becomes a list; one without items is left out. */
function plain(value: Filled): Json | undefined {
  if (!(value instanceof Items)) return value;
  return value.list.length > 0 ? value.list : undefined;
}

/** Whether a template has neither values nor instructions, so that it is its own result. */
function isConstant(node: Json): boolean {
  if (typeof node === 'string') return !node.includes('{');
  if (isList(node)) return node.every(isConstant);
  return (
    !isObject(node) || Object.entries(node).every(([name, item]) => !name.startsWith('$') && isConstant(item))
  );
}

const placeholder = String.raw`\{([a-zA-Z_][\w.]*)(?:\|((?:[^{}]|\{\}|\{[^{}]*\})*))?\}`;
const wholeText = new RegExp(`^${placeholder}$`);
const inText = new RegExp(placeholder, 'g');

function compileText(text: string): Compiled {
  const [, path, fallback] = wholeText.exec(text) ?? [];
  if (path !== undefined) {
    const lookUp = compilePath(path);
    if (fallback === undefined) return lookUp;
    const otherwise: Json = JSON.parse(fallback);
    return (scope) => lookUp(scope) ?? otherwise;
  }
  if (!text.includes('{')) return () => text;
  const pieces = text.split(inText);
  // `split` returns the text before each placeholder, its path and its fallback, which texts do not have.
  const parts = pieces.flatMap((piece, index) =>
    index % 3 === 0 ? [() => piece] : index % 3 === 1 ? [compilePath(piece)] : [],
  );
  return (scope) => parts.map((part) => String(part(scope) ?? '')).join('');
}

function compilePath(path: string): (scope: Scope) => Json | undefined {
  const [name = '', ...members] = path.split('.');
  if (members.length === 0) return (scope) => scope[name];
  return (scope) => {
    let value = scope[name];
    for (const member of members)
      value = isObject(value) && Object.hasOwn(value, member) ? value[member] : undefined;
    return value;
  };
}

const isList = (value: Filled): value is readonly Json[] => Array.isArray(value);
