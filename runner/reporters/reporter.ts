import type { View } from '../view/view.ts';

/**
 * The style of a report or a comparison. The reporter `terminal` uses all properties. `junit`, `tap` and `ctrf` use only
 * `strictClient`.
 */
export interface TextStyle {
  readonly colour: boolean;
  /** Whether to show every cause, all cases of a cause, the exchange of each example, and the observations. */
  readonly verbose: boolean;
  /** The number of columns of a line. `Infinity` disables wrapping. */
  readonly width: number;
  /** Whether a violated client duty of level `must` fails the command. Default: false. */
  readonly strictClient?: boolean;
  /** The files of the reports of the same run, with the names of their reporters. Default: no files. */
  readonly files?: readonly { readonly name: string; readonly file: string }[];
}

/**
 * A text, or its pieces in their order. A report with thousands of exchanges is created in pieces, because the whole
 * text would need much memory. Each piece is created when the piece is written.
 */
export type ReportText = string | Generator<string>;

/** A function without side effects that lays out the view of a report as text. */
export type Reporter = (view: View, style: TextStyle) => ReportText;

/** The minimum length of a joined piece, in characters. Only the last piece of a text may be shorter. */
const minPiece = 64 * 1024;

/** Yields a text in pieces of at least 65,536 characters. Only the last piece can be shorter. */
export function* joinPieces(text: ReportText): Generator<string> {
  let joined = '';
  for (const piece of typeof text === 'string' ? [text] : text) {
    joined += piece;
    if (joined.length < minPiece) continue;
    yield joined;
    joined = '';
  }
  yield joined;
}

export function joinReportText(text: ReportText): string {
  return [...joinPieces(text)].join('');
}
