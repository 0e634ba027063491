import { join } from 'node:path';
import { readDataFile } from '../../common/data-file.ts';
import { toList, toMapping } from '../../common/mapping.ts';
import { packageRoot } from '../../common/package-root.ts';
import { namedChanges } from '../../reference-server/named-changes/index.ts';
import { commands } from '../../runner/cli/command-table.ts';
import { listDefaultable } from '../../runner/cli/flags/profile-defaults.ts';
import type { Option } from '../../runner/run/define-option.ts';

const attributes = Object.entries(
  toMapping(readDataFile(join(packageRoot, 'specs/attributes.yaml')).value),
).map(([name, entry]) => ({ name, ...toMapping(entry) }) as const);
type Entry = (typeof attributes)[number] & Readonly<Record<string, unknown>>;

const reference = (name: string): object => ({ $ref: `#/$defs/${name}` });
const oneOrMore = (value: object): object[] => [value, { type: 'array', minItems: 1, items: value }];

/** Returns the schema of an attribute. The schema describes each value and each set of values. */
function valuesOf({ values, sets, free }: Entry): object {
  const known = Object.entries(toMapping(values)).map(([value, description]) => ({
    // YAML reads `true` as a boolean.
    const: value === 'true' || value === 'false' ? value === 'true' : value,
    description: toMapping(description).says ?? description,
  }));
  const named = Object.entries(toMapping(sets)).map(([set, members]) => ({
    const: set,
    description: `One of: ${toList(members).join(', ')}`,
  }));
  return { anyOf: [...known, ...named, ...(free ? [{ type: ['string', 'number', 'boolean'] }] : [])] };
}

/** Returns the schema of a condition on an attribute. */
function conditionOn(name: string): object {
  const values = oneOrMore(reference(name));
  const not = { type: 'object', additionalProperties: false, properties: { not: { anyOf: values } } };
  return { anyOf: [...values, not] };
}

/** Returns the schema of the attributes, for editors. */
export function createAttributesSchema(): object {
  const properties = (of: (entry: Entry) => object, entries: readonly Entry[] = attributes): object =>
    Object.fromEntries(entries.map((entry) => [entry.name, { description: entry.about, ...of(entry) }]));
  // Scenarios do not set an attribute that is derived from other attributes.
  const own = attributes.filter((entry: Entry) => entry.derived !== true);
  const sent = properties(({ name }) => reference(name), own);
  // The schema allows one level of alternatives, since some editors cannot load a recursive schema for two kinds of
  // files.
  const alternative = {
    type: 'object',
    additionalProperties: false,
    properties: properties(({ name }) => reference(`${name}-condition`)),
  };
  const groups = {
    type: 'object',
    additionalProperties: reference('attributes'),
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'The attributes of specs/attributes.yaml. This file is written by `npm run generate`.',
    $defs: {
      condition: {
        ...alternative,
        properties: { anyOf: { items: alternative }, answer: true, ...alternative.properties },
      },
      attributes: { type: 'object', additionalProperties: false, properties: sent },
      step: {
        type: 'object',
        additionalProperties: false,
        properties: {
          // The schema of a suite describes these properties.
          ...{ control: true, do: true, during: true },
          ...sent,
        },
      },
      axes: {
        type: 'object',
        properties: properties(
          ({ name }) => ({
            anyOf: [
              {
                type: 'array',
                items:
                  // `limited` stands for the operation of the rate limit in the profile.
                  name === 'operation' ? { anyOf: [reference(name), { const: 'limited' }] } : reference(name),
              },
              groups,
            ],
          }),
          own,
        ),
        additionalProperties: groups,
      },
      ...Object.fromEntries(
        attributes.flatMap((entry) => [
          [entry.name, valuesOf(entry)],
          [`${entry.name}-condition`, conditionOn(entry.name)],
        ]),
      ),
    },
  };
}

/** Returns the schema of the changes that a rule can use, with their meanings. */
export function createNamedChangesSchema(): object {
  const meanings = Object.entries(namedChanges).map(([name, { about }]) => `${name}: ${about}`);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'named-changes.schema.json',
    title: 'The names of changes in code. This file is written by `npm run generate`.',
    description: `${meanings.join('; ')}.`,
    enum: Object.keys(namedChanges),
  };
}

/** Returns the schema of `defaults` in a profile: the flags of `run` that a profile can set. */
export function createDefaultsSchema(): object {
  const typeOf = ({ takes }: Option): object => {
    if (takes === 'switch') return { type: 'boolean' };
    if (takes === 'list') return { type: 'array', items: { type: 'string', minLength: 1 } };
    return { type: ['string', 'number'] };
  };
  const properties = [...listDefaultable(commands.run.flags)].map(([name, option]) => [
    name,
    { description: option.description.replace(' Repeatable.', ''), ...typeOf(option) },
  ]);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'defaults.schema.json',
    title: 'Defaults of the flags of `run` in a profile. This file is written by `npm run generate`.',
    description:
      'Defaults of the flags of `conformance run`. A flag on the command line replaces its default.',
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(properties),
  };
}
