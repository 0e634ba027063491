import { createPageStyle, type PageStyle } from '../../reporters/terminal/page.ts';
import { getStderrWidth, isColourEnabled, log } from './terminal.ts';

/** The style of stderr, and a function that writes lines in this style. */
export interface LogPage {
  readonly page: PageStyle;
  readonly logLines: (lines: readonly string[]) => void;
}

export function createLogPage(verbose: boolean): LogPage {
  const page = createPageStyle({
    colour: isColourEnabled(process.env, process.stderr.isTTY),
    verbose,
    width: getStderrWidth(),
  });
  return { page, logLines: (lines) => log(lines.join('\n'), { colours: page.colour }) };
}
