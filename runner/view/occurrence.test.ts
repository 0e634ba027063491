import { expect, test } from 'vitest';
import { createCase, createCheck, createExchange, createReport } from '../../tests/support/reports.ts';
import type { CaseReport } from '../report/report.ts';
import { formatWhere } from './counts.ts';
import { formatConforming, formatOccurrence } from './occurrence.ts';
import { createView } from './view.ts';

const base = {
  operation: 'chat',
  surface: 'model',
  header: 'bearer',
  key: 'unknown',
  accepted: 'true',
  streamed: 'false',
};

/** Creates a case with a wrong key; a request that fails is served. */
function wrongKey(
  given: Record<string, string>,
  fails: boolean,
  headers: Record<string, string> = {},
): CaseReport {
  const attributes = { ...base, request: 'valid', ...given };
  const id = `auth/${Object.values(given).join('-')}`;
  const exchange = createExchange(`${id}#1`, {
    attributes,
    request: { method: 'POST', url: 'http://x/', headers, body: null },
    response: { status: fails ? 200 : 401, headers: {}, body: { text: '{}', bytes: 2 }, pieces: 1 },
  });
  const finding = { kind: 'wrong-status', expected: '401', actual: 200 } as const;
  const check = createCheck('auth/bad-bearer-token', fails ? 'violates' : 'conforms', {
    findings: fails ? [{ exchange: exchange.id, message: 'status', finding }] : [],
  });
  return createCase(id, [check], { attributes, exchanges: [exchange] });
}

function occurrenceOf(cases: readonly CaseReport[]): [string, string] {
  const [cause] = createView(createReport(cases)).causes;
  if (!cause) throw new Error('There is no cause.');
  return [formatOccurrence(cause.occurrence), formatConforming(cause.occurrence)];
}

test('a failure occurs where its requests differ from all conforming ones', () => {
  expect(
    occurrenceOf([
      wrongKey({ streamed: 'true' }, true),
      wrongKey({ operation: 'responses', streamed: 'true' }, true),
      wrongKey({ streamed: 'false' }, false),
      wrongKey({ operation: 'responses' }, false),
    ]),
  ).toEqual(['only streamed', 'the same request not streamed']);
});

test('a failure that needs two values is described by both', () => {
  expect(
    occurrenceOf([
      wrongKey({ accept: 'any', streamed: 'true' }, true),
      wrongKey({ accept: 'any', streamed: 'false' }, false),
      wrongKey({ accept: 'json', streamed: 'true' }, false),
    ]),
  ).toEqual([
    'only streamed, only with `accept: */*`',
    'the same request not streamed or with `accept: application/json`',
  ]);
});

test('a value is only said to be decisive if a conforming request differs in it alone', () => {
  expect(
    occurrenceOf([
      wrongKey({ operation: 'chat', key: 'deleted' }, true),
      wrongKey({ operation: 'messages', key: 'unknown', header: 'x-api-key' }, false),
    ]),
  ).toEqual(['on `chat`', '']);
});

test('of a mixture of many values, only the strongest distinction is named', () => {
  const keys = ['unknown', 'truncated', 'extended', 'swapped', 'altered', 'shortened', 'suffixed'];
  const failed = keys.map((key, index) =>
    wrongKey({ key, header: index % 2 === 0 ? 'bearer' : 'x-api-key', accept: 'any' }, true),
  );
  const conforming = [
    ...keys.map((key) => wrongKey({ key, header: 'x-goog-api-key', accept: 'any' }, false)),
    wrongKey({ key: 'word', header: 'bearer', accept: 'any' }, false),
    wrongKey({ key: 'unknown', header: 'bearer', accept: 'json' }, false),
  ];
  const [where] = occurrenceOf([...failed, ...conforming]);
  expect(where).toBe('only with the key in `Authorization` or in `x-api-key`');
  const equal = { ...wrongKey({ key: 'unknown', header: 'bearer', accept: 'any' }, false), id: 'auth/again' };
  expect(occurrenceOf([...failed, ...conforming, equal])[0]).toBe('');
});

test('the default header is the header in the request', () => {
  expect(
    occurrenceOf([
      wrongKey({ header: 'any', operation: 'messages' }, true, { 'x-api-key': 'sk' }),
      wrongKey({ header: 'bearer', operation: 'messages' }, false, { authorization: 'Bearer sk' }),
    ]),
  ).toEqual(['only with the key in `x-api-key`', 'the same request with the key in `Authorization`']);
});

test('equal requests that are answered differently are not always wrong', () => {
  const twice = [wrongKey({ given: 'a' }, true), wrongKey({ given: 'b', operation: 'messages' }, false)];
  const equal = { ...wrongKey({ given: 'a' }, false), id: 'auth/again' };
  expect(occurrenceOf([...twice, equal])[0]).toMatch(/, but not always$/);
});

test('without a conforming request, only the operations are named', () => {
  const cases = [wrongKey({ operation: 'chat' }, true), wrongKey({ operation: 'models' }, true)];
  expect(occurrenceOf(cases)).toEqual(['on `chat` and `models`', '']);
  const [cause] = createView(createReport(cases)).causes;
  expect(cause && formatWhere(cause)).toBe('2 cases: on `chat` and `models`');
});
