import { styleText } from 'node:util';
import type { TextStyle } from '../reporters.ts';

/** What lines are set with. */
export interface Page extends TextStyle {
  readonly paint: (format: Parameters<typeof styleText>[0], text: string) => string;
}

/** The page of a style. */
export function makePage(style: TextStyle): Page {
  return {
    ...style,
    paint: (format, text) => (style.colour ? styleText(format, text, { validateStream: false }) : text),
  };
}
