import { describe, expect, test } from 'vitest';
import { catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import type { OperationId } from '../../../runner/catalog/operations.ts';
import { createView } from '../../../runner/view/view.ts';
import { reportOn } from '../../support/gateways/judge-gateway.ts';

const catalog = await catalogOfPackage();

/** Returns a run against a gateway that lacks these operations and whose profile says so. */
const reportWithout = (...operations: readonly OperationId[]) => {
  const absent = Object.fromEntries(operations.map((id) => [id, null]));
  return reportOn(catalog, () => ({ extraOperations: absent, profile: { operations: absent } }));
};

describe('an operation that the gateway does not offer according to the profile', () => {
  test.each([
    [['chat'], ['endpoints/chat']],
    [['responses'], ['endpoints/responses']],
    [['models'], ['endpoints/models']],
    [
      ['responses', 'models'],
      ['endpoints/responses', 'endpoints/models'],
    ],
    [['messages', 'generate', 'streamGenerate', 'balance', 'usage', 'record', 'internalError'], []],
  ] as const)('%j: one violation for each that the specification requires', async (operations, expected) => {
    const report = await reportWithout(...operations);
    const failed = report.cases.flatMap(({ checks }) =>
      checks.filter(({ outcome }) => outcome !== 'conforms' && outcome !== 'not-applicable'),
    );
    expect(failed.map(({ requirement, outcome }) => [requirement, outcome])).toEqual(
      expected.map((id) => [id, 'violates']),
    );
    // The profile is one cause.
    const causes = createView(report).causes.map(({ requirements }) => requirements.map(({ id }) => id));
    expect(causes).toEqual(expected.length > 0 ? [expected] : []);
  });

  test('is not called, and what rests on it refers to the violation', async () => {
    const report = await reportWithout('responses');
    expect(catalog.schemas.problems('report', JSON.parse(JSON.stringify(report)))).toEqual([]);
    const { cases } = report;
    const own = cases.filter(({ attributes }) => attributes.operation === 'responses');
    expect(own.length).toBeGreaterThan(100);
    expect(own.flatMap(({ exchanges }) => exchanges)).toEqual([]);
    const untested = own.flatMap(({ checks }) =>
      checks.filter(({ outcome }) => outcome === 'not-applicable'),
    );
    expect(new Set(untested.map(({ dependsOn }) => dependsOn))).toEqual(new Set(['endpoints/responses']));
  });
});
