import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DataFileError } from '../common/data-file.ts';
import { createReferenceServer, type ReferenceServer } from './index.ts';

function stateFile(text?: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'state-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'state.json');
  if (text !== undefined) writeFileSync(file, text);
  return file;
}

async function start(file: string, log?: (line: string) => void): Promise<ReferenceServer> {
  const server = await createReferenceServer({ stateFile: file, ...(log && { log }) });
  onTestFinished(() => server.close());
  return server;
}

const call = (url: string, key: string): Promise<Response> =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-reference', messages: [{ role: 'user', content: 'Hello?' }] }),
  });

test('keys, balances and records are the same after another start', async () => {
  const file = stateFile();
  const first = await start(file);
  const [kept, deleted] = [first.keys.create({ name: 'kept' }), first.keys.create({ name: 'deleted' })];
  first.keys.delete(deleted.id);
  first.accounts.topUp('acme', 500);
  const called = await call(first.url, kept.value);
  const record = called.headers.get('x-request-id') ?? '';
  expect(called.status).toBe(200);
  const accounts = first.accounts.list();
  expect(accounts[0]?.spent).toBeGreaterThan(0);
  await first.close();

  const second = await start(file);
  expect(second.accounts.list()).toEqual(accounts);
  expect(second.keys.list()).toEqual(first.keys.list());
  expect((await call(second.url, kept.value)).status).toBe(200);
  expect((await call(second.url, deleted.value)).status).toBe(401);
  expect((await call(second.url, second.profile.keys.valid)).status).toBe(200);
  expect(readFileSync(file, 'utf8')).toContain(record);
});

test('the file contains a created key before the server ends, and only the user can read the file', async () => {
  const file = stateFile();
  const server = await start(file);
  const { value } = server.keys.create();
  expect(readFileSync(file, 'utf8').includes(value)).toBe(true);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('nothing that lies in the folder beforehand gets the keys or opens the file to others', async () => {
  const file = stateFile();
  const victim = `${file}.victim`;
  writeFileSync(victim, 'kept');
  symlinkSync(victim, `${file}.${process.pid}.tmp`);
  const server = await start(file);
  server.keys.create();
  expect(readFileSync(victim, 'utf8')).toBe('kept');
  expect(lstatSync(file).isSymbolicLink()).toBe(false);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

describe('a second gateway on one file', () => {
  const lockOf = (file: string): string => `${file}.lock`;

  test('is refused with the process of the first', async () => {
    const file = stateFile();
    const first = await start(file);
    const { id } = first.keys.create();
    await expect(createReferenceServer({ stateFile: file })).rejects.toThrow(
      new DataFileError(
        file,
        undefined,
        `another reference gateway uses this file (process ${process.pid}). Stop it, or choose another file. If process ${process.pid} is another program, delete ${lockOf(file)}.`,
      ),
    );
    await first.close();
    expect(existsSync(lockOf(file))).toBe(false);
    expect((await start(file)).keys.list().map((key) => key.id)).toContain(id);
  });

  test('is refused while the process of the lock runs', async () => {
    const file = stateFile();
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    onTestFinished(() => void other.kill());
    writeFileSync(lockOf(file), `${other.pid}\n`);
    await expect(createReferenceServer({ stateFile: file })).rejects.toThrow(`(process ${other.pid})`);
    other.kill();
    await once(other, 'close');
    await start(file);
    expect(readFileSync(lockOf(file), 'utf8')).toBe(`${process.pid}\n`);
  });

  test.each([
    ['an earlier process with the same ID', `${process.pid}\n`],
    ['a process that ended before it wrote its ID', ''],
  ])('takes over the lock of %s', async (_, text) => {
    const file = stateFile();
    writeFileSync(lockOf(file), text);
    await start(file);
    expect(readFileSync(lockOf(file), 'utf8')).toBe(`${process.pid}\n`);
  });

  test('leaves another file with the name of the lock as it is', async () => {
    const file = stateFile();
    writeFileSync(lockOf(file), 'yarn');
    await expect(createReferenceServer({ stateFile: file })).rejects.toThrow(
      `${lockOf(file)} is not a lock of a reference gateway.`,
    );
    expect(readFileSync(lockOf(file), 'utf8')).toBe('yarn');
  });

  test('starts after the first could not listen', async () => {
    const [file, taken] = [stateFile(), await createReferenceServer()];
    onTestFinished(() => taken.close());
    const port = Number(new URL(taken.url).port);
    await expect(createReferenceServer({ stateFile: file, port })).rejects.toThrow('EADDRINUSE');
    await start(file);
  });
});

test('logs that changes of another program are lost, but not its own changes', async () => {
  const file = stateFile();
  const lines: string[] = [];
  const server = await start(file, (line) => void lines.push(line));
  server.keys.create();
  server.keys.create();
  expect(lines).toEqual([]);
  writeFileSync(file, readFileSync(file));
  server.keys.create();
  const logged = [
    `${file}: another program changed the file, and its changes are lost: the state is written again.`,
  ];
  expect(lines).toEqual(logged);
  server.keys.create();
  expect(lines).toEqual(logged);
});

test.each([
  ['{"accounts": [', 'the file is not JSON.'],
  ['[]', 'the value must be an object'],
  [
    '{"version":1,"accounts":[{"id":"a","balance":"1","spent":0}],"keys":[],"records":[]}',
    '`accounts[0].balance` must be an integer',
  ],
])('a file that is not a state file is refused and not changed: %s', async (text, problem) => {
  const file = stateFile(text);
  await expect(createReferenceServer({ stateFile: file })).rejects.toThrow(
    `${file}: not a state file of the reference gateway: `,
  );
  await expect(createReferenceServer({ stateFile: file })).rejects.toThrow(problem);
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('a file that cannot be written is refused at the start', async () => {
  const file = join(stateFile(), 'no-folder', 'state.json');
  await expect(createReferenceServer({ stateFile: file })).rejects.toThrow(
    `${file}: the state cannot be written (ENO`,
  );
});

test.each([
  ['below a regular file', (file: string) => join(file, 'state.json'), 'the file does not exist.'],
  ['with a name that is too long', (file: string) => `${file}${'x'.repeat(300)}`, '(ENAMETOOLONG)'],
  ['of a link to itself', (file: string) => `${file}.loop`, '(ELOOP)'],
])('a path %s is refused', async (_, pathOf, problem) => {
  const file = stateFile('');
  symlinkSync(`${file}.loop`, `${file}.loop`);
  const started = createReferenceServer({ stateFile: pathOf(file) });
  await expect(started).rejects.toThrow(DataFileError);
  await expect(started).rejects.toThrow(problem);
});

test('a link to the file stays a link, and a folder is refused', async () => {
  const file = stateFile();
  const link = `${file}.link`;
  await (await start(file)).close();
  symlinkSync(file, link);
  const server = await start(link);
  const { value } = server.keys.create();
  expect(readFileSync(file, 'utf8').includes(value)).toBe(true);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  const folder = dirname(file);
  await expect(createReferenceServer({ stateFile: folder })).rejects.toThrow(
    `${folder}: the path is not a regular file.`,
  );
});

test('a later failure to write the file is logged, and the gateway continues', async () => {
  const file = stateFile();
  const lines: string[] = [];
  const server = await start(file, (line) => lines.push(line));
  rmSync(join(file, '..'), { recursive: true });
  const { value } = server.keys.create();
  expect(lines).toEqual([
    `${file}: the state cannot be written (ENOENT). Check the path and its permissions.`,
  ]);
  expect((await call(server.url, value)).status).toBe(200);
});
