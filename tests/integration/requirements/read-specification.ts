/** A heading, a row of a table, a rule, an item of a list or a sentence in a numbered section of the specification. */
export interface Piece {
  readonly section: string;
  /** `frame`: a heading, the head of a table, or words that only introduce what follows. */
  readonly kind: 'statement' | 'frame';
  /** The text on one line. The cells of a row are joined by a space. */
  readonly text: string;
}

/** Lists the pieces of the numbered sections of a Markdown text. */
export function listPieces(markdown: string): Piece[] {
  const pieces: Piece[] = [];
  let section = '';
  let isInTable = false;
  for (const line of markdown.split('\n')) {
    const heading = /^#+ (?:(\d+(?:\.\d+)?)\.? )?(.*)/.exec(line);
    const row = /^\|(.+)\|\s*$/.exec(line)?.[1];
    if (heading) section = heading[1] ?? '';
    if (section === '') continue;
    if (heading) pieces.push({ section, kind: 'frame', text: heading[2] ?? '' });
    else if (row !== undefined) {
      const cells = row.split('|').map((cell) => cell.trim());
      if (!cells.every((cell) => /^:?-+:?$/.test(cell)))
        pieces.push({ section, kind: isInTable ? 'statement' : 'frame', text: cells.join(' ') });
    } else {
      const text = line.replace(/^(?:\d+\.|-) /, '').trim();
      for (const sentence of text === '' ? [] : text.split(/(?<=[.:])\s+(?=[A-Z`])/))
        pieces.push({ section, kind: sentence.endsWith(':') ? 'frame' : 'statement', text: sentence });
    }
    isInTable = row !== undefined;
  }
  return pieces;
}

/** Returns the number of the section to which a clause belongs: `2.1` for the name `2.1 Prefix`. */
export function sectionOf(clause: string): string {
  return /^\d+(?:\.\d+)?/.exec(clause)?.[0] ?? '';
}

/** Splits a quotation at its omissions, at the ends of its sentences and between the cells of a row. */
export function fragmentsOf(quotation: string): string[] {
  return quotation
    .split(/…|(?<=\.)\s+(?=[A-Z`])|(?<=:)\s/)
    .map((part) => part.replace(/:$/, '').trim())
    .filter((part) => part !== '');
}
