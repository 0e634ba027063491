import { listChanges } from '../../build.js';

/**
 * Throws an error if `dist/` is not the whole output of a build of the present code. The data files don't matter, since
 * the command reads a changed file itself.
 */
export function assertBuilt(): void {
  const [changed] = listChanges().filter((part) => part !== 'data');
  if (changed === undefined) return;
  const problem = changed === 'code' ? 'older than the code' : 'missing or incomplete';
  throw new Error(`dist/ is ${problem}. Run \`npm run build\` first.`);
}
