import { describe, expect, test } from 'vitest';
import { commands } from '../command-table.ts';
import { complete, formatCandidates } from './complete.ts';
import type { KnownNames } from './list-known-names.ts';

const known: KnownNames = {
  requirements: ['auth/missing-key'],
  cases: ['auth/good-key/operation=chat', 'auth/good-key/operation=models', 'balance/drained/operation=chat'],
  suites: ['auth', 'balance'],
  faults: ['key/prefix', 'key/suffix', 'stream/no-end'],
  variants: ['error/extra-members'],
};

async function textsFor(line: string): Promise<'files' | readonly string[]> {
  const found = await complete(line.split(' '), async () => known);
  return found === 'files' ? found : found.map(({ text }) => text);
}

describe('completes', () => {
  test.each([
    ['ru', ['run']],
    ['--v', ['--version']],
    ['serve --fa', ['--fault']],
    ['run --suite ', ['auth', 'balance']],
    ['run --suite=b', ['--suite=balance']],
    ['run --only ', ['auth/', 'balance/']],
    ['run --only auth/', ['auth/missing-key', 'auth/good-key/']],
    ['run --only auth/good-key/operation=m', ['auth/good-key/operation=models']],
    ['run --reporter j', ['json', 'json=', 'junit', 'junit=']],
    ['run --model chat.m', ['chat.mismatched=']],
    ['serve --fault key/', ['key/prefix', 'key/suffix']],
    ['serve --variant e', ['error/']],
    ['list fa', ['faults']],
    ['list faults st', ['stream/']],
    ['explain key/s', ['key/suffix']],
    ['completion ', ['bash', 'zsh', 'fish']],
    ['rum --', []],
    ['run --base-url h', []],
    ['run --bail --suite a', ['auth']],
  ])('%j to %j', async (line, texts) => {
    expect(await textsFor(line)).toEqual(texts);
  });

  test.each([
    'run --profile ',
    'run --profile=conf',
    'run --reporter json=re',
    'run --watch ',
    'check ',
    'check a.har b',
    'diff old.json ',
    'compare ',
    'app --model m -- ./te',
  ])('%j with paths', async (line) => {
    expect(await textsFor(line)).toBe('files');
  });

  test('flags where a value can be omitted, and where an argument is unknown', async () => {
    const flags = Object.values(commands.run.flags).map(({ flag }) => flag.split(' ')[0]);
    expect(await textsFor('run ')).toEqual(expect.arrayContaining(flags));
    expect(await textsFor('run --watch --dry')).toEqual(['--dry-run']);
  });

  test('without loading IDs where none are needed', async () => {
    const load = (): Promise<KnownNames> => Promise.reject(new Error('loaded'));
    expect(await complete(['run', '--dry'], load)).toMatchObject([{ text: '--dry-run' }]);
  });
});

test('candidates are lines, with their meaning after a tab', () => {
  expect(formatCandidates('files')).toBe(':files\n');
  expect(formatCandidates([{ text: 'a/' }, { text: '--b', about: 'Do b. And more.' }])).toBe(
    'a/\n--b\tDo b\n',
  );
});
