import { readSetupRows, setupOf } from '../read-setups.ts';
import type { Variant } from './variant.ts';

/** Reads the variants of a topic from its YAML file. Throws a `DataFileError` if the file is invalid. */
export const readVariants = (topic: string): readonly Variant[] =>
  readSetupRows<Omit<Variant, 'setup'>>('variants', topic).map(({ id, about, warns, undecided, ...row }) => ({
    id,
    about,
    ...(warns && { warns }),
    ...(undecided && { undecided }),
    setup: setupOf({ kind: 'variant', id, about }, row),
  }));
