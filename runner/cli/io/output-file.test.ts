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
import { assertWritableFile, saveElsewhere, writeOrKeep } from './output-file.ts';

test.skipIf(!existsSync('/proc')).each<[string, string, string]>([
  ['a folder', 'taken', 'taken" (EISDIR). It is a folder. Choose a file in it.'],
  ['a path below a file', 'file/below/report.json', '(ENOTDIR). A part of the path is not a folder.'],
  ['a path below a device', '/dev/null/report.json', '(ENOTDIR). A part of the path is not a folder.'],
  ['a path below /proc', '/proc/none/report.json', '(ENOENT). No file can be created at this path.'],
  ['a name that is too long', 'x'.repeat(300), '(ENAMETOOLONG). The name of the file is too long.'],
  ['a link to itself', 'circle', '(ELOOP). The path is a symbolic link that leads back to itself.'],
  ['a closed file descriptor', '/dev/fd/99', 'ENOENT'],
])('a report to %s is saved elsewhere, and the message has the reason', (_, name, says) => {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  mkdirSync(join(folder, 'taken'));
  writeFileSync(join(folder, 'file'), '');
  symlinkSync('circle', join(folder, 'circle'));
  const file = name.startsWith('/') ? name : join(folder, name);
  expect(() => assertWritableFile('The report', file)).toThrow(says);
  const complaint = writeOrKeep('The report', file, () => 'text') ?? '';
  expect(complaint).toContain('The report could not be written to ');
  expect(complaint).toContain(says);
  const [, kept = ''] = /The text was saved to (\S+) instead\.$/.exec(complaint) ?? [];
  expect(readFileSync(kept, 'utf8')).toBe('text');
  expect(readdirSync(folder).sort()).toEqual(['circle', 'file', 'taken']);
});

test('a text that cannot be saved elsewhere leaves no folder', () => {
  const before = process.env.TMPDIR;
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  process.env.TMPDIR = folder;
  try {
    // As on a full disk, the folder can be created, but no file in the folder.
    expect(saveElsewhere('none/report.json', () => 'text')).toBe('');
    expect(readdirSync(folder)).toEqual([]);
    expect(saveElsewhere('report.json', () => 'text')).toMatch(/ The text was saved to \S+ instead\.$/);
  } finally {
    process.env.TMPDIR = before;
  }
});
