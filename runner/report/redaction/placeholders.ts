/**
 * Redacted text is a sequence of pieces. `{{keys.valid}}` replaces a secret. `{{braces}}` replaces `{{` in text that looks
 * like a placeholder, so that no text of a gateway, a client or a recording can imitate one.
 */

/** A piece of a redacted text: original text, or the role of a redacted secret. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'secret'; readonly role: string };

/** The environment variable of a secret; or the owner of a key and how it was derived. */
const role =
  'env\\.[A-Za-z_][A-Za-z0-9_]{0,60}(?::part)?|keys\\.(?:valid|deleted|depleted|foreign|client|other-target)(?::(?:unknown|truncated|extended|suffixed|altered|altered-start|altered-end|shortened|swapped|other-prefix|other-case|prefix-less|(?:insert|replace|delete|swap|flip)(?:-[a-zA-Z0-9])?-[0-9]{1,5}))?(?::part)?';
const placeholders = new RegExp(`\\{\\{(${role}|braces)\\}\\}`);
const braces = '{{braces}}';

/** Returns the placeholder of a secret. */
export function placeholderOf(role: string): string {
  return `{{${role}}}`;
}

/** Escapes text that looks like a placeholder. */
export function escapeText(text: string): string {
  return text.includes('{{') ? text.replace(/\{\{(?=keys\.|env\.|braces\}\})/g, braces) : text;
}

/** Splits a redacted text into pieces. */
export function readPieces(redacted: string): Piece[] {
  const pieces: Piece[] = [];
  let text = '';
  for (const [index, part] of redacted.split(placeholders).entries()) {
    if (index % 2 === 0) text += part;
    else if (part === 'braces') text += '{{';
    else {
      if (text !== '') pieces.push({ kind: 'text', text });
      pieces.push({ kind: 'secret', role: part });
      text = '';
    }
  }
  return text === '' ? pieces : [...pieces, { kind: 'text', text }];
}

/** Applies `change` to the text between placeholders, and to the placeholders for which `keeps` returns false. */
export function mapText(
  redacted: string,
  change: (text: string) => string,
  keeps: (role: string) => boolean = () => true,
): string {
  if (!redacted.includes('{{')) return change(redacted);
  return redacted
    .split(placeholders)
    .map((part, index) => {
      if (index % 2 === 0) return change(part);
      return keeps(part) ? placeholderOf(part) : change(placeholderOf(part));
    })
    .join('');
}
