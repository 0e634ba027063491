import { errorChanges } from './errors.ts';
import { keyChanges } from './keys.ts';
import type { NamedChanges } from './named-change.ts';

/** All changes that need code, by name. `npm run schemas:editor` writes them into the schema of rules. */
export const namedChanges: NamedChanges = {
  ...errorChanges,
  ...keyChanges,
};
