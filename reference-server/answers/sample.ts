import { generateSync } from 'json-schema-faker';
import { compileForeignSchema, type JsonSchema } from '../../common/compile-schema.ts';
import { toMapping } from '../../common/mapping.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';

/** The most ends of an object that are tried in a text. */
const maxTries = 50;

/**
 * Returns a value that satisfies a JSON Schema: the first object in the text that does, or else an invented value, which
 * is the same each time. An invented object has only the required members. Returns an empty object if the schema can't be
 * satisfied or read.
 */
export function sampleOf(schema: JsonSchema, text: string): Json {
  return findObject(text, (value) => satisfies(value, schema)) ?? invent(schema);
}

/** Returns a value as `sampleOf`, as an object. */
export function sampleObjectOf(schema: JsonSchema, text: string): JsonObject {
  const value = sampleOf(schema, text);
  return isObject(value) ? value : {};
}

function invent(schema: JsonSchema): Json {
  try {
    const value = generateSync(addExamples(schema), {
      seed: 1,
      optionalsProbability: 0,
      useExamplesValue: true,
      useDefaultValue: true,
    });
    return JSON.parse(JSON.stringify(value ?? null));
  } catch {
    return {};
  }
}

const examples: Readonly<Record<string, (name: string) => Json>> = {
  string: (name) => name,
  integer: () => 1,
  number: () => 1,
  boolean: () => true,
};

/** Gives each member that can have any text, number or truth value an example, which is easier to read than a random one. */
function addExamples(schema: JsonSchema): JsonSchema {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (!isObject(value)) return value;
    const { properties, ...others } = value;
    const walked = Object.fromEntries(Object.entries(others).map(([name, item]) => [name, walk(item)]));
    if (!isObject(properties)) return walked;
    const entries = Object.entries(properties).map(([name, item]) => [name, addExample(name, walk(item))]);
    return { ...walked, properties: Object.fromEntries(entries) };
  };
  return toMapping(walk(schema));
}

function addExample(name: string, schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const isFree = Object.keys(schema).every((keyword) => ['type', 'title', 'description'].includes(keyword));
  const create = isFree ? examples[String(schema.type)] : undefined;
  return create ? { ...schema, examples: [create(name)] } : schema;
}

function satisfies(value: JsonObject, schema: JsonSchema): boolean {
  try {
    return compileForeignSchema(schema)(value);
  } catch {
    return false;
  }
}

/** Finds the first JSON object in a text that satisfies a test. */
function findObject(text: string, test: (value: JsonObject) => boolean): JsonObject | undefined {
  let tries = 0;
  for (let start = text.indexOf('{'); start >= 0; start = text.indexOf('{', start + 1)) {
    for (let end = text.indexOf('}', start); end >= 0; end = text.indexOf('}', end + 1)) {
      tries += 1;
      if (tries > maxTries) return undefined;
      const value = parse(text.slice(start, end + 1));
      if (value === undefined) continue;
      if (test(value)) return value;
      break;
    }
  }
  return undefined;
}

function parse(text: string): JsonObject | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
