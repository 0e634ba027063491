import { describe, expect, test } from 'vitest';
import { chooseForTargets } from './target-reports.ts';

const names = ['a', 'b'];

test('a file with {target} in its name is one for each, all else is of the comparison', () => {
  const { own, comparison } = chooseForTargets(
    ['junit={target}/{target}.xml', 'html=all.html', 'json'],
    names,
  );
  expect([...own]).toEqual([
    ['a', [{ name: 'junit', file: 'a/a.xml' }]],
    ['b', [{ name: 'junit', file: 'b/b.xml' }]],
  ]);
  expect(comparison).toEqual([
    { name: 'html', file: 'all.html' },
    { name: 'json', file: undefined },
  ]);
});

test('the comparison goes to stdout as text where nothing else does', () => {
  const { own, comparison } = chooseForTargets(['json={target}.json'], names);
  expect([...own.values()].flat().map(({ file }) => file)).toEqual(['a.json', 'b.json']);
  expect(comparison).toEqual([{ name: 'terminal', file: undefined }]);
});

describe('reporters are refused', () => {
  test.each([
    ['where a comparison has no such form', ['har=x.har'], '--reporter har=out/{target}.har'],
    ['where two write to one file', ['json={target}.json', 'html=b.json'], 'Two reporters would write to'],
    ['where two write to stdout', ['json', 'markdown'], 'Only one reporter can write to stdout'],
    ['that are none', ['jsn={target}.json'], 'There is no reporter "jsn"'],
  ])('%s', (_, given, message) => {
    expect(() => chooseForTargets(given, names)).toThrow(message);
  });
});
