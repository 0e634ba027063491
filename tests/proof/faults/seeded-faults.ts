import { type Fault, faults } from '../../../reference-server/faults/index.ts';
import { matrix } from './matrix.ts';

/** The faults of the proof: those that tell a mechanism of their own, and the cells of the matrix. */
export const seededFaults: readonly Fault[] = [...faults, ...matrix];
