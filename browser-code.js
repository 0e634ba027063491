// The code that runs in browsers: scripts in TypeScript and style sheets, in the folders `browser/`. A page contains its
// script and style sheet as texts. Other modules import the text of `page.css` as the default export of `page.css.js`,
// and the text of `page.ts`, bundled with its imports, as the default export of `page.ts.js`. These modules exist only in
// `dist/`, where the build writes them, and in bundlers with the plugin `browserCode`, such as Vite for the tests.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { rolldown } from 'rolldown';

/** Matches the path of a module that exports the text of a script or style sheet. */
export const browserModule = /\/browser\/[\w-]+\.(ts|css)\.js$/;

/**
 * Returns the code of the module that exports the text of a script or style sheet.
 * @param {string} file The path of the module: the path of the script or style sheet with `.js`.
 */
export async function writeBrowserModule(file) {
  const source = file.slice(0, -'.js'.length);
  const text = source.endsWith('.css') ? readStyleSheet(source) : await bundleScript(source);
  return `export default ${JSON.stringify(text)};\n`;
}

/** @param {string} file */
function readStyleSheet(file) {
  return readFileSync(file, 'utf8').replace(/^ *\/\*.*?\*\/\n/gms, '');
}

/** @param {string} file */
async function bundleScript(file) {
  const bundle = await rolldown({
    input: file,
    platform: 'browser',
    // No comments with the paths of the modules.
    experimental: { attachDebugInfo: 'none' },
    onLog: (_, { message }) => {
      throw new Error(message);
    },
  });
  const { output } = await bundle.generate({ format: 'iife', strict: true, comments: false });
  return output[0].code;
}

/** A plugin for Rolldown and Vite that provides the modules with the texts of scripts and style sheets. */
export const browserCode = () => ({
  name: 'browser-code',
  enforce: /** @type {const} */ ('pre'),
  /** @param {string} id @param {string | undefined} importer */
  resolveId: (id, importer) =>
    importer !== undefined && browserModule.test(id) ? resolve(dirname(importer), id) : undefined,
  /** @param {string} id */
  load: (id) => (browserModule.test(id) ? writeBrowserModule(id) : undefined),
});
