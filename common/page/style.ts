import frame from './browser/frame.css.js';
import media from './browser/media.css.js';
import sections from './browser/sections.css.js';
import theme from './browser/theme.css.js';

/** The style sheets that all pages share, in their order: `media` follows the styles of the page. */
export { frame, media, sections, theme };
