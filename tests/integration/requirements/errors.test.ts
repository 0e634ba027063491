import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readDataFile } from '../../../common/data-file.ts';
import { toMapping } from '../../../common/mapping.ts';
import { packageRoot } from '../../../common/package-root.ts';
import { readMember } from '../../../common/pointer.ts';
import { billingCodes, errorTypes } from '../../../reference-server/gateway/errors.ts';
import { type Catalog, catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import { type ErrorRow, type ErrorRows, statusesOf } from '../../../runner/catalog/errors.ts';

let catalog: Catalog;
let errors: ErrorRows;
beforeAll(async () => {
  catalog = await catalogOfPackage();
  ({ errors } = catalog);
});

const namesOf = (rows: ReadonlyMap<string, ErrorRow>) => [...rows.keys()];
const allNames = () => [...namesOf(errors.types), ...namesOf(errors.codes)];
/** Returns texts such as `400 invalid_request_error`, sorted. */
const rowsOf = (rows: ReadonlyMap<string, ErrorRow>, family?: string) =>
  [...rows.values()]
    .flatMap((row) => statusesOf(row, family).map((status) => `${status} ${row.name}`))
    .sort();

describe('the errors of specs/errors.yaml', () => {
  test('have the clauses of section 7', () => {
    const own = [
      ...rowsOf(errors.types).map((name) => `7.1 ${name}`),
      ...rowsOf(errors.codes).map((name) => `7.2 ${name}`),
    ];
    const isRow = (name: string) => /^7\.[12] \d/.test(name);
    expect(own.sort()).toEqual([...catalog.clauses.keys()].filter(isRow).sort());
    const rows = [...errors.types.values(), ...errors.codes.values()];
    expect(rows.flatMap(({ clause }) => clause.filter(isRow)).sort()).toEqual(own);
  });
  test('are the types of the schema of the error body', () => {
    expect(catalog.schemas.resolved('error-type').enum).toEqual(namesOf(errors.types));
  });
  test('are the types and codes that the reference gateway sends', () => {
    expect(Object.values(errorTypes)).toEqual(namesOf(errors.types));
    expect(Object.values(billingCodes)).toEqual(namesOf(errors.codes));
  });
  test('that say that a key is wrong have the status 401 and together name every header', () => {
    const refusals = [...errors.types.values()].filter(({ refuses }) => refuses.length > 0);
    expect(refusals.map((row) => [row.about, ...statusesOf(row)])).toEqual(refusals.map(() => ['key', 401]));
    expect(refusals.flatMap(({ refuses }) => refuses).sort()).toEqual([
      'bearer',
      'x-api-key',
      'x-goog-api-key',
    ]);
  });
  test('are the only types in the 401 of billing-type endpoints in specs/openapi.yaml', () => {
    const document = readDataFile(join(packageRoot, 'specs', 'openapi.yaml')).value;
    const place =
      '/components/responses/BillingUnauthorized/content/application~1json/schema/properties/error/anyOf/0';
    const types = readMember(document, `${place}/properties/type/enum`);
    expect(types).toEqual(
      namesOf(errors.types).filter((name) =>
        statusesOf(errors.types.get(name) ?? { status: 0 }).includes(401),
      ),
    );
  });
});

describe('texts', () => {
  test('of requirements name only errors of specs/errors.yaml, with their statuses', () => {
    const rows = [...rowsOf(errors.types), ...rowsOf(errors.codes)];
    const named = catalog.ledger.requirements.flatMap(({ id, says }) =>
      [...says.matchAll(/\b([45]\d\d) `([a-z_]+)`/g)].map(([, status, name]) => ({
        id,
        row: `${status} ${name}`,
      })),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter(({ row }) => !rows.includes(row))).toEqual([]);
  });
  test('of the schema of rules name only errors of specs/errors.yaml', () => {
    const { description } = toMapping(readMember(catalog.schemas.resolved('rules'), '/$defs/reason'));
    const named = [...String(description).matchAll(/\b([a-z]+(?:_[a-z]+)+)\b/g)].map(([, name = '']) => name);
    expect(new Set(named).size).toBeGreaterThan(8);
    expect(named.filter((name) => !allNames().includes(name))).toEqual([]);
  });
  test('of documents name only errors of specs/errors.yaml after a status', () => {
    const documents = [
      'README.md',
      'CONTRIBUTING.md',
      // Pages about real gateways quote their errors.
      ...readdirSync(join(packageRoot, 'docs'))
        .filter((file) => file.endsWith('.md') && !file.startsWith('gateway'))
        .map((file) => `docs/${file}`),
    ];
    const named = documents.flatMap((file) =>
      [...readFileSync(join(packageRoot, file), 'utf8').matchAll(/\b[45]\d\d `([a-z]+(?:_[a-z]+)+)`/g)].map(
        ([, name = '']) => ({ file, name }),
      ),
    );
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter(({ name }) => !allNames().includes(name))).toEqual([]);
  });
});
