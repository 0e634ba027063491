import {
  Composer,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  LineCounter,
  Parser,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';

export { isSeq, stringify } from 'yaml';

export interface ReadYaml {
  readonly document: Document.Parsed;
  /** The content of the document as plain JavaScript values. */
  readonly value: unknown;
  /** Returns the line, counted from 1, of an offset in the text. */
  readonly lineAt: (offset: number) => number;
}

/** The maximum nesting of lists and mappings. Deeper nesting could overflow the call stack. */
const mostLevels = 100;
/** The maximum number of values that aliases may repeat. */
const mostRepeated = 100_000;
/** The maximum number of aliases. The time to resolve one alias grows with the number of all aliases. */
const mostAliases = 1_000;

/**
 * Parses a YAML text. If the text is invalid, throws the error that `error` creates from the line and the problem. A
 * text is also invalid if the text has more than one document, or is nested deeper than 100 levels. `checkNodes`
 * finds further problems, such as a duplicate property or too many aliases.
 */
export function readYaml(text: string, error: (line: number, problem: string) => Error): ReadYaml {
  const lines = new LineCounter();
  const lineAt = (offset: number): number => lines.linePos(offset).line;
  const fail = (offset: number, problem: string): Error => error(lineAt(offset), problem);
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  for (const token of tokens) {
    const tooDeep = findOffsetBelow(mostLevels, token);
    if (tooDeep !== undefined)
      throw fail(tooDeep, `lists and mappings are nested deeper than ${mostLevels} levels. Flatten them.`);
  }
  // `checkNodes` finds duplicate keys in linear time. The composer would compare each key of a mapping with all
  // other keys.
  const composer = new Composer({ prettyErrors: false, uniqueKeys: false, keepSourceTokens: false });
  const [document, other] = [...composer.compose(tokens, true, text.length)];
  if (!document) throw error(1, 'the file contains no YAML document. Check the path.');
  const [problem] = document.errors;
  if (problem) throw fail(problem.pos[0], `invalid YAML. ${problem.message.replace(/\.?$/, '.')}`);
  if (other) throw fail(other.range[0], 'a second document begins here. Put each document in its own file.');
  checkNodes(document, fail);
  return { document, value: document.toJS({ maxAliasCount: -1 }), lineAt };
}

/**
 * Returns the offset of a value that is nested deeper than `levels`; undefined if no value is nested so deeply. Does
 * not recurse.
 */
function findOffsetBelow(levels: number, root: object): number | undefined {
  const open: { readonly token: object; readonly level: number }[] = [{ token: root, level: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { token, level } = next;
    if (level > levels) return 'offset' in token ? Number(token.offset) : 0;
    const items = 'items' in token && Array.isArray(token.items) ? token.items : undefined;
    const inner: readonly unknown[] = items
      ? items.flatMap(({ key, value }) => [key, value])
      : ['value' in token ? token.value : undefined];
    for (const one of inner)
      if (typeof one === 'object' && one !== null) open.push({ token: one, level: level + (items ? 1 : 0) });
  }
  return undefined;
}

/**
 * Throws an error for a duplicate property, or a property name that is a list or mapping. Also throws if an alias has
 * no anchor or is part of its own value, and if there are too many aliases or repeated values.
 */
function checkNodes(document: Document.Parsed, fail: (offset: number, problem: string) => Error): void {
  /** The number of values of each node with an anchor; undefined while these values are being counted. */
  const sizes = new Map<string, number | undefined>();
  let aliases = 0;
  let repeated = 0;
  countValues(document.contents);

  function countValues(node: unknown): number {
    if (isAlias(node)) {
      const offset = node.range?.[0] ?? 0;
      if (!sizes.has(node.source))
        throw fail(
          offset,
          `the alias *${node.source} has no anchor. Add &${node.source} before the value to repeat, above the alias.`,
        );
      const own = sizes.get(node.source);
      if (own === undefined)
        throw fail(offset, `the alias *${node.source} is part of its own value. Write the value out.`);
      aliases += 1;
      repeated += own;
      if (aliases > mostAliases || repeated > mostRepeated)
        throw fail(offset, 'aliases repeat too many values. Write the values out.');
      return own;
    }
    if (!isScalar(node) && !isCollection(node)) return 1;
    if (node.anchor !== undefined) sizes.set(node.anchor, undefined);
    let sum = 1;
    if (isCollection(node)) sum += isMap(node) ? countMapValues(node) : countListValues(node);
    if (node.anchor !== undefined) sizes.set(node.anchor, sum);
    return sum;
  }

  function countMapValues({ items }: YAMLMap): number {
    const keys = new Set<unknown>();
    let sum = 0;
    for (const { key, value } of items) {
      if (isCollection(key))
        throw fail(
          key.range?.[0] ?? 0,
          'the name of a property must be plain text, not a list or a mapping.',
        );
      if (isScalar(key)) {
        if (keys.has(key.value))
          throw fail(
            key.range?.[0] ?? 0,
            `duplicate property "${key.value}". Remove one of the two properties.`,
          );
        keys.add(key.value);
      }
      sum += countValues(key) + countValues(value);
    }
    return sum;
  }

  function countListValues({ items }: YAMLSeq): number {
    let sum = 0;
    for (const item of items) sum += countValues(item);
    return sum;
  }
}
