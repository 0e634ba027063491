/**
 * Redacted text is an encoding of pieces: `{{keys.valid}}` stands where a secret was, and `{{braces}}` for `{{` in front of
 * what would read as a placeholder otherwise. So no text of a gateway, a client or a recording can pass for a placeholder.
 */

/** A piece of a redacted text: text as it was, or the role of the secret that stood there. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'secret'; readonly role: string };

/** The variable that a secret comes from, or the owner of a key and how a derived key differs from that one. */
const role =
  'env\\.[A-Za-z_][A-Za-z0-9_]{0,60}(?::part)?|keys\\.(?:valid|deleted|depleted|foreign|client|other-target)(?::(?:unknown|truncated|extended|suffixed|altered|altered-start|altered-end|shortened|swapped|other-prefix|other-case|prefix-less|(?:insert|replace|delete|swap|flip)(?:-[a-zA-Z0-9])?-[0-9]{1,5}))?(?::part)?';
const placeholders = new RegExp(`\\{\\{(${role}|braces)\\}\\}`);
const braces = '{{braces}}';

/** What stands in the place of a secret. */
export function placeholderOf(role: string): string {
  return `{{${role}}}`;
}

/** Foreign text as a piece of a redacted one. */
export function escapeText(text: string): string {
  return text.includes('{{') ? text.replace(/\{\{(?=keys\.|env\.|braces\}\})/g, braces) : text;
}

/** The pieces of a redacted text. */
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

/** Changes what stands between the placeholders of a text, and those that aren't to be kept. */
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
