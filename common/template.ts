/**
 * A template is a text with placeholders: a name such as `{key}`, or a function with an argument, which can be a
 * template: `{base64({key}:)}`.
 */
const placeholder = /\{(\w+)(?:\((.*?)\))?\}/g;

/** Fills a template. `textOf` returns the text of a name or a function other than `base64`. */
export function fillTemplate(template: string, textOf: (name: string, argument: string) => string): string {
  return template.replace(placeholder, (_, name: string, argument = '') =>
    name === 'base64'
      ? Buffer.from(fillTemplate(argument, textOf)).toString('base64')
      : textOf(name, String(argument)),
  );
}

/**
 * Returns the text of the only placeholder of a template in a text of another program; undefined if the text does not
 * fit. Other programs are less strict: words may be in any case, with any space between them, a list may have other
 * items before, anything may follow the first character after the placeholder, and a base64 text may contain any other
 * name or password.
 */
export function matchTemplate(template: string, text: string): string | undefined {
  const [found] = template.matchAll(placeholder);
  if (!found) return undefined;
  const [whole, name, argument = ''] = found;
  const items = template.slice(0, found.index).split(/,\s*/);
  const [next = ''] = template.slice(found.index + whole.length);
  const value = name === 'base64' ? '([\\w+/-]+=*)$' : next === '' ? '(\\S.*)$' : `([^${escapeText(next)}]+)`;
  const words = (items.at(-1) ?? '').split(/\s+/).map(escapeText).join('\\s+');
  const pattern = new RegExp(`^${words}${value}`, 'is');
  for (const item of items.length > 1 ? text.split(',') : [text]) {
    const [, inside] = pattern.exec(item.trim()) ?? [];
    if (inside !== undefined) return name === 'base64' ? matchPair(argument, inside) : inside;
  }
  return undefined;
}

/** Matches `name:password` in base64. The part without a placeholder is either empty in both texts or in neither. */
function matchPair(template: string, base64: string): string | undefined {
  const parts = Buffer.from(base64, 'base64').toString('utf8').split(/:(.*)/s);
  const expected = template.split(/:(.*)/s);
  const at = expected[0]?.startsWith('{') ? 0 : 1;
  const isSameForm = parts.length > 1 && (parts[1 - at] === '') === (expected[1 - at] === '');
  return isSameForm && parts[at] !== '' ? parts[at] : undefined;
}

function escapeText(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
