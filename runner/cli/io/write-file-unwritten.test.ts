import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assertWritableFiles, keptIn, writeOrKeep } from './write-file.ts';

test.each<[string, string, string]>([
  ['a folder', 'taken', 'taken: EISDIR. It is a folder; name a file in it.'],
  ['below a file', 'file/below/report.json', 'ENOTDIR. What stands above it is no folder.'],
  ['below a device', '/dev/null/report.json', 'ENOTDIR. What stands above it is no folder.'],
  ['where nothing can be made', '/proc/none/report.json', 'ENOENT. Nothing can be made there.'],
  ['of a name too long', 'x'.repeat(300), 'ENAMETOOLONG. The name is too long.'],
  ['a link to itself', 'circle', 'ELOOP. It is a link that leads back to itself.'],
  ['not open', '/dev/fd/99', 'ENOENT'],
])('a file that is %s is not written, which is told with why and what to do', (_, name, says) => {
  if (name.startsWith('/') && !existsSync('/proc')) return;
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  mkdirSync(join(folder, 'taken'));
  writeFileSync(join(folder, 'file'), '');
  symlinkSync('circle', join(folder, 'circle'));
  const file = name.startsWith('/') ? name : join(folder, name);
  expect(() => assertWritableFiles('The report', file)).toThrow(says);
  const complaint = writeOrKeep('The report', file, 'text') ?? '';
  expect(complaint).toContain('The report could not be written to ');
  expect(complaint).toContain(says);
  const [, kept = ''] = /It is kept in (\S+)\.$/.exec(complaint) ?? [];
  expect(readFileSync(kept, 'utf8')).toBe('text');
  expect(readdirSync(folder).sort()).toEqual(['circle', 'file', 'taken']);
});

test('a text that cannot be kept either leaves no folder behind', () => {
  const before = process.env.TMPDIR;
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  process.env.TMPDIR = folder;
  try {
    // As on a full disk, the folder can be made, and the file in it cannot.
    expect(keptIn('none/report.json', 'text')).toBe('');
    expect(readdirSync(folder)).toEqual([]);
    expect(keptIn('report.json', 'text')).toMatch(/ It is kept in \S+\.$/);
  } finally {
    process.env.TMPDIR = before;
  }
});
