import { expect, test } from 'vitest';
import { createCase, createCheck, createReport } from '../../tests/support/reports.ts';
import type { Report } from '../report/report.ts';
import { formatRest, formatResult, isOfSelection } from './result.ts';
import { createView } from './view.ts';

const passed = createCase('auth/a', [createCheck('auth/a', 'conforms'), createCheck('auth/b', 'conforms')]);
const open = createCase('auth/c', [createCheck('auth/c', 'not-applicable')]);
const viewOf = (suite: Report['suite']) => createView(createReport([passed, open], { suite }));

test('the result says how many of the requirements were tested', () => {
  expect(formatResult(viewOf({ requirements: 3, isSelection: false }))).toBe(
    'conforms in 2 of 3 requirements',
  );
  expect(formatResult(viewOf({ requirements: 2, isSelection: false }))).toBe(
    'conforms in all 2 requirements',
  );
});

test('a selection does not show that the gateway conforms', () => {
  const view = viewOf({ requirements: 9, isSelection: true });
  expect([isOfSelection(view), formatRest(view)]).toEqual([true, ' in a selection: 2 of 9 requirements']);
});

test('the result counts what deviates as declared apart from what conforms', () => {
  const declared = createCase('auth/d', [createCheck('auth/d', 'deviates')]);
  const declaredOf = (suite: Report['suite']) =>
    createView(createReport([passed, declared, open], { suite }));
  expect(formatResult(declaredOf({ requirements: 4, isSelection: false }))).toBe(
    'as declared: 2 conform, 1 deviates as declared, 1 not tested',
  );
  const view = declaredOf({ requirements: 9, isSelection: true });
  expect([isOfSelection(view), formatRest(view)]).toEqual([
    true,
    ' in a selection: 2 conform, 1 deviates as declared, 6 not tested',
  ]);
});

test('a report without the number of requirements has only the result', () => {
  expect(formatResult(viewOf(undefined))).toBe('conforms');
});
