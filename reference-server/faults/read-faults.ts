import { readSetupRows, setupOf } from '../read-setups.ts';
import type { Fault } from './fault.ts';

/** Reads the faults of a topic from its YAML file. Throws a `DataFileError` if the file is invalid. */
export const readFaults = (topic: string): readonly Fault[] =>
  readSetupRows<Omit<Fault, 'setup'>>('faults', topic).map(({ id, about, violates, ...row }) => ({
    id,
    about,
    violates,
    setup: setupOf({ kind: 'fault', id, about }, row),
  }));
