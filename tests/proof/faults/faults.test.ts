import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../../contract/package-root.ts';
import { faults } from '../../../reference-server/faults/index.ts';
import { variants } from '../../../reference-server/variants/index.ts';
import {
  complainOfCases,
  complainOfFault,
  complainOfRequirements,
  complainOfVariant,
  type Spared,
} from './complaints.ts';
import { type Proof, prove } from './prove.ts';
import { proofMarkdown } from './table.ts';

const reports = join(packageRoot, 'reports');
const { PROVE_ONLY } = process.env;

const spared: Spared = {};

let proof: Proof;
beforeAll(async () => {
  proof = await prove(new RegExp(PROVE_ONLY ?? '.'));
  mkdirSync(reports, { recursive: true });
  writeFileSync(join(reports, 'proof.md'), proofMarkdown(proof));
}, 600_000);

describe('the suite', () => {
  test('finds every fault, and blames it for nothing else', () => {
    expect(proof.faults.flatMap(complainOfFault)).toEqual([]);
  });
  test('passes each faulty gateway with the baseline that an earlier run wrote', () => {
    const red = proof.faults.flatMap(({ gateway, judgement: { baselineFailure } }) =>
      baselineFailure === undefined ? [] : [`${gateway.id}: ${baselineFailure}`],
    );
    expect(red).toEqual([]);
  });
  test('blames no legal variant, and can judge each', () => {
    expect(proof.variants.flatMap(complainOfVariant)).toEqual([]);
  });
});

describe('the catalogues', () => {
  test.each([
    ['faults', faults],
    ['variants', variants],
  ])('%s have ids of their own and say what they do', (_, gateways) => {
    const ids = gateways.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(gateways.filter(({ about }) => !/\S.*\.$/.test(about)).map(({ id }) => id)).toEqual([]);
  });
  test('break only requirements that there are', () => {
    const unknown = faults.flatMap(({ id, violates }) =>
      violates
        .filter((requirement) => !proof.requirements.includes(requirement))
        .map((one) => `${id}: ${one}`),
    );
    expect(unknown).toEqual([]);
  });
});

describe.skipIf(PROVE_ONLY)('all faults together', () => {
  test('break every checked requirement in at least two ways', () => {
    expect(complainOfRequirements(proof)).toEqual([]);
  });
  test('leave no case without use', () => {
    expect(complainOfCases(proof, spared)).toEqual([]);
  });
});
