import { describe, expect, test } from 'vitest';
import { groupCells, listUnusedRows, matrix } from './matrix.ts';

describe('the matrix', () => {
  test('needs each row of its table for a cell that is tested', () => {
    expect(listUnusedRows()).toEqual([]);
  });

  const calls = [
    { operation: 'chat', places: ['bearer', 'x-api-key'], streams: ['false', 'true'] },
    { operation: 'responses', places: ['bearer', 'x-api-key'], streams: ['false', 'true'] },
    { operation: 'messages', places: ['bearer', 'x-api-key'], streams: ['false', 'true'] },
    { operation: 'generate', places: ['bearer', 'x-api-key', 'x-goog-api-key'], streams: ['false'] },
    { operation: 'streamGenerate', places: ['bearer', 'x-api-key', 'x-goog-api-key'], streams: ['true'] },
  ];
  test.each([
    'bad-key',
    'unknown-model',
    'unavailable-model',
    'unsupported-model',
    'mismatched-model',
    'image-refused',
    'low-balance',
  ])('has a wrong verdict for each call, header and reason of refusal, plain and streamed: %s', (refused) => {
    const names = matrix
      .filter(({ facts }) => facts.group === 'verdict' && facts.parts === 'one' && facts.refused === refused)
      .map(
        ({ facts }) =>
          `${facts.operation} ${facts.place} ${facts.streamed === 'any' ? 'false' : facts.streamed}`,
      );
    const wanted = calls.flatMap(({ operation, places, streams }) =>
      places.flatMap((place) => streams.map((streamed) => `${operation} ${place} ${streamed}`)),
    );
    expect(wanted.filter((name) => !names.includes(name))).toEqual([]);
  });
});

test('groupCells puts each cell into one gateway, and no two cells that violate the same requirement', () => {
  const groups = groupCells(matrix);
  const ids = groups.flatMap(({ cells }) => cells.map(({ id }) => id));
  expect(ids.sort()).toEqual(matrix.map(({ id }) => id).sort());
  for (const { cells } of groups) {
    const requirements = cells.flatMap(({ violates, mayViolate }) => [...violates, ...mayViolate]);
    expect(requirements.filter((one, index) => requirements.indexOf(one) !== index)).toEqual([]);
  }
});
