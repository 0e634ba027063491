import { faults } from '../../../reference-server/faults/index.ts';
import { variants } from '../../../reference-server/variants/index.ts';
import { matrix } from './matrix.ts';

/** The gateways of the proof. */
export const gateways = { fault: faults, cell: matrix, variant: variants };
