import { describe, expect, test } from 'vitest';
import type { Fault } from '../../../reference-server/faults/index.ts';
import type { Variant } from '../../../reference-server/variants/index.ts';
import type { GatewayResult, UnsatisfiedCheck } from '../../support/gateways/judge-gateway.ts';
import { complainOfCases, complainOfFault, complainOfRequirements, complainOfVariant } from './complaints.ts';
import type { Proof } from './prove.ts';

const setup = () => ({});
const fault = (...violates: string[]): Fault => ({
  id: 'fault',
  about: 'Is wrong.',
  violates,
  breaks: violates,
  setup,
});
const variant = (...warns: string[]): Variant => ({ id: 'variant', about: 'Is unusual.', warns, setup });
const found = (requirement: string, outcome: UnsatisfiedCheck['outcome'], in_ = 'case'): UnsatisfiedCheck => ({
  requirement,
  case: in_,
  outcome,
  reason: 'expected status 401, got 200',
});
const judgement = (...unsatisfied: UnsatisfiedCheck[]): GatewayResult => ({ unsatisfied, milliseconds: 1 });

describe('a fault', () => {
  test.each<[string, Fault, GatewayResult, RegExp[]]>([
    ['that is found', fault('a', 'b'), judgement(found('a', 'violates'), found('b', 'warns')), []],
    ['that is not found', fault('a'), judgement(), [/^fault is not found to break a$/]],
    ['that could not be judged', fault('a'), judgement(found('a', 'inconclusive')), [/not found to break a/]],
    [
      'that is blamed for more',
      fault('a'),
      judgement(found('a', 'violates'), found('b', 'warns')),
      [/found to break b: warns in case and 0 more: expected status 401/],
    ],
    ['that breaks nothing', fault(), judgement(), [/breaks nothing/]],
  ])('%s', (_, gateway, made, complaints) => {
    expect(complainOfFault({ gateway, judgement: made })).toEqual(
      complaints.map((form) => expect.stringMatching(form)),
    );
  });
});

describe('a legal variant', () => {
  test.each<[string, Variant, GatewayResult, RegExp[]]>([
    ['that is not blamed', variant(), judgement(), []],
    ['that is warned as it may be', variant('a'), judgement(found('a', 'warns')), []],
    ['that is blamed', variant(), judgement(found('a', 'violates')), [/legal, but a: violates/]],
    [
      'that is blamed where a warning is due',
      variant('a'),
      judgement(found('a', 'violates')),
      [/a: violates/, /not warned of a/],
    ],
    ['that could not be judged', variant(), judgement(found('a', 'inconclusive')), [/a: inconclusive/]],
    ['that is not warned', variant('a'), judgement(), [/^variant is not warned of a$/]],
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
  variants: [],
  requirements: ['a', 'b', 'c'],
  cases: ['one', 'two', 'three'],
};

test('a requirement that fewer than two faults break is named', () => {
  expect(complainOfRequirements(proof)).toEqual([
    'b is broken by fault only',
    'c is broken by no fault only',
  ]);
});

test('a case in which no fault is found is named, and an exception that is none', () => {
  expect(complainOfCases(proof, {})).toEqual(['three finds no fault']);
  expect(complainOfCases(proof, { three: 'It is new.' })).toEqual([]);
  expect(complainOfCases(proof, { three: 'It is new.', two: 'It was.', four: 'It is gone.' })).toEqual([
    'two needs no exception',
    'four needs no exception',
  ]);
});
