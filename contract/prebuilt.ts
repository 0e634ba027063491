import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageRoot } from './package-root.ts';

export type JsonSchema = { readonly [keyword: string]: unknown };

/** A check of a value against a schema; after it failed, `errors` has what is wrong. */
export interface SchemaCheck {
  (value: unknown): boolean;
  readonly errors?:
    | readonly {
        readonly instancePath: string;
        readonly keyword: string;
        readonly message?: string;
        readonly params: Readonly<Record<string, unknown>>;
      }[]
    | null;
}

/** What the build made of the data files, each found again by the whole text that it was made of. */
export interface BuiltData {
  /** The values of YAML files. */
  readonly values: readonly { readonly text: string; readonly value: unknown }[];
  /** The files of `specs/schemas`, and each schema by name with its references resolved. */
  readonly schemas: {
    readonly texts: readonly string[];
    readonly resolved: Readonly<Record<string, JsonSchema>>;
  };
}

/** The checks of the schemas that stand in requirements, by the text of the schema. */
export const inlineChecks = 'inline';

const folder = join(packageRoot, 'dist', 'built', 'runner');
/** Sources that run as they are, as in tests, make everything themselves. */
const isBuilt = fileURLToPath(import.meta.url).startsWith(join(packageRoot, 'dist'));
const load = createRequire(import.meta.url);

/** The name of the file in which the build puts its data. */
export const builtDataFile = 'data.json';

let data: BuiltData | undefined;
let values: ReadonlyMap<string, unknown> | undefined;
let inline: Readonly<Record<string, SchemaCheck>> | undefined;

/** The value of this YAML text, where it is one of the package's own as they were built. */
export function builtValue(text: string): unknown {
  values ??= new Map(builtData().values.map((item) => [item.text, item.value]));
  return values.get(text);
}

/** The schemas of these files with their references resolved, where the build knew exactly these. */
export function builtSchemas(texts: readonly string[]): Readonly<Record<string, JsonSchema>> | undefined {
  const { schemas } = builtData();
  const same = schemas.texts.length === texts.length && texts.every((text, at) => text === schemas.texts[at]);
  return same ? schemas.resolved : undefined;
}

/** The check of a schema of that name, as the build made it. */
export function builtCheck(name: string): SchemaCheck {
  return load(join(folder, `${name}.cjs`));
}

/** The check of a schema that stands in a requirement, where the build knew this one. */
export function builtInlineCheck(schema: JsonSchema): SchemaCheck | undefined {
  const file = join(folder, `${inlineChecks}.cjs`);
  inline ??= isBuilt && existsSync(file) ? load(file) : {};
  return inline?.[JSON.stringify(schema)];
}

/** What to load a package by: the one file that the build made of it, which takes a third of the time of its many. */
export function builtPackage(name: string): string {
  const file = join(folder, `${name}.cjs`);
  return isBuilt && existsSync(file) ? file : name;
}

function builtData(): BuiltData {
  data ??= readData();
  return data;
}

function readData(): BuiltData {
  const file = join(folder, builtDataFile);
  if (!isBuilt || !existsSync(file)) return { values: [], schemas: { texts: [], resolved: {} } };
  return JSON.parse(readFileSync(file, 'utf8'));
}
