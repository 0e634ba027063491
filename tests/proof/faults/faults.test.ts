import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../../common/package-root.ts';
import { faults, variants } from '../../../reference-server/index.ts';
import {
  type CaseExceptions,
  complainOfCases,
  complainOfCells,
  complainOfFault,
  complainOfGroup,
  complainOfRequirements,
  complainOfVariant,
} from './complaints.ts';
import { matrix } from './matrix.ts';
import { type Proof, prove } from './prove.ts';
import { formatProof } from './table.ts';

const reports = join(packageRoot, 'reports');
const { PROVE_ONLY } = process.env;
/** In CI, each fault is tested with all cases. */
const isComplete = process.env.CI !== undefined;

const exceptions: CaseExceptions = {};

let proof: Proof;
beforeAll(async () => {
  proof = await prove(PROVE_ONLY === undefined ? undefined : new RegExp(PROVE_ONLY), { isComplete });
  mkdirSync(reports, { recursive: true });
  writeFileSync(join(reports, 'proof.md'), formatProof(proof));
}, 3_600_000);

describe('the suite', () => {
  test('reports exactly the requirements that each fault violates', () => {
    expect(proof.faults.flatMap(complainOfFault)).toEqual([]);
  });
  test('reports exactly the requirements that each cell of the matrix violates', () => {
    expect(proof.cells.flatMap(complainOfGroup)).toEqual([]);
  });
  test.skipIf(!isComplete)('passes a faulty gateway with the baseline of an earlier run', () => {
    const failures = [...proof.faults, ...proof.cells].flatMap(
      ({ gateway, judgement: { baselineFailure } }) =>
        baselineFailure === undefined ? [] : [`${gateway.id}: ${baselineFailure}`],
    );
    expect(failures).toEqual([]);
  });
  test('reports no violation of a conforming variant, and only the warnings and undecided requirements that the variant lists', () => {
    expect(proof.variants.flatMap(complainOfVariant)).toEqual([]);
  });
});

describe('the lists of', () => {
  test.each([
    ['faults', faults],
    ['variants', variants],
    ['cells of the matrix', matrix],
  ])('%s have unique ids and a description', (_, gateways) => {
    const ids = gateways.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(gateways.filter(({ about }) => !/\S.*[.']$/.test(about)).map(({ id }) => id)).toEqual([]);
  });
  test('faults violate only existing requirements', () => {
    const cells = matrix.map(({ id, violates, mayViolate }) => ({
      id,
      violates: [...violates, ...mayViolate],
    }));
    const unknown = [...faults, ...cells].flatMap(({ id, violates }) =>
      violates
        .filter((requirement) => !proof.requirements.includes(requirement))
        .map((one) => `${id}: ${one}`),
    );
    expect(unknown).toEqual([]);
  });
});

describe.skipIf(PROVE_ONLY || !isComplete)('all faults together', () => {
  test('contain at least two faults that violate each requirement', () => {
    expect(complainOfRequirements(proof)).toEqual([]);
  });
  test('contain a cell for which each requirement that it may violate is reported', () => {
    expect(complainOfCells(proof)).toEqual([]);
  });
  test('contain a fault or a cell that each case finds', () => {
    expect(complainOfCases(proof, exceptions)).toEqual([]);
  });
});
