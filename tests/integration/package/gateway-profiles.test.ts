import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../../common/package-root.ts';
import { type Catalog, catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import { createPromise } from '../../../runner/profile/promise.ts';
import { readProfile } from '../../../runner/profile/read-profile.ts';
import { prepare } from '../../../runner/run/prepare.ts';

const folder = join(packageRoot, 'fixtures', 'profiles');
const files = readdirSync(folder).filter((file) => !file.startsWith('reference'));
const docs = readFileSync(join(packageRoot, 'docs', 'gateways.md'), 'utf8');

let catalog: Catalog;
beforeAll(async () => {
  catalog = await catalogOfPackage();
});

describe.each(files)('the profile %s', (file) => {
  const path = join(folder, file);
  const variables = [...readFileSync(path, 'utf8').matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name);
  test('is valid when its variables are set', async () => {
    const env = Object.fromEntries(variables.map((name) => [name, `sk-${name.toLowerCase()}-0123456789`]));
    const { plan } = await prepare(createPromise(catalog, readProfile(path, {}, env, catalog)), {});
    expect(plan.cases.some(({ notApplicable }) => notApplicable === undefined)).toBe(true);
  });
  test('is described with its variables', () => {
    expect(docs).toContain(`fixtures/profiles/${file}`);
    for (const name of variables) expect(docs).toContain(name);
  });
  test('declares only what a linked source promises, and neither a success nor a 5xx', () => {
    const env = Object.fromEntries(variables.map((name) => [name, `sk-${name.toLowerCase()}-0123456789`]));
    const { deviations } = readProfile(path, {}, env, catalog);
    for (const deviation of deviations) {
      expect(deviation.reason).toMatch(/^https:\/\/\S+/);
      // Of streams, the specification allows an error after a 200.
      const allowed = JSON.stringify(deviation).replaceAll('{"status":"2xx","event":"error"}', '');
      expect(allowed).not.toMatch(/"status":[^}]*\b[25](\d\d|xx)/);
    }
  });
});
