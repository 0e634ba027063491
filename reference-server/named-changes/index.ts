import { bodyChanges } from './bodies.ts';
import { errorChanges } from './errors.ts';
import type { NamedChanges } from './named-change.ts';

/** All changes that need code, by name. `npm run schemas:editor` writes them into the schema of rules. */
export const namedChanges: NamedChanges = {
  ...errorChanges,
  ...bodyChanges,
};
