import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileGlob, compileNamePattern } from './glob.ts';

describe('a pattern', () => {
  test.each<[string, string, boolean]>([
    ['', '', true],
    ['a', 'a', true],
    ['a', 'ab', false],
    ['*', '', true],
    ['a*', 'a', true],
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['*ab*ab', 'abab', true],
    ['*ab*ab', 'abb', false],
    ['a*b*c', 'a-c-b', false],
    ['a.c*', 'abcd', false],
    ['a*c', 'a\nc', true],
    ['**', 'x', true],
    ['\\*/\\*', '*/*', true],
    ['\\*/\\*', 'a/b', false],
    ['a\\b*', 'a\\bc', true],
  ])('%j matches %j: %s', (pattern, text, expected) => {
    expect(compileNamePattern(pattern)(text)).toBe(expected);
  });

  test.each<[string, string, boolean]>([
    ['auth', 'auth/x', true],
    ['auth', 'auth', true],
    ['auth', 'authors/x', false],
    ['a.b', 'aXb', false],
    ['*key=deleted', 'auth/key=deleted', true],
    ['*key=deleted', 'auth/key=deleted/x', false],
    ['auth/*/header=bearer*', 'auth/y/header=bearer/z', true],
  ])('%j selects the ID %j: %s', (pattern, text, expected) => {
    expect(compileGlob(pattern)(text)).toBe(expected);
  });

  test('matches as a regular expression would', () => {
    const letters = fc.array(fc.constantFrom('a', 'b', '*'), { maxLength: 8 }).map((all) => all.join(''));
    const texts = fc.array(fc.constantFrom('a', 'b', '\n'), { maxLength: 10 }).map((all) => all.join(''));
    fc.assert(
      fc.property(letters, texts, (pattern, text) => {
        const expression = new RegExp(`^${pattern.replaceAll(/\*+/g, '.*')}$`, 's');
        return compileNamePattern(pattern)(text) === expression.test(text);
      }),
      { numRuns: 2_000 },
    );
  });
});
