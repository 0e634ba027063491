import { yamlLine } from '../catalog/data-file.ts';

/** One member of a drafted profile: in force, or an example that is commented out. */
export interface DraftLine {
  /** Where it stands: `['keys', 'valid']`. */
  readonly path: readonly string[];
  readonly value: unknown;
  readonly inForce: boolean;
  readonly comment: string;
}

/** A group of members under a sentence. */
export interface DraftSection {
  readonly about: readonly string[];
  readonly lines: readonly DraftLine[];
}

/** The text of a profile with comments; a member is in force where anything below it is. Texts are cleaned and quoted. */
export function draftProfile(head: readonly string[], sections: readonly DraftSection[]): string {
  const texts = sections.map(({ about, lines }) =>
    [...about.map(commented), ...layOut(lines)].map((line) => `${line}\n`).join(''),
  );
  return [head.map((line) => `${commented(line)}\n`).join(''), ...texts].join('\n');
}

interface Row {
  readonly text: string;
  readonly comment: string;
}

function layOut(lines: readonly DraftLine[]): string[] {
  const rows = lines.flatMap((line, index) => [
    ...parents(line, lines.slice(0, index), lines),
    row(line.path, ` ${yamlLine(line.value)}`, line),
  ]);
  const commentedRows = rows.filter(({ comment }) => comment !== '');
  const width = Math.min(80, Math.max(0, ...commentedRows.map(({ text }) => text.length)));
  return rows.map(({ text, comment }) =>
    comment === '' ? text : `${text.padEnd(width)}  ${commented(comment)}`,
  );
}

/** The members above one that no line before it has brought. */
function parents(line: DraftLine, before: readonly DraftLine[], all: readonly DraftLine[]): Row[] {
  return line.path.slice(0, -1).flatMap((_, depth) => {
    const path = line.path.slice(0, depth + 1);
    if (before.some((other) => isBelow(other, path))) return [];
    const inForce = all.some((other) => other.inForce && isBelow(other, path));
    return [row(path, '', { inForce, comment: '' })];
  });
}

function isBelow({ path }: DraftLine, above: readonly string[]): boolean {
  return path.length > above.length && above.every((name, index) => path[index] === name);
}

function row(
  path: readonly string[],
  value: string,
  { inForce, comment }: Pick<DraftLine, 'inForce' | 'comment'>,
): Row {
  const text = `${'  '.repeat(path.length - 1)}${yamlLine(path.at(-1))}:${value}`;
  return { text: inForce ? text : `# ${text}`, comment };
}

/** A comment of printable ASCII on one line, whatever stands in the text. */
function commented(text: string): string {
  return text === '' ? '#' : `# ${text.replace(/[^\x20-\x7e]/g, '?')}`;
}
