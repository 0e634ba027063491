import type { CatalogData } from '../../catalog/catalog.ts';
import type { Attributes } from '../../catalog/condition.ts';
import { isOperationId, type Operation, type Operations } from '../../catalog/operations.ts';
import type { Phase } from '../../catalog/scenarios.ts';
import { editKey, type GeneratedKind, type GeneratedParts } from '../../exchange/generation.ts';
import type { GatewayPromise } from '../../profile/promise.ts';
import { parsePlace } from '../../request/body.ts';
import { formatTime } from '../../request/times.ts';
import {
  type Arbitrary,
  fc,
  generateBodyLike,
  generateHexDigits,
  generateKeyEdit,
  layout,
  locateMember,
  randomUuid,
  textBreak,
  valueOfType,
} from './values.ts';

/** The generated parts of a request, and the attributes in which the request differs from its pattern. */
export interface GeneratedForm {
  /** The generated parts; undefined if the attributes define the whole request. */
  readonly generated?: GeneratedParts;
  readonly attributes: Attributes;
  /** The attributes in which a combination differs from a usual request; undefined for other kinds. */
  readonly combined?: Attributes;
  /** The phase of the request. Default: the phase of its pattern. */
  readonly phase?: Phase;
}

/**
 * The kinds of generated requests that are modelled on a case of the suites. This case is the pattern of the request.
 */
export type PatternKind = Exclude<GeneratedKind, 'combination'>;

type Generator = (attributes: Attributes, promise: GatewayPromise) => Arbitrary<GeneratedForm>;

const withParts = (generated: Arbitrary<GeneratedParts>): Arbitrary<GeneratedForm> =>
  generated.map((parts) => ({ generated: parts, attributes: {} }));

/**
 * The generators, by the kind of request. Each generator takes the attributes of a pattern, and returns an arbitrary
 * of requests.
 */
