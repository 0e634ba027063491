import type { Report } from '../report/report.ts';

/** The style of a text for people; machine formats ignore it. */
export interface TextStyle {
  readonly colour: boolean;
  /** Shows every case of a finding, its exchange, and the observations. */
  readonly verbose: boolean;
  /** Columns in a line; infinite if lines are not wrapped. */
  readonly width: number;
  /** The files to which other reports of the same run are written. */
  readonly files?: readonly { readonly name: string; readonly file: string }[];
}

/** Makes one text of a report; pure. */
export type Reporter = (report: Report, style: TextStyle) => string;
