import { describe, expect, test } from 'vitest';
import { createCase, createCheck } from '../../tests/support/reports.ts';
import type { Outcome } from '../judge/outcome.ts';
import type { CaseReport, CheckReport } from '../report/report.ts';
import { createSdkTable } from './sdk-table.ts';

const packages: Readonly<Record<string, string>> = { one: 'one 1.0.0', two: 'two 2.0.0, extra 3.0.0' };

function caseOf(id: string, ...checks: readonly CheckReport[]): CaseReport {
  const [, client = ''] = id.split('/');
  const installed = packages[client];
  const attributes = { client, ...(installed !== undefined && { packages: installed }) };
  return createCase(id, checks, { attributes });
}

const good = createCheck('clients/call-succeeds', 'conforms');

function failing(message: string, effect?: string, outcome: Outcome = 'violates'): CheckReport {
  const client = {
    sdk: 'x',
    ...(effect !== undefined && { effect }),
    severity: 'wrong-status' as const,
    violates: ['auth/bad-bearer-token'],
  };
  const finding = { kind: 'wrong-attribute', name: 'f', expected: 'e', actual: 'a', client } as const;
  return createCheck('clients/error-class', outcome, {
    severity: 'wrong-status',
    findings: [{ exchange: '1', message, finding }],
  });
}

const lacking = (reason: string, add?: string): CheckReport =>
  createCheck('clients/call-succeeds', 'not-applicable', { reason, ...(add !== undefined && { add }) });

const tableOf = (...cases: readonly CaseReport[]) => createSdkTable({ cases });

describe('the table of SDKs', () => {
  test('exists only for reports of SDKs', () => {
    expect(tableOf({ ...caseOf('chat/good', good), suite: 'auth' })).toBeUndefined();
  });

  test('has a row for each call, valid calls first, and a column for each installed SDK', () => {
    const table = tableOf(
      caseOf('clients/one/responses/plain', good),
      caseOf('clients/one/responses/error/wrong-key', good),
      caseOf('clients/one/models', good),
      caseOf('clients/two/chat/plain', good),
      caseOf('clients/two/chat/streamed', good),
      caseOf('clients/three/chat/plain', lacking('three is not installed.')),
    );
    expect(table?.sdks).toEqual([
      { id: 'one', packages: ['one 1.0.0'] },
      { id: 'two', packages: ['two 2.0.0', 'extra 3.0.0'] },
    ]);
    expect(table?.absent).toEqual([{ id: 'three', reason: 'three is not installed.' }]);
    expect(table?.rows.map(({ call, cells }) => [call, ...cells.map((cell) => cell?.outcome)])).toEqual([
      ['chat', undefined, 'conforms'],
      ['streamed chat', undefined, 'conforms'],
      ['responses', 'conforms', undefined],
      ['model list', 'conforms', undefined],
      ['wrong key', 'conforms', undefined],
    ]);
    expect(table?.reasons).toEqual([]);
  });

  test('has one reason for several SDKs and calls', () => {
    const status = 'expected the status to be 401, got 400';
    const table = tableOf(
      caseOf('clients/one/chat/plain', lacking('No model is known.', 'models.chat.good')),
      caseOf('clients/one/chat/error/wrong-key', failing(status, 'BadRequest')),
      caseOf('clients/one/chat/error/streamed-wrong-key', failing(status, 'BadRequest')),
      caseOf('clients/two/chat/error/wrong-key', failing(status, 'CallError'), failing('another')),
    );
    expect(table?.reasons).toEqual([
      {
        outcome: 'violates',
        severity: 'wrong-status',
        requirements: ['clients/error-class'],
        message: status,
        calls: ['wrong key', 'streamed wrong key'],
        sdks: ['one', 'two'],
        effects: [
          { text: 'BadRequest', sdks: ['one'] },
          { text: 'CallError', sdks: ['two'] },
        ],
        violates: ['auth/bad-bearer-token'],
      },
      expect.objectContaining({ message: 'another', sdks: ['two'], effects: [] }),
      expect.objectContaining({
        outcome: 'not-applicable',
        requirements: [],
        message: 'No model is known. Add models.chat.good.',
        calls: ['chat'],
      }),
    ]);
    const cells = table?.rows.map(({ call, cells }) => [call, ...cells.map((cell) => cell?.reasons)]);
    expect(cells).toEqual([
      ['chat', [2], undefined],
      ['wrong key', [0], [0, 1]],
      ['streamed wrong key', [0], undefined],
    ]);
  });

  test('shows the worst outcome of several operations in a cell, with its reasons', () => {
    const table = tableOf(
      caseOf('clients/one/chat/error/wrong-key', failing('broken')),
      caseOf('clients/one/responses/error/wrong-key', lacking('No model is known.')),
    );
    expect(table?.rows[0]?.cells).toEqual([
      {
        outcome: 'violates',
        reasons: [0],
        cases: ['clients/one/chat/error/wrong-key', 'clients/one/responses/error/wrong-key'],
      },
    ]);
    expect(table?.reasons.map(({ calls }) => calls)).toEqual([['wrong key (chat)']]);
  });

  test('distinguishes expected failures', () => {
    const table = tableOf(
      caseOf('clients/one/chat/error/wrong-key', { ...failing('broken'), expected: 'to be repaired' }),
      caseOf('clients/two/chat/error/wrong-key', failing('broken')),
    );
    expect(table?.rows[0]?.cells.map((cell) => [cell?.outcome, cell?.reasons])).toEqual([
      ['known', []],
      ['violates', [0]],
    ]);
    expect(table?.reasons[0]?.sdks).toEqual(['two']);
  });
});
