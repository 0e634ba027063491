import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadCatalog } from '../../catalog/catalog.ts';
import { readTargets } from './read-targets.ts';

const catalog = await loadCatalog();
const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
const profile = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};
const staging = profile('staging.yaml', 'baseUrl: https://staging.example\nkeys: { valid: sk-staging }\n');
const working = profile(
  'working.yaml',
  'keys: { valid: sk-working, deleted: sk-gone }\nmodels: { chat: m }\n',
);
const away = profile('away.yaml', 'keys: { valid: sk-a }\n');

test('a profile says all of its target; of a URL, the profile of the flags does', () => {
  const given = [`a=${staging}`, 'b=https://b.example/', 'c=HTTPS://c.example'];
  const targets = readTargets(given, { profile: working }, catalog);
  expect(
    targets.map(({ name, profile: { baseUrl, keys, models } }) => [name, baseUrl, keys, models.chat.good]),
  ).toEqual([
    ['a', 'https://staging.example', { valid: 'sk-staging' }, undefined],
    ['b', 'https://b.example', { valid: 'sk-working', deleted: 'sk-gone' }, 'm'],
    ['c', 'HTTPS://c.example', { valid: 'sk-working', deleted: 'sk-gone' }, 'm'],
  ]);
});

describe('targets are refused', () => {
  const url = 'https://gateway.example';
  test.each<[string, readonly string[], Parameters<typeof readTargets>[1], string]>([
    ['where there is one', [`a=${staging}`], {}, 'name two to 8 of them'],
    [
      'where there are too many',
      Array.from({ length: 9 }, (_, index) => `n${index}=${staging}`),
      {},
      'two to 8',
    ],
    ['without a name', [staging, `b=${staging}`], {}, 'is not NAME=URL or NAME=PROFILE'],
    ['without a value', ['a=', `b=${staging}`], {}, 'is not NAME=URL or NAME=PROFILE'],
    ['with a name that leads elsewhere', [`../a=${staging}`, `b=${staging}`], {}, 'a name has up to 32'],
    ['with an endless name', [`${'a'.repeat(33)}=${staging}`, `b=${staging}`], {}, 'a name has up to 32'],
    ['with one name twice', [`a=${staging}`, `A=${staging}`], {}, 'Two targets are called A'],
    [
      'where there is no such profile',
      ['a=gateway.example', `b=${staging}`],
      {},
      '--target a: "gat…" (15 characters, not shown as they may be a key) is not a URL, and no such profile exists.',
    ],
    [
      'by their names, where one has no URL',
      [`a=${staging}`, `b=${away}`],
      {},
      '--target b: There is no base URL',
    ],
    [
      'where a flag has no effect',
      [`a=${staging}`, `b=${staging}`],
      { key: 'sk-x' },
      '--key is for targets that are',
    ],
    [
      'where a URL is none',
      [`a=${staging}`, 'b=https://[x'],
      { profile: working },
      '--target b: The base URL "https://…" (10 characters, not shown as they may be a key) is not a valid URL',
    ],
    [
      'where a URL says too much',
      [`a=${staging}`, `b=${url}?x=1`],
      { profile: working },
      '--target b: The base URL',
    ],
  ])('%s', (_, given, flags, message) => {
    expect(() => readTargets(given, flags, catalog)).toThrow(message);
  });
});
