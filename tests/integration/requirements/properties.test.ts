import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { JsonSchema } from '../../../common/schemas.ts';
import { type Catalog, catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import { decodeBody, readContent } from '../../../runner/exchange/decode.ts';
import type { Exchange } from '../../../runner/exchange/exchange.ts';
import { judgeRequirement } from '../../../runner/judge/judge-requirement.ts';
import { outcomes } from '../../../runner/judge/outcome.ts';
import { deriveFaults } from '../../../runner/plan/expand-axes.ts';
import { changeAt, parsePlace } from '../../../runner/request/body.ts';
import { createFullPlan } from '../../support/full-plan.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await catalogOfPackage();
});

/** A schema similar to the schemas of requests, and a valid value. */
interface Sample {
  readonly schema: JsonSchema;
  readonly value: unknown;
}

const leaf: fc.Arbitrary<Sample> = fc.constantFrom<Sample>(
  { schema: { type: 'string' }, value: 'x' },
  { schema: { type: 'string', minLength: 1 }, value: 'x' },
  { schema: { type: 'integer', minimum: 1 }, value: 3 },
  { schema: { type: 'number' }, value: 0.5 },
  { schema: { type: 'boolean' }, value: false },
  { schema: { type: ['string', 'array'] }, value: 'x' },
  { schema: { type: ['object', 'null'] }, value: null },
);
const name = fc.stringMatching(/^[a-z][a-z_]{0,6}$/).filter((text) => text !== '__proto__');
const { sample } = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('sample'), { minLength: 1, maxLength: 1 }).chain(([item]) =>
      fc.integer({ min: 1, max: 3 }).map((length) => ({
        schema: { type: 'array', items: item?.schema },
        value: Array.from({ length }, () => item?.value),
      })),
    ),
    fc.dictionary(name, fc.tuple(tie('sample'), fc.boolean()), { minKeys: 1, maxKeys: 4 }).map((members) => ({
      schema: {
        type: 'object',
        required: Object.entries(members).flatMap(([key, [, required]]) => (required ? [key] : [])),
        properties: Object.fromEntries(Object.entries(members).map(([key, [{ schema }]]) => [key, schema])),
      },
      value: Object.fromEntries(Object.entries(members).map(([key, [{ value }]]) => [key, value])),
    })),
  ),
}));

describe('derived bodies', () => {
  test('violate the schema at exactly the named place', () => {
    fc.assert(
      fc.property(sample, ({ schema, value }) => {
        fc.pre(schema.type === 'object');
        expect(catalog.schemas.problems(schema, value)).toEqual([]);
        for (const fault of deriveFaults(schema, value)) {
          const path = parsePlace(fault.place);
          const put = fault.given === 'empty-string' ? '' : catalog.fixtures.types[fault.given];
          const body = changeAt(value, path, fault.fault === 'missing' ? undefined : { value: put });
          const problems = catalog.schemas.problems(schema, body);
          const places = problems.map(({ pointer, params }) => [
            ...pointer.split('/').slice(1),
            ...(params.missingProperty === undefined ? [] : [String(params.missingProperty)]),
          ]);
          expect(places).toEqual([path.map(String)]);
        }
      }),
      { numRuns: 300 },
    );
  });
});

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.json().map((text) => Buffer.from(text)),
  fc.anything().map((value) => Buffer.from(JSON.stringify({ error: value, trace_id: value }) ?? '')),
);
const answers = fc.record({
  status: fc.integer({ min: 100, max: 599 }),
  headers: fc.dictionary(
    fc.constantFrom('x-trace-id', 'content-type', 'retry-after', 'content-length'),
    fc.string(),
  ),
  coding: fc.constantFrom('', 'gzip', 'br', 'deflate', 'zstd'),
  bytes,
});

describe('judging', () => {
  test('gives the same verdict each time, for any status, headers and bytes', async () => {
    const { promise, plan } = await createFullPlan();
    const checks = plan.cases.flatMap((item) => item.checks.map((check) => ({ item, check })));
    fc.assert(
      fc.property(
        fc.constantFrom(...checks),
        fc.array(answers, { minLength: 1, maxLength: 3 }),
        ({ item, check }, given) => {
          const exchanges = given.map((answer, index) =>
            exchangeOf(item.steps[0]?.attributes ?? item.attributes, index, answer),
          );
          const context = { promise, unlistedModel: 'conformance-unlisted-x', goodModels: ['good-model'] };
          const verdict = judgeRequirement(check.requirement, exchanges, context);
          expect(outcomes).toContain(verdict.outcome);
          expect(judgeRequirement(check.requirement, exchanges, context)).toEqual(verdict);
          expect(() => JSON.stringify(verdict)).not.toThrow();
        },
      ),
      { numRuns: 3000 },
    );
  });
});

function exchangeOf(
  attributes: Exchange['attributes'],
  index: number,
  answer: {
    readonly status: number;
    readonly headers: Record<string, string>;
    readonly coding: string;
    readonly bytes: Uint8Array;
  },
): Exchange {
  const decoded = decodeBody(Buffer.from(answer.bytes), answer.coding, 10_000);
  const text = decoded.kind === 'bytes' ? decoded.bytes.toString('utf8') : '';
  return {
    id: `case#${index + 1}`,
    attributes,
    model: 'good-model',
    request: { method: 'POST', path: '/v1/x', headers: {}, body: '{}' },
    result: {
      kind: 'answer',
      answer: {
        status: answer.status,
        headers: answer.headers,
        text,
        size: text.length,
        content: decoded.kind === 'bytes' ? readContent(text) : decoded,
        pieces: 1,
      },
    },
    startedAt: 0,
    durationMs: 1,
    earlier: [],
    controlAfter: undefined,
  };
}
