import type { Report } from '../report/report.ts';

/** The style of a report. The reporter `terminal` uses all members; `junit` and `tap` use only `strictClient`. */
export interface TextStyle {
  readonly colour: boolean;
  /** Whether to show every cause, all cases of a cause, the exchange of each example, and the observations. */
  readonly verbose: boolean;
  /** The number of columns of a line; `Infinity` disables wrapping. */
  readonly width: number;
  /** Whether a violated client duty of level `must` fails the command. Default: false. */
  readonly strictClient?: boolean;
  /** The files of the other reports of the same run, and the names of their reporters. */
  readonly files?: readonly { readonly name: string; readonly file: string }[];
}

/** A function without side effects that formats a report as text. */
export type Reporter = (report: Report, style: TextStyle) => string;
