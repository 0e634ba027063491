import { describe, expect, test } from 'vitest';
import type { Json } from '../json.ts';
import { compileTemplate, type Fragments, type Scope } from './template.ts';

const fill = (template: Json, scope: Scope = {}, fragments: Fragments = {}): Json | undefined =>
  compileTemplate(template, fragments)(scope);

describe('texts', () => {
  test.each<[template: string, scope: Scope, result: Json | undefined]>([
    ['plain', {}, 'plain'],
    ['{n}', { n: 3 }, 3],
    ['{n}', { n: null }, null],
    ['{n}', {}, undefined],
    ['id-{n}-{t.u}', { n: 3, t: { u: 'x' } }, 'id-3-x'],
    ['{t.u}', { t: { u: [1] } }, [1]],
    ['{t.constructor}', { t: {} }, undefined],
    ['{n|1}', {}, 1],
    ['{n|1}', { n: null }, 1],
    ['{n|{}}', {}, {}],
    ['{n|{"type":"text"}}', {}, { type: 'text' }],
    ['{"not": "a placeholder"}', {}, '{"not": "a placeholder"}'],
  ])('%j with %j', (template, scope, result) => {
    expect(fill(template, scope)).toEqual(result);
  });
});

test('members and items without a value are left out', () => {
  expect(fill({ a: '{x}', b: ['{x}', '{y}'] }, { y: 1 })).toEqual({ b: [1] });
});

describe('$each', () => {
  const parts: readonly Json[] = [{ name: 'a', pieces: ['1', '2'] }, { name: 'b' }];
  test('gives its items to the list around it', () => {
    expect(fill([0, { $each: 'parts', $do: '{name}' }], { parts })).toEqual([0, 'a', 'b']);
  });
  test('can have several results for each item, and be nested', () => {
    const inner = { $each: 'pieces', $do: '{name}{item}' };
    expect(fill([{ $each: 'parts', $do: ['{name}', inner] }], { parts })).toEqual(['a', 'a1', 'a2', 'b']);
  });
  test('is a list as the value of a member, which is left out if the list is empty', () => {
    const template = { list: { $each: 'parts', $do: '{name}' } };
    expect(fill(template, { parts })).toEqual({ list: ['a', 'b'] });
    expect(fill(template, { parts: [] })).toEqual({});
    expect(fill(template)).toEqual({});
  });
});

describe('$by', () => {
  test('chooses by the value as a text', () => {
    expect(fill({ $by: 'n', 0: 'zero', 1: 'one' }, { n: 1 })).toBe('one');
    expect(fill({ $by: 'n', 0: 'zero' }, { n: 1 })).toBeUndefined();
  });
  test('gives the items of a list to the list around it', () => {
    expect(fill([{ $by: 'n', 1: ['a', 'b'] }, 'c'], { n: 1 })).toEqual(['a', 'b', 'c']);
  });
});

describe('$use', () => {
  const fragments = { pair: { left: '{a}', right: '{b}' } };
  test('fills a fragment with further values', () => {
    expect(fill({ $use: 'pair', b: '{a}{a}' }, { a: 'x', b: 'y' }, fragments)).toEqual({
      left: 'x',
      right: 'xx',
    });
  });
  test('keeps null', () => {
    expect(fill({ $use: 'pair', b: null }, { a: 1, b: 2 }, fragments)).toEqual({ left: 1, right: null });
  });
  test('names an unknown fragment', () => {
    expect(() => fill({ $use: 'par' }, {}, fragments)).toThrow('"par"');
  });
});
