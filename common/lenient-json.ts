const maxDepth = 500;

/** Thrown inside this module for a text that has no lenient reading. */
class NoReading extends Error {
  override readonly name = 'NoReading';
}

/**
 * Reads the first JSON value of a text as the most lenient of the common parsers do. RFC 8259, section 9, allows
 * parsers to accept more than JSON. Accepted are: a byte order mark, comments, single quotes, names without quotes,
 * additional commas, `NaN`, `Infinity`, any form of decimal number, control characters in strings, and any text after
 * the value. Returns undefined for a text that no common parser reads, such as a text that is cut off.
 */
export function readLenientJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: createReader(text).readValue(0) };
  } catch (error) {
    if (error instanceof NoReading) return undefined;
    throw error;
  }
}

const gap = /[\s\uFEFF]*(?:(?:(?:\/\/|#)[^\r\n]*|\/\*[\s\S]*?\*\/)[\s\uFEFF]*)*/y;
const string = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|'[^'\\]*(?:\\[\s\S][^'\\]*)*'/y;
const word = /[\p{L}\p{N}_$+.-]+/uy;
const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const words: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

function createReader(text: string): { readonly readValue: (depth: number) => unknown } {
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  /** Returns the next character after white space and comments, without taking it. */
  const peek = (): string | undefined => {
    take(gap);
    return text[at];
  };
  const expect = (sign: string): void => {
    if (peek() !== sign) throw new NoReading();
    at += 1;
  };
  /** Skips commas. Returns whether the container ends here; if not, a comma must stand before every later item. */
  const endsAt = (sign: string, isFirst: boolean): boolean => {
    let hasComma = isFirst;
    for (; peek() === ','; at += 1) hasComma = true;
    if (peek() === sign) {
      at += 1;
      return true;
    }
    if (!hasComma) throw new NoReading();
    return false;
  };
  const readName = (): string => {
    peek();
    const quoted = take(string);
    const name = quoted === undefined ? take(word) : unquote(quoted);
    if (name === undefined) throw new NoReading();
    return name;
  };
  const readObject = (depth: number): unknown => {
    expect('{');
    const members: [string, unknown][] = [];
    while (!endsAt('}', members.length === 0)) {
      const name = readName();
      expect(':');
      members.push([name, readValue(depth + 1)]);
    }
    return Object.fromEntries(members);
  };
  const readArray = (depth: number): unknown => {
    expect('[');
    const items: unknown[] = [];
    while (!endsAt(']', items.length === 0)) items.push(readValue(depth + 1));
    return items;
  };
  const readValue = (depth: number): unknown => {
    if (depth > maxDepth) throw new NoReading();
    const next = peek();
    if (next === '{') return readObject(depth);
    if (next === '[') return readArray(depth);
    const quoted = take(string);
    if (quoted !== undefined) return unquote(quoted);
    const plain = take(word) ?? '';
    if (words.has(plain)) return words.get(plain);
    if (!number.test(plain)) throw new NoReading();
    return Number(plain);
  };
  return { readValue };
}

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

function unquote(quoted: string): string {
  return quoted
    .slice(1, -1)
    .replace(/\\(?:u([\da-f]{4})|([\s\S]))/gi, (_, code: string | undefined, sign: string) =>
      code === undefined ? (escapes[sign] ?? sign) : String.fromCharCode(Number.parseInt(code, 16)),
    );
}
