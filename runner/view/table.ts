import type { Look } from './signs.ts';

/** A table as a value. The terminal, Markdown and HTML have one rendering each of it. */
export interface Table {
  readonly title: string;
  /** The name of the column of labels. */
  readonly corner: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly legend?: readonly Meaning[];
  /** The rows that are left out, such as `3 more rows`. */
  readonly rest?: string | undefined;
}

/** `word`: a text of ours; `prose`: a sentence with code between backticks; `code`: an ID, a name or a foreign text. */
export type Kind = 'word' | 'prose' | 'code';

export interface Column {
  readonly name: string;
  readonly kind: Kind;
  /** Default: left. */
  readonly align?: 'centre' | 'right';
}

export interface Row {
  readonly label: string;
  readonly kind: Kind;
  /** What follows the label, such as a base URL. */
  readonly about?: string;
  /** What the label and `about` mean, in words. */
  readonly says?: string;
  readonly cells: readonly Cell[];
  /** The rows that the row stands for, which HTML shows on demand. */
  readonly members?: readonly Row[];
}

export interface Cell {
  /** The sign, and what follows it, such as `✗401`; empty if there is nothing to show. */
  readonly text: string;
  /** Default: `word`. */
  readonly kind?: Kind;
  /** What follows the text on demand: HTML folds it, the terminal shows it with `--verbose`, others count it. */
  readonly more?: readonly string[];
  readonly look?: Pick<Look, 'sign' | 'colour'>;
  /** The sign before the text in Markdown, which has no colours. */
  readonly emoji?: string;
  /** The class in HTML. */
  readonly tone?: string;
  /** The meaning in words, for readers who don't know the sign. */
  readonly says?: string;
  /** What only listeners need in addition. */
  readonly details?: string;
  /** The URL of the page to which the cell leads. */
  readonly link?: string;
  /** The ID of the case to which the cell leads. */
  readonly case?: string;
}

/** A meaning of a sign. Several meanings can have the same sign. */
export interface Meaning {
  readonly sign: string;
  readonly word: string;
  /** The class in HTML. */
  readonly tone?: string;
}
