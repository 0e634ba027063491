import { execFileSync, spawn } from 'node:child_process';
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeWhole } from './write-file.ts';

const folder = (): string => mkdtempSync(join(tmpdir(), 'conformance-'));

test('a file is written with the folders above it, and nothing else is left', () => {
  const root = folder();
  writeWhole(join(root, 'a', 'b.json'), 'text');
  expect(readFileSync(join(root, 'a', 'b.json'), 'utf8')).toBe('text');
  expect(readdirSync(join(root, 'a'))).toEqual(['b.json']);
});

test('a file that is there is replaced', () => {
  const file = join(folder(), 'b.json');
  writeFileSync(file, 'a longer text than the other');
  writeWhole(file, 'text');
  expect(readFileSync(file, 'utf8')).toBe('text');
});

test('what can not be written leaves nothing behind', () => {
  const root = folder();
  expect(() => writeWhole(root, 'text')).toThrow();
  expect(readdirSync(root)).toEqual([]);
});

test('a pipe is written to, and stays one', async () => {
  const pipe = join(folder(), 'pipe');
  execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
  const reader = spawn('cat', [pipe]);
  const read = new Promise<string>((resolve) =>
    reader.stdout.once('data', (piece) => resolve(String(piece))),
  );
  writeWhole(pipe, 'text');
  expect(await read).toBe('text');
  expect(lstatSync(pipe).isFIFO()).toBe(true);
});

test.runIf(existsSync('/proc'))('a folder that can not be made is an error at once', () => {
  expect(() => writeWhole('/proc/no-such-folder/below/report.json', 'x')).toThrow('ENOENT');
});