export const generators: Readonly<Record<PatternKind, Generator>> = {
  body: (attributes, promise) => {
    const { member = '', fault, given = '' } = attributes;
    const fixture = fixtureOf(attributes, promise);
    const right = parsePlace(locateMember(fixture, member, 0)).reduce<unknown>(
      (value, step) => Object(value)[step],
      fixture,
    );
    return fc
      .record({
        body: generateBodyLike(fixture, promise.fixtures.generated.prompts),
        wanted: fc.nat(6),
        given: fault === 'wrong-type' ? valueOfType(given, right) : fc.constant(undefined),
        layout,
      })
      .map(({ wanted, ...parts }) => ({
        generated: { kind: 'body', ...parts },
        attributes: { place: locateMember(parts.body, member, wanted) },
      }));
  },

  malformed: (attributes, promise) =>
    fc
      .record({
        kind: fc.constant('malformed' as const),
        body: generateBodyLike(fixtureOf(attributes, promise), promise.fixtures.generated.prompts),
        broken: textBreak,
      })
      .map((generated) => ({ generated, attributes: { given: generated.broken.kind } })),

  value: (attributes, promise) =>
    withParts(
      fc.record({
        kind: fc.constant('value'),
        value: valueOfType(attributes.given ?? '', fixtureOf(attributes, promise)),
      }),
    ),

  model: (attributes, promise) => {
    const { body, path } = promise.fixtures.generated.modelParts;
    const bound = isOperationId(attributes.operation ?? '')
      ? promise.profile.operations[operationOf(attributes, promise.operations).id]
      : undefined;
    const parts = /\{\+?model\}/.test(bound?.path ?? '') ? path : body;
    return withParts(
      fc
        .tuple(fc.array(fc.constantFrom(...parts), { maxLength: 4 }), generateHexDigits(16))
        .map(([between, end]) => ({ kind: 'model', id: `conformance-${between.join('')}${end}` })),
    );
  },

  record: ({ record }) => {
    const changed = fc.record({
      id: randomUuid,
      at: fc.nat(31),
      digit: fc.constantFrom(...'0123456789abcdef'),
      letter: fc.constantFrom(...'ghijklmnopqrstuvwxyz'),
    });
    const id = changed.map(({ id, at, digit, letter }) => {
      if (record === 'random') return id;
      const places = [...id.matchAll(/[0-9a-f]/g)].map(({ index }) => index);
      const place = places[at] ?? 0;
      const [put, kept] =
        record === 'digit-short' ? ['', 1] : record === 'letter-past-f' ? [letter, 1] : [digit, 0];
      return id.slice(0, place) + put + id.slice(place + kept);
    });
    return withParts(id.map((request_id) => ({ kind: 'parameters', values: { request_id } })));
  },

  range: ({ range }, { fixtures, profile }) => {
    const { timeless, times } = fixtures.generated;
    const write = (time: number): string => formatTime(profile.timeFormat, time);
    const moment = fc.noShrink(
      fc.integer({ min: times.from / day, max: times.to / day }).map((n) => n * day),
    );
    const later =
      range === 'reversed'
        ? fc.integer({ min: 1, max: 150 }).map((n) => n * day)
        : range === 'reversed-seconds'
          ? fc.integer({ min: 1, max: 59 }).map((n) => n * 1000)
          : fc.integer({ min: 10, max: 600 }).map((n) => n * minute);
    const noTime = fc
      .string({ unit: fc.constantFrom(...timeless.letters), minLength: 6, maxLength: 12 })
      .map((end) => timeless.beginning + end);
    return withParts(
      fc.record({ moment, later, noTime }).map(({ moment: time, later: by, noTime: none }) => ({
        kind: 'parameters',
        values:
          range === 'unparseable-start'
            ? { start: none, end: write(time) }
            : range === 'unparseable-end'
              ? { start: write(time), end: none }
              : { start: write(time + by), end: write(time) },
      })),
    );
  },

  prompt: (attributes, promise) =>
    withParts(
      fc.record({
        kind: fc.constant('prompt'),
        body: generateBodyLike(fixtureOf(attributes, promise), promise.fixtures.generated.prompts),
        layout,
      }),
    ),

  'header-name': ({ header }) => {
    const name = header === 'bearer' ? 'authorization' : (header ?? '');
    return withParts(
      fc
        .array(fc.boolean(), { minLength: name.length, maxLength: name.length })
        .map((upper) =>
          [...name].map((letter, index) => (upper[index] ? letter.toUpperCase() : letter)).join(''),
        )
        .filter((written) => written !== name)
        .map((written) => ({ kind: 'header-name', name: written })),
    );
  },

  key: (_, { profile }) => {
    const { valid } = profile.keys;
    const own = Object.values(profile.keys);
    const from = valid.startsWith('sk-') ? 3 : 0;
    return withParts(
      generateKeyEdit({ from, to: valid.length - 1 })
        .filter((edit) => !own.includes(editKey(valid, edit)))
        .map((edit) => ({ kind: 'key', edit })),
    );
  },
};

const minute = 60_000;
const day = 1440 * minute;

/**
 * Returns the body to vary: a conversation if the fixtures have a conversation for the operation, otherwise the body
 * of the pattern or the default body of the operation.
 */
function fixtureOf(
  attributes: Attributes,
  { fixtures, operations }: Pick<CatalogData, 'fixtures' | 'operations'>,
): unknown {
  const { bodies } = fixtures;
  const { body = 'none' } = attributes;
  const kind = operationOf(attributes, operations).body ?? '';
  return bodies[`${kind}-conversation`] ?? bodies[body] ?? bodies[kind];
}

function operationOf({ operation = '' }: Attributes, operations: Operations): Operation {
  if (!isOperationId(operation))
    throw new Error(
      `Unknown operation "${operation}" in the pattern of a generated request. Use an ID of \`operationIds\`.`,
    );
  return operations[operation];
}
