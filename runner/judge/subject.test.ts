import { expect, test } from 'vitest';
import { readDataFile } from '../../common/data-file.ts';
import { toMapping } from '../../common/mapping.ts';
import { keyWords } from './subject.ts';

const { values } = toMapping(toMapping(readDataFile('specs/attributes.yaml').value).key);

test.each(Object.keys(toMapping(values)).filter((kind) => !['depleted', 'foreign'].includes(kind)))(
  'the key kind %s has a noun phrase for titles',
  (kind) => {
    expect(keyWords.has(kind)).toBe(true);
  },
);
