import { faults, variants } from '../../../reference-server/index.ts';
import { combineCells, groupCells, matrix } from './matrix.ts';

/** The gateways of the proof. The cells of the matrix are in gateways with several, and each in one of its own. */
export const gateways = {
  fault: faults,
  cells: groupCells(matrix),
  cell: matrix.map((cell) => combineCells([cell])),
  variant: variants,
};
