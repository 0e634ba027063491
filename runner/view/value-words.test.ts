import { expect, test } from 'vitest';
import { attributesOfPackage } from '../catalog/attributes.ts';
import { phraseOfValue } from './value-words.ts';

/** The attributes with a closed list of values that reports name. */
const closed = [
  'model',
  'fault',
  'record',
  'range',
  'accept',
  'added',
  'streamed',
  'overlapping',
  'repeated',
];

test.each(closed)('every value of %s has a phrase', (name) => {
  const { counted } = attributesOfPackage();
  const values = counted.find((attribute) => attribute.name === name)?.values ?? [];
  const nameless = values.filter(
    (value) => value !== 'none' && phraseOfValue(name, value) === `with the ${name} \`${value}\``,
  );
  expect(values.length).toBeGreaterThan(1);
  expect(nameless).toEqual([]);
});
