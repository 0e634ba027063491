import { expect, test } from 'vitest';
import { createCase, createCheck, createReport } from '../../tests/support/reports.ts';
import { catalogOfPackage } from '../catalog/catalog.ts';
import type { Finding } from '../judge/finding.ts';
import type { CheckReport } from '../report/report.ts';
import { formatProposals, proposeDeviations } from './propose-deviations.ts';

const { errors, ledger } = await catalogOfPackage();

const violated = (requirement: string, ...findings: readonly Finding[]): CheckReport =>
  createCheck(requirement, 'violates', {
    findings: findings.map((finding) => ({ exchange: '', message: '', finding })),
  });
const wrongType = (expected: string, actual: unknown): Finding => ({
  kind: 'wrong-type',
  expected: [expected],
  actual,
});
const wrongStatus = (actual: number): Finding => ({ kind: 'wrong-status', expected: '400', actual });
const propose = (...checks: readonly CheckReport[]): string =>
  formatProposals(
    proposeDeviations(createReport(checks.map((check, index) => createCase(`a/${index}`, [check]))), {
      errors,
      requirements: ledger.requirements,
    }),
  );

const unlisted = 'models/unlisted';
const notFound = wrongType('model_not_available', 'not_found');

test('proposes the name and the status that the gateway always has', () => {
  const proposed = propose(
    violated(unlisted, wrongStatus(404), notFound),
    violated(unlisted, wrongStatus(404), notFound),
  );
  expect(proposed).toContain('model_not_available: { name: not_found, status: 404 }  # seen in 2 checks');
});
test('proposes a status alone', () => {
  expect(propose(violated(unlisted, wrongStatus(404)))).toContain('model_not_available: { status: 404 }');
});
test('proposes a member that is always absent', () => {
  const id = 'model-error/trace-id-present';
  expect(propose(violated(id, { kind: 'missing', place: '/trace_id' }))).toContain(`requirement: ${id}`);
});

test.each<[about: string, checks: readonly CheckReport[]]>([
  [
    'two names',
    [violated(unlisted, notFound), violated(unlisted, wrongType('model_not_available', 'other'))],
  ],
  ['a response that conforms', [violated(unlisted, notFound), createCheck(unlisted, 'conforms')]],
  ['a success', [violated(unlisted, wrongStatus(200))]],
  ['a failure of the gateway', [violated(unlisted, wrongStatus(500), notFound)]],
  ['a type that is no text', [violated(unlisted, wrongType('model_not_available', null))]],
  ['another finding', [violated(unlisted, notFound, { kind: 'missing', place: '/error' })]],
])('proposes nothing after %s', (_, checks) => {
  expect(propose(...checks)).toBe('');
});
