import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { catalogOfPackage } from '../../catalog/catalog.ts';
import { readTargets } from './read-targets.ts';

const catalog = await catalogOfPackage();
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

test('a target is a profile, or a URL with the profile of the flags', () => {
  const given = [`a=${staging}`, 'b=https://b.example/', 'c=HTTPS://c.example'];
  const targets = readTargets(given, { profile: working }, catalog);
  expect(
    targets.map(({ name, promise: { profile } }) => [
      name,
      profile.baseUrl,
      profile.keys,
      profile.models.chat.good,
    ]),
  ).toEqual([
    ['a', 'https://staging.example', { valid: 'sk-staging' }, undefined],
    ['b', 'https://b.example', { valid: 'sk-working', deleted: 'sk-gone' }, 'm'],
    ['c', 'HTTPS://c.example', { valid: 'sk-working', deleted: 'sk-gone' }, 'm'],
  ]);
});

test('the profile of a target can refer to a variable of --allow-env', () => {
  process.env.CONFORMANCE_TENANT = 'acme';
  onTestFinished(() => {
    delete process.env.CONFORMANCE_TENANT;
  });
  const file = profile(
    'tenant.yaml',
    'baseUrl: https://t.example\nkeys: { valid: sk-t }\nheaders: { x-tenant: "${CONFORMANCE_TENANT}" }\n',
  );
  const targets = readTargets([`a=${file}`, `b=${staging}`], { allowEnv: ['CONFORMANCE_TENANT'] }, catalog);
  expect(targets.map(({ promise }) => promise.profile.headers)).toEqual([{ 'x-tenant': 'acme' }, {}]);
});

describe('rejects', () => {
  const url = 'https://gateway.example';
  test.each<[string, readonly string[], Parameters<typeof readTargets>[1], string]>([
    ['one target', [`a=${staging}`], {}, 'expected 2 to 8 targets, got 1'],
    [
      'nine targets',
      Array.from({ length: 9 }, (_, index) => `n${index}=${staging}`),
      {},
      'expected 2 to 8 targets, got 9. Remove some of the targets.',
    ],
    ['a target without a name', [staging, `b=${staging}`], {}, 'Expected NAME=URL or NAME=FILE'],
    ['a target without a value', ['a=', `b=${staging}`], {}, 'Expected NAME=URL or NAME=FILE'],
    ['a name with a path', [`../a=${staging}`, `b=${staging}`], {}, 'A name has at most 32'],
    ['a name of 33 letters', [`${'a'.repeat(33)}=${staging}`, `b=${staging}`], {}, 'A name has at most 32'],
    ['one name twice', [`a=${staging}`, `A=${staging}`], {}, '--target a and --target A: the names of'],
    [
      'a profile that does not exist',
      ['a=gateway.example', `b=${staging}`],
      {},
      '--target a: "gateway.example" is neither an HTTP URL nor an existing profile.',
    ],
    [
      'a profile without a base URL, by the name of its file',
      [`a=${staging}`, `b=${away}`],
      {},
      'away.yaml:1: the base URL is missing',
    ],
    ['a flag without effect', [`a=${staging}`, `b=${staging}`], { key: 'sk-x' }, '--key has no effect'],
    [
      'an invalid URL',
      [`a=${staging}`, 'b=https://[x'],
      { profile: working },
      '--target b: the base URL "https://[x" is not a valid URL',
    ],
    [
      'a URL with a query',
      [`a=${staging}`, `b=${url}?x=1`],
      { profile: working },
      '--target b: the base URL',
    ],
  ])('%s', (_, given, flags, message) => {
    expect(() => readTargets(given, flags, catalog)).toThrow(message);
  });
});
