// What `npm run build` makes of the compiled sources: the data that the commands would else make of files at every
// start, and the commands as few files, together with the packages that most of them need.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { buildData as dataOfReferenceServer } from './dist/reference-server/build-data.js';
import { buildData as dataOfRunner } from './dist/runner/catalog/build-data.js';

const root = dirname(fileURLToPath(import.meta.url));
const dist = join(root, 'dist');

function write(folder, files) {
  mkdirSync(join(dist, folder), { recursive: true });
  for (const [name, text] of files) writeFileSync(join(dist, folder, name), text);
}

/**
 * Of undici only what sends: fetch, streams, caches and mocks take longer to load than all the rest of it. A tunnel
 * through a proxy asks for `connect`.
 */
const sending = `
import connect from 'undici/lib/api/api-connect.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
export { default as buildConnector } from 'undici/lib/core/connect.js';
export { default as Pool } from 'undici/lib/dispatcher/pool.js';
export { default as ProxyAgent } from 'undici/lib/dispatcher/proxy-agent.js';
Dispatcher.prototype.connect = connect;
`;
/** HTTP/2 is never agreed on, and Node takes long to load what speaks it. */
const withoutHttp2 = `module.exports = () => { throw new Error('HTTP/2 is not spoken.'); };`;

/** The packages that go into the files. */
const taken =
  /^(undici|commander|p-limit|proxy-from-env|string-width|wrap-ansi|@streamparser\/json|preact|preact-render-to-string|jsonc-parser|fast-xml-builder)($|\/)/;

async function bundle() {
  const made = await rolldown({
    input: join(dist, 'runner', 'cli', 'main.js'),
    platform: 'node',
    resolve: { mainFields: ['module', 'main'] },
    external: (id, importer = '') =>
      /^[@a-z]/.test(id) &&
      !taken.test(id) &&
      importer.startsWith(dist) &&
      !importer.includes('node_modules'),
    plugins: [
      {
        name: 'sending',
        resolveId: (id) => (id === 'undici' ? join(root, 'sending.js') : null),
        load: (id) => {
          if (id === join(root, 'sending.js')) return sending;
          return /[\\/]undici[\\/].*[\\/]client-h2\.js$/.test(id) ? withoutHttp2 : null;
        },
      },
    ],
    onLog: (_, { message }) => {
      throw new Error(message);
    },
  });
  const { output } = await made.write({ dir: join(dist, 'command'), chunkFileNames: '[name]-[hash].js' });
  return output.flatMap(({ moduleIds }) => moduleIds);
}

/** A package that only some runs need as one file, for its many take long to find. */
async function bundlePackage(name) {
  const made = await rolldown({ input: fileURLToPath(import.meta.resolve(name)), platform: 'node' });
  const file = join(dist, 'built', 'runner', `${name}.cjs`);
  const { output } = await made.write({ file, format: 'cjs' });
  return output.flatMap(({ moduleIds }) => moduleIds);
}

/** The licences of the packages that these modules are of, as each asks to be passed on with it. */
function licences(modules) {
  const folders = modules.flatMap(
    (file) => /^.*node_modules[\\/](@[^\\/]+[\\/])?[^\\/]+/.exec(file)?.[0] ?? [],
  );
  return [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? '' : `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
    return `${name} ${version}: ${license}\n${text}`;
  });
}

write('built/runner', await dataOfRunner());
write('built/reference-server', dataOfReferenceServer());
const modules = [...(await bundle()), ...(await bundlePackage('yaml'))];
write('command', [['LICENSES.txt', licences(modules).join('\n')]]);
