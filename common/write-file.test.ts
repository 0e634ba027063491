import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { appendWhole, assertWritable, isTemporary, writeWhole } from './write-file.ts';

const built = new URL('../dist/common/write-file.js', import.meta.url);
const length = 500_000;
const writer = `const { writeWhole } = await import(${JSON.stringify(built.href)});
  for (let turn = 0; ; turn++) writeWhole(process.argv[1], ['ab'[turn % 2].repeat(${length})]);`;

const folder = (): string => mkdtempSync(join(tmpdir(), 'conformance-'));

test('writes a file with its parent folders, and nothing else', () => {
  const root = folder();
  writeWhole(join(root, 'a', 'b.json'), ['text']);
  expect(readFileSync(join(root, 'a', 'b.json'), 'utf8')).toBe('text');
  expect(readdirSync(join(root, 'a'))).toEqual(['b.json']);
});

test('replaces an existing file', () => {
  const file = join(folder(), 'b.json');
  writeFileSync(file, 'a longer text than the other');
  writeWhole(file, ['text']);
  expect(readFileSync(file, 'utf8')).toBe('text');
});

test('leaves no temporary file after a failure', () => {
  const root = folder();
  expect(() => writeWhole(root, ['text'])).toThrow();
  expect(readdirSync(root)).toEqual([]);
});

test('writes to a pipe', async () => {
  const pipe = join(folder(), 'pipe');
  execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
  const reader = spawn('cat', [pipe]);
  const read = new Promise<string>((resolve) =>
    reader.stdout.once('data', (piece) => resolve(String(piece))),
  );
  writeWhole(pipe, ['text']);
  expect(await read).toBe('text');
  expect(lstatSync(pipe).isFIFO()).toBe(true);
});

test.runIf(existsSync('/proc'))('throws if a folder cannot be created', () => {
  expect(() => writeWhole('/proc/no-such-folder/below/report.json', ['x'])).toThrow('ENOENT');
});

test('writes to the target of a link, whether the target exists or not', () => {
  const root = folder();
  mkdirSync(join(root, 'a'));
  symlinkSync(join('a', 'there'), join(root, 'link'));
  for (const text of ['one', 'two']) {
    writeWhole(join(root, 'link'), [text]);
    expect(lstatSync(join(root, 'link')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(root, 'a', 'there'), 'utf8')).toBe(text);
    expect(readdirSync(join(root, 'a'))).toEqual(['there']);
  }
});

test('keeps the mode of a file', () => {
  const file = join(folder(), 'b.json');
  writeFileSync(file, '');
  chmodSync(file, 0o640);
  writeWhole(file, ['text']);
  expect(statSync(file).mode & 0o7777).toBe(0o640);
});

test('applies the umask to a new file', () => {
  const before = process.umask(0o027);
  try {
    const file = join(folder(), 'b.json');
    writeWhole(file, ['text']);
    expect(statSync(file).mode & 0o7777).toBe(0o640);
  } finally {
    process.umask(before);
  }
});

test.runIf(existsSync('/proc'))('a private file stays private during writing', async () => {
  const root = folder();
  const file = join(root, 'report.json');
  writeFileSync(file, '');
  chmodSync(file, 0o600);
  const child = spawn(process.execPath, ['--input-type=module', '-e', writer, file], { stdio: 'inherit' });
  const ended = new Promise((resolve) => child.on('close', resolve));
  const seen = new Set<number>();
  let looked = 0;
  // Repeats until temporary files were seen often, since a single listing of the folder may miss these files.
  while (looked < 50) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    for (const name of readdirSync(root)) {
      const stats = statSync(join(root, name), { throwIfNoEntry: false });
      if (!stats) continue;
      if (isTemporary(name)) looked += 1;
      seen.add(stats.mode & 0o7777);
    }
  }
  child.kill('SIGKILL');
  await ended;
  expect([...seen]).toEqual([0o600]);
});

test('the check whether a file can be written creates no files or folders', () => {
  const root = folder();
  assertWritable(join(root, 'a', 'b', 'c.json'));
  expect(readdirSync(root)).toEqual([]);
  writeFileSync(join(root, 'file'), 'text');
  assertWritable(join(root, 'file'));
  expect(readFileSync(join(root, 'file'), 'utf8')).toBe('text');
  expect(() => assertWritable(root)).toThrow('EISDIR');
  expect(() => assertWritable(join(root, 'file', 'c.json'))).toThrow('ENOTDIR');
});

test('appends to a file', () => {
  const file = join(folder(), 'summary.md');
  appendWhole(file, 'one\n');
  appendWhole(file, 'two\n');
  expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n');
});

test.each([
  ['.conformance-0f8fad5b-d9cb-469f-a165-70867728950e.tmp', true],
  ['.conformance.yaml', false],
  ['conformance-a.tmp', false],
])('%s is a temporary file: %s', (name, expected) => {
  expect(isTemporary(join('a', name))).toBe(expected);
});

test('a file that two processes write is always complete, even if the processes are killed', async () => {
  const root = folder();
  const file = join(root, 'report.json');
  writeFileSync(file, 'a'.repeat(length));
  const expectWhole = (): void => {
    const text = readFileSync(file, 'utf8');
    expect([text.length, new Set(text).size]).toEqual([length, 1]);
  };
  const seen = new Set<number>();
  for (let round = 0; round < 4; round++) {
    const writers = [1, 2].map(() =>
      spawn(process.execPath, ['--input-type=module', '-e', writer, file], { stdio: 'inherit' }),
    );
    const ended = writers.map((child) => new Promise((resolve) => child.on('close', resolve)));
    // Repeats until both writers have written for a while. On a busy machine, the writers take longer.
    for (let looks = 0; looks < 20 + 3 * round; looks++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      expectWhole();
      seen.add(statSync(file).ino);
    }
    for (const child of writers) child.kill('SIGKILL');
    await Promise.all(ended);
    expectWhole();
  }
  expect(seen.size).toBeGreaterThan(4);
  expect(readdirSync(root).filter((name) => !isTemporary(name))).toEqual(['report.json']);
});
