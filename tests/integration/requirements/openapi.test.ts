import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { $RefParser } from '@apidevtools/json-schema-ref-parser';
import { beforeAll, describe, expect, test } from 'vitest';
import { toList, toMapping } from '../../../common/mapping.ts';
import { packageRoot } from '../../../common/package-root.ts';
import { type Catalog, catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import type { Expectation } from '../../../runner/catalog/expectation.ts';
import { knownOperationIds, operationIds } from '../../../runner/catalog/operations.ts';
import { isInStatusSet } from '../../../runner/catalog/status-set.ts';

const file = join(packageRoot, 'specs', 'openapi.yaml');
type Members = Readonly<Record<string, unknown>>;
/** An operation of the OpenAPI document, with all references resolved. */
interface DescribedOperation {
  readonly id: string;
  readonly line: string;
  readonly operation: Members;
}

let catalog: Catalog;
let described: readonly DescribedOperation[];
beforeAll(async () => {
  catalog = await catalogOfPackage();
  const document = toMapping(await $RefParser.dereference(file));
  described = Object.entries(toMapping(document.paths)).flatMap(([path, item]) =>
    Object.entries(toMapping(item)).map(([method, value]) => {
      const operation = toMapping(value);
      return { id: String(operation.operationId), line: `${method.toUpperCase()} ${path}`, operation };
    }),
  );
});

const child = (value: unknown, ...path: string[]): unknown =>
  path.reduce((inner: unknown, name) => toMapping(inner)[name], value);
const json = (response: unknown): Members => toMapping(child(response, 'content', 'application/json'));
const responsesOf = ({ operation }: DescribedOperation): [string, unknown][] =>
  Object.entries(toMapping(operation.responses));

/** Returns the values that a schema lists for a property, or an empty array if the schema lists no values. */
function enumAt(schema: unknown, ...names: string[]): unknown[] {
  const parts = [schema, ...toList(child(schema, 'allOf'))];
  const path = names.flatMap((name) => ['properties', name]);
  // The first schema lists the types of all errors. A later schema lists only the types of this status.
  return [...toList(parts.map((part) => child(part, ...path, 'enum')).findLast(Array.isArray))];
}
/**
 * Returns a text such as `400 invalid_request_error` for each status, and each value of a property of `error`, in the
 * responses of an operation.
 */
const rowsOf = (item: DescribedOperation, name: 'type' | 'code'): string[] =>
  responsesOf(item).flatMap(([status, response]) =>
    enumAt(json(response).schema, 'error', name).map((value) => `${status} ${value}`),
  );

/** Returns the alternatives of status and type, or status and code, that a requirement expects. */
function alternativesOf(id: string): string[] {
  const requirement = catalog.ledger.requirements.find((entry) => entry.id === id);
  if (requirement?.then.kind !== 'any') throw new Error(`${id} has no alternatives`);
  return requirement.then.of.flatMap((row) => {
    const parts: readonly Expectation[] = row.kind === 'all' ? row.of : [row];
    const statuses = parts.flatMap((part) => (part.kind === 'status' ? part.status.members : []));
    const names = parts.flatMap((part) =>
      part.kind === 'type' ? part.types : part.kind === 'code' ? part.codes : [],
    );
    return statuses.flatMap((status) => names.map((name) => `${status} ${name}`));
  });
}

test('specs/openapi.yaml passes the linter', async () => {
  const redocly = join(packageRoot, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { stdout } = await promisify(execFile)(process.execPath, [redocly, 'lint', file, '--format=json'], {
    cwd: packageRoot,
    env,
  });
  expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 }, problems: [] });
});

test('specs/openapi.yaml refers to the schemas and copies none', () => {
  const text = readFileSync(file, 'utf8');
  const used = [...text.matchAll(/\$ref: schemas\/([a-z-]+)\.schema\.json/g)].map((match) => match[1]);
  const ours = catalog.schemas.names.filter((name) => /-request$|-error(-shape)?$/.test(name));
  expect(new Set(used)).toEqual(new Set(ours));
});

