// The last step of `npm run build`: what the commands would else make of the data files at every start.
import { mkdirSync, writeFileSync } from 'node:fs';
import { buildData as ofReferenceServer } from './dist/reference-server/build-data.js';
import { buildData as ofRunner } from './dist/runner/catalog/build-data.js';

for (const [room, files] of [
  ['runner', await ofRunner()],
  ['reference-server', ofReferenceServer()],
]) {
  const folder = new URL(`dist/built/${room}/`, import.meta.url);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of files) writeFileSync(new URL(name, folder), text);
}
