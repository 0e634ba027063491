import type { Report } from '../report/report.ts';

/** The style of a report. Machine formats ignore all members except `strictClient`. */
export interface TextStyle {
  readonly colour: boolean;
  /** Whether to show every case of each cause, the exchange of each example, and the observations. */
  readonly verbose: boolean;
  /** The number of columns in a line; infinite if lines are not wrapped. */
  readonly width: number;
  /** Whether a violated client duty of level `must` fails the command. Default: false. */
  readonly strictClient?: boolean;
  /** The files to which other reports of the same run are written. */
  readonly files?: readonly { readonly name: string; readonly file: string }[];
}

/** Formats a report as one text, without side effects. */
export type Reporter = (report: Report, style: TextStyle) => string;