describe('operations', () => {
  test('are the operations of specs/operations.yaml, except internalError', () => {
    expect(described.map(({ id }) => id)).toEqual(knownOperationIds.filter((id) => id !== 'internalError'));
  });
  test('have the methods and paths of specs/operations.yaml', () => {
    const shown: Readonly<Record<string, string>> = { spec: 'stated', guess: 'de-facto', profile: 'example' };
    for (const { id, line, operation } of described) {
      const own = Object.values(catalog.operations).find((item) => item.id === id);
      expect(operation['x-shown'], id).toBe(shown[own?.stated ?? '']);
      if (own?.request !== undefined) expect(line, id).toBe(own.request.split('?')[0]);
    }
  });
  test('accept the headers of specs/operations.yaml, one at a time', () => {
    const accepted = described.map(({ id, operation }) => [
      id,
      toList(operation.security).map((one) => Object.keys(toMapping(one))),
    ]);
    const own = described.map(({ id }) => {
      const headers = Object.values(catalog.operations).find((item) => item.id === id)?.headers ?? [];
      return [id, headers.map((header) => [header])];
    });
    expect(accepted).toEqual(own);
  });
  test('have the request schemas of specs/operations.yaml, with valid examples', () => {
    for (const { id, operation } of described) {
      const body = Object.values(catalog.operations).find((item) => item.id === id)?.body;
      const media = json(operation.requestBody);
      if (body === undefined) expect(operation.requestBody, id).toBeUndefined();
      else {
        expect(media.schema, id).toMatchObject({ $id: `${body}-request.schema.json` });
        expect(catalog.schemas.problems(`${body}-request`, media.example), id).toEqual([]);
      }
    }
  });
});

describe('errors', () => {
  const tables: [string, string, 'type' | 'code', (id: string) => boolean][] = [
    [
      'family A',
      'model-error/type-fits-status-family-a',
      'type',
      (id) => catalog.operations[known(id)].family === 'A',
    ],
    [
      'families B and C',
      'model-error/type-fits-status-families-b-c',
      'type',
      (id) => /[BC]/.test(catalog.operations[known(id)].family),
    ],
  ];
  const known = (id: string) => operationIds.find((item) => item === id) ?? 'chat';

  test.each(tables)(
    'each operation of %s has the statuses and types of the requirement',
    (_, requirement, name, belongs) => {
      const own = described.filter(({ id }) => belongs(id));
      expect(own.length).toBeGreaterThan(1);
      for (const item of own)
        expect(rowsOf(item, name).sort(), item.id).toEqual(alternativesOf(requirement).sort());
    },
  );
  test('the model list has only the statuses and types of a refused key', () => {
    const rows = alternativesOf('model-error/type-fits-status-family-a').filter((row) =>
      row.startsWith('401'),
    );
    expect(described.filter(({ id }) => id === 'models').flatMap((item) => rowsOf(item, 'type'))).toEqual(
      rows,
    );
  });
  test('billing-type endpoints have the statuses and codes of the requirement, and only the record has 404', () => {
    const rows = alternativesOf('billing-error/code-fits-status');
    for (const item of described.filter(({ id }) => catalog.operations[known(id)].surface === 'billing')) {
      const own = rows.filter((row) => item.id === 'record' || !row.startsWith('404'));
      expect(rowsOf(item, 'code'), item.id).toEqual(own);
    }
  });
  test('model endpoints require the trace ID header, and billing-type endpoints have no such header', () => {
    for (const item of described) {
      const errors = responsesOf(item).filter(([status]) => !status.startsWith('2'));
      expect(errors.length, item.id).toBeGreaterThan(1);
      const header =
        catalog.operations[known(item.id)].surface === 'billing' ? undefined : { required: true };
      for (const [status, response] of errors) {
        const found = child(response, 'headers', 'x-trace-id');
        header ? expect(found, `${item.id} ${status}`).toMatchObject(header) : expect(found).toBeUndefined();
      }
    }
  });
  test('each status and type of an error has a valid example', () => {
    const failed = { status: { members: ['4xx', '5xx'], negated: false } };
    for (const item of described) {
      for (const [status, response] of responsesOf(item)) {
        if (!isInStatusSet(failed.status, Number(status))) continue;
        const media = json(response);
        const examples = Object.values(toMapping(media.examples)).map((example) => toMapping(example).value);
        for (const name of ['type', 'code'] as const) {
          const values = enumAt(media.schema, 'error', name);
          if (values.length > 0)
            expect(
              examples.map((value) => child(value, 'error', name)),
              `${item.id} ${status}`,
            ).toEqual(values);
        }
        expect(examples.length, `${item.id} ${status}`).toBeGreaterThan(0);
        for (const value of examples)
          expect(catalog.schemas.problems(withoutIds(media.schema), value)).toEqual([]);
      }
    }
  });
});

/** Returns a schema without its IDs, which must be unique when the schema is compiled again. */
function withoutIds(schema: unknown): Members {
  return JSON.parse(
    JSON.stringify(schema, (name, value: unknown) =>
      name === '$id' || name === '$schema' ? undefined : value,
    ),
  );
}
