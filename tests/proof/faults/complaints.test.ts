import { describe, expect, test } from 'vitest';
import type { Fault } from '../../../reference-server/faults/index.ts';
import type { Variant } from '../../../reference-server/variants/index.ts';
import type { GatewayResult, UnsatisfiedCheck } from '../../support/gateways/judge-gateway.ts';
import {
  complainOfCases,
  complainOfCells,
  complainOfFault,
  complainOfGroup,
  complainOfRequirements,
  complainOfVariant,
} from './complaints.ts';
import { type Cell, combineCells } from './matrix.ts';
import type { Proof } from './prove.ts';

const setup = () => ({});
const fault = (...violates: string[]): Fault => ({
  id: 'fault',
  about: 'Is wrong.',
  violates,
  setup,
});
const variant = (...warns: string[]): Variant => ({ id: 'variant', about: 'Is unusual.', warns, setup });
const found = (
  requirement: string,
  outcome: UnsatisfiedCheck['outcome'],
  in_ = 'case',
): UnsatisfiedCheck => ({
  requirement,
  case: in_,
  outcome,
  reason: 'expected status 401, got 200',
});
const judgement = (...unsatisfied: UnsatisfiedCheck[]): GatewayResult => ({ unsatisfied, milliseconds: 1 });

describe('complainOfFault: a fault', () => {
  test.each<[string, Fault, GatewayResult, RegExp[]]>([
    [
      'that is reported is accepted',
      fault('a', 'b'),
      judgement(found('a', 'violates'), found('b', 'warns')),
      [],
    ],
    [
      'that is not reported is named',
      fault('a'),
      judgement(),
      [/^fault is not reported for a \(Is wrong\.\)$/],
    ],
    [
      'that could not be judged is named',
      fault('a'),
      judgement(found('a', 'inconclusive')),
      [/not reported for a/],
    ],
    [
      'with a false positive is named',
      fault('a'),
      judgement(found('a', 'violates'), found('b', 'warns')),
      [/is also reported for b: warns in case and 0 more: expected status 401/],
    ],
    ['without requirements is named', fault(), judgement(), [/violates nothing/]],
  ])('%s', (_, gateway, made, complaints) => {
    expect(complainOfFault({ gateway, judgement: made })).toEqual(
      complaints.map((form) => expect.stringMatching(form)),
    );
  });
});

const cell = (id: string, violates: string[], mayViolate: string[]): Cell => ({
  ...fault(...violates),
  id,
  mayViolate,
  facts: {},
  rules: [],
  rows: [],
});

describe('complainOfGroup: a gateway with two cells', () => {
  const gateway = combineCells([cell('one', ['a'], ['b']), cell('two', ['c'], [])]);
  test.each<[string, UnsatisfiedCheck[], RegExp[]]>([
    [
      'without a report of what a cell may violate is accepted',
      [found('a', 'warns'), found('c', 'violates')],
      [],
    ],
    [
      'whose cells are all reported is accepted',
      [found('a', 'warns'), found('b', 'warns'), found('c', 'warns')],
      [],
    ],
    ['of which one is not reported is named', [found('a', 'warns')], [/^two is not reported for c/]],
    [
      'with a false positive is named for both',
      [found('a', 'warns'), found('c', 'warns'), found('d', 'warns')],
      [/^one is also reported for d/, /^two is also reported for d/],
    ],
  ])('%s', (_, unsatisfied, complaints) => {
    expect(complainOfGroup({ gateway, judgement: judgement(...unsatisfied) })).toEqual(
      complaints.map((form) => expect.stringMatching(form)),
    );
  });
});

describe('complainOfVariant: a variant', () => {
  test.each<[string, Variant, GatewayResult, RegExp[]]>([
    ['without a report is accepted', variant(), judgement(), []],
    ['with an allowed warning is accepted', variant('a'), judgement(found('a', 'warns')), []],
    [
      'with a violation is named',
      variant(),
      judgement(found('a', 'violates')),
      [/conforms, but a: violates/],
    ],
    [
      'with a violation instead of a warning is named',
      variant('a'),
      judgement(found('a', 'violates')),
      [/a: violates/, /has no warning about a/],
    ],
    [
      'that could not be judged is named',
      variant(),
      judgement(found('a', 'inconclusive')),
      [/a: inconclusive/],
    ],
    ['without an expected warning is named', variant('a'), judgement(), [/^variant has no warning about a$/]],
  ])('%s', (_, gateway, made, complaints) => {
    expect(complainOfVariant({ gateway, judgement: made })).toEqual(
      complaints.map((form) => expect.stringMatching(form)),
    );
  });
});

const proof: Proof = {
  faults: [
    {
      gateway: fault('a', 'b'),
      judgement: judgement(found('a', 'violates', 'one'), found('b', 'warns', 'one')),
    },
    {
      gateway: fault('a'),
      judgement: judgement(found('a', 'violates', 'two'), found('b', 'inconclusive', 'three')),
    },
  ],
  cells: [
    {
      gateway: combineCells([cell('cell', ['b'], ['a'])]),
      judgement: judgement(found('b', 'violates', 'four')),
    },
  ],
  variants: [],
  requirements: ['a', 'b', 'c'],
  cases: ['one', 'two', 'three', 'four'],
};

test('complainOfCells names a requirement that cells may violate, but that none reports', () => {
  expect(complainOfCells(proof)).toEqual(['a is not reported for any cell that may violate it']);
});

test('complainOfRequirements names a requirement that fewer than two faults violate', () => {
  expect(complainOfRequirements(proof)).toEqual([
    'b is violated by fewer than two faults: fault',
    'c is violated by fewer than two faults: none',
  ]);
});

test('complainOfCases names a case that finds no fault, and an unnecessary exception', () => {
  expect(complainOfCases(proof, {})).toEqual(['three finds no fault']);
  expect(complainOfCases(proof, { three: 'It is new.' })).toEqual([]);
  expect(complainOfCases(proof, { three: 'It is new.', two: 'It was.', five: 'It is gone.' })).toEqual([
    'two needs no exception',
    'five needs no exception',
  ]);
});
