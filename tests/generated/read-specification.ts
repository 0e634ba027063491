/**
 * Returns the name of every table row, numbered rule, list item and sentence in the numbered sections of a Markdown
 * text, in order. A name contains the section, the kind, and a number or the first cells of the row, such as
 * `2.1 row Prefix`.
 */
export function readSpecification(markdown: string): string[] {
  const pieces: string[] = [];
  let section = '';
  let table: string[] = [];
  let sentences = 0;
  let items = 0;
  for (const line of markdown.split('\n')) {
    const heading = /^#+ (\d+(?:\.\d+)?)?/.exec(line);
    const row = /^\|(.+)\|\s*$/.exec(line)?.[1]?.split('|').map(plain);
    if (heading) {
      section = heading[1] ?? '';
      [sentences, items] = [0, 0];
    } else if (section === '' || line.trim() === '') {
      table = [];
    } else if (row) {
      if (table.length === 0) table = row;
      else if (!row.every((cell) => /^:?-+:?$/.test(cell)))
        pieces.push(`${section} row ${rowName(table, row)}`);
    } else if (/^\d+\. /.test(line)) {
      pieces.push(`${section} rule ${Number.parseInt(line, 10)}`);
    } else if (line.startsWith('- ')) {
      items += 1;
      pieces.push(`${section} item ${items}`);
    } else {
      for (const _ of line.split(/(?<=[.:])\s+(?=[A-Z`])/)) {
        sentences += 1;
        pieces.push(`${section} sentence ${sentences}`);
      }
    }
  }
  return pieces;
}

/**
 * Returns the cells that identify a row in its table: the first cell, or more cells if the first cell is not unique.
 */
function rowName(table: readonly string[], row: readonly string[]): string {
  const cells: Readonly<Record<string, number>> = { Method: 3, 'HTTP status': 2 };
  return row.slice(0, cells[table[0] ?? ''] ?? 1).join(' ');
}

function plain(cell: string): string {
  return cell.replaceAll('`', '').trim();
}
