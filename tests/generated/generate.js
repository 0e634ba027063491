// `npm run generate` writes the generated files of the repository. `npm run generate -- pins` writes tests/pins instead.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { browserCode } from '../../browser-code.js';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(dirname(here));

// Node.js 20 doesn't run TypeScript.
const bundle = await rolldown({
  input: join(here, 'files.ts'),
  platform: 'node',
  external: /^(?![./]|[A-Z]:)/i,
  tsconfig: join(root, 'tsconfig.json'),
  plugins: [browserCode()],
});
const file = join(root, 'node_modules', '.cache', 'generate', 'files.js');
await bundle.write({ file, codeSplitting: false });
const { generatedFiles, updatePins } = /** @type {typeof import('./files.ts')} */ (
  await import(pathToFileURL(file).href)
);

/** @param {string} path @param {string} text */
function write(path, text) {
  if (read(path) === text) return;
  writeFileSync(join(root, path), text);
  process.stdout.write(`${path}\n`);
}

/** @param {string} path */
const read = (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '');

if (process.argv[2] === 'pins') {
  for (const [path, text] of Object.entries(await updatePins())) write(path, text);
} else {
  for (const [path, update] of Object.entries(generatedFiles)) write(path, await update(read(path)));
}
