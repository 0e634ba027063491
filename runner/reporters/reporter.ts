import type { Report } from '../report/report.ts';

/** How a text for people is set; machine formats don't ask. */
export interface TextStyle {
  readonly colour: boolean;
  /** Shows every case of a finding, its exchange, and what was observed. */
  readonly verbose: boolean;
  /** Columns in a line; infinitely many where nothing is to be wrapped. */
  readonly width: number;
  /** The files to which other reports of the same run are written. */
  readonly files?: readonly { readonly name: string; readonly file: string }[];
}

/** Makes one text of a report; pure. */
export type Reporter = (report: Report, style: TextStyle) => string;
