import { entries } from './style/entries.ts';
import { findings } from './style/findings.ts';
import { frame } from './style/frame.ts';
import { media } from './style/media.ts';
import { sdkTableStyle } from './style/sdk-table.ts';
import { theme } from './style/theme.ts';

/** The one style sheet of the page. */
export const styleSheet = [theme, frame, findings, sdkTableStyle, entries, media].join('');
