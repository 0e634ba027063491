import { expect, test } from 'vitest';
import { readSeed } from './seed.ts';
import { addRecord, createState, findRecordById } from './state.ts';

test('addRecord removes the oldest records, except the records of the seed', () => {
  const seed = readSeed();
  const state = createState(seed, 0);
  const [known] = state.records;
  if (!known) throw new Error('The seed has no record.');
  for (let number = 0; number < 102_000; number += 1) addRecord(state, { ...known, id: String(number) });
  expect(state.records.length).toBeLessThanOrEqual(101_000);
  expect(findRecordById(state, '0')).toBeUndefined();
  expect(findRecordById(state, '101999')).toBeDefined();
  for (const { id } of [seed.records.own, seed.records.foreign])
    expect(findRecordById(state, id)).toBeDefined();
});
