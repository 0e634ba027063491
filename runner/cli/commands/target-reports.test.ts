import { describe, expect, test } from 'vitest';
import { chooseTargetReporters } from './target-reports.ts';

const names = ['a', 'b'];

test('a reporter with {target} in its path applies to each target, and other reporters to the comparison', () => {
  const { own, comparison } = chooseTargetReporters(
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

test('the comparison goes to stdout as text by default', () => {
  const { own, comparison } = chooseTargetReporters(['json={target}.json'], names);
  expect([...own.values()].flat().map(({ file }) => file)).toEqual(['a.json', 'b.json']);
  expect(comparison).toEqual([{ name: 'terminal', file: undefined }]);
});

describe('rejects', () => {
  test.each([
    ['a reporter that cannot compare', ['har=x.har'], '--reporter har=out/{target}.har'],
    ['two reporters to one file', ['json={target}.json', 'html=b.json'], 'Two reporters would write to'],
    ['two reporters to stdout', ['json', 'markdown'], 'Only one reporter can write to stdout'],
    ['an unknown reporter', ['jsn={target}.json'], 'Unknown reporter "jsn"'],
  ])('%s', (_, given, message) => {
    expect(() => chooseTargetReporters(given, names)).toThrow(message);
  });
});
