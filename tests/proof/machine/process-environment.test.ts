import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createReferenceServer,
  type PartialProfile,
  type ReferenceServer,
} from '../../../reference-server/index.ts';
import {
  conformance,
  createScratchFolder,
  type FinishedCommand,
  listOutputs,
  program,
} from '../../support/command.ts';

const key = 'sk-2Vb8Kq5Xw9Lt4Rz7Nc1Jp6Hd3Gs0Fa';
const some = ['--only', 'auth/no-key/operation=models'];

/** A gateway that accepts every request, and calls `atFirst` for the first request of a test. */
let gateway: Server;
let url = '';
let requests = 0;
let authorizations: (string | undefined)[] = [];
let atFirst: () => void = () => {};
beforeAll(async () => {
  gateway = createServer((request, response) => {
    requests += 1;
    authorizations.push(request.headers.authorization);
    if (requests === 1) atFirst();
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"object":"list","data":[]}');
  });
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
});
afterAll(() => void gateway.close());
beforeEach(() => {
  requests = 0;
  authorizations = [];
  atFirst = () => {};
});

const env = { GATEWAY_API_KEY: key };
function judge(cwd: string, ...flags: string[]): Promise<FinishedCommand> {
  return conformance(['run', ...some, '--base-url', url, ...flags], { cwd, env });
}

/** Runs a line of bash in which `conformance` is the command. */
async function runInShell(cwd: string, line: string): Promise<FinishedCommand> {
  const text = `set -o pipefail; conformance() { "${process.execPath}" "${program}" "$@"; }; ${line}`;
  const options = {
    cwd,
    env: { PATH: process.env.PATH ?? '', TMPDIR: tmpdir(), ...env },
    maxBuffer: 64 * 1024 * 1024,
  };
  return promisify(execFile)('bash', ['--norc', '-c', text], options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

/** Returns the text of the report that was kept because its file could not be written. */
function readKeptReport(stderr: string): string {
  const [, file = ''] = /The text was saved to (\S+) instead\.$/m.exec(stderr) ?? [];
  return readFileSync(file, 'utf8');
}

test('a report that cannot be written is reported before anything is sent, with exit code 4', async () => {
  const cwd = createScratchFolder();
  mkdirSync(join(cwd, 'taken'));
  const flags = ['--reporter', 'tap=new/report.tap', '--reporter', 'json=taken'];
  const { code, stdout, stderr } = await judge(cwd, ...flags);
  expect(stderr).toBe(
    'conformance: The json report could not be written to "taken" (EISDIR). It is a folder. Choose a file in it. Nothing was sent.\n',
  );
  expect([code, stdout, requests, readdirSync(cwd)]).toEqual([4, '', 0, ['taken']]);
});

describe('a report that cannot be written at the end is kept elsewhere, and other reports are written', () => {
  const both = ['--reporter', 'json=report.json', '--reporter', 'tap=report.tap'];
  const expectRest = (cwd: string, { code, stdout, stderr }: FinishedCommand): void => {
    expect(stdout).toContain('Requirements');
    expect(readFileSync(join(cwd, 'report.tap'), 'utf8')).toMatch(/^TAP version 14\n1\.\.\d+\n/);
    expect(JSON.parse(readKeptReport(stderr))).toMatchObject({ schemaVersion: 1 });
    expect(readdirSync(cwd).filter((name) => name.includes('.tmp'))).toEqual([]);
    expect(code).toBe(4);
  };

  test('if a folder was created at its path', async () => {
    const cwd = createScratchFolder();
    atFirst = () => mkdirSync(join(cwd, 'report.json'));
    const finished = await judge(cwd, ...both);
    expect(finished.stderr).toContain('could not be written to "report.json" (EISDIR). It is a folder');
    expectRest(cwd, finished);
  });

  test('if the file size is limited, and the previous file stays', async () => {
    const cwd = createScratchFolder();
    writeFileSync(join(cwd, 'report.json'), 'of before');
    // The limit is in blocks of 1024 bytes.
    const line = `ulimit -f 20; conformance run --suite models --reporter json=report.json --reporter badge=b.svg`;
    const { code, stdout, stderr } = await runInShell(cwd, line);
    expect(stderr).toContain('could not be written to "report.json" (EFBIG)');
    expect(stdout).toContain('PASSED in a selection');
    expect(readFileSync(join(cwd, 'report.json'), 'utf8')).toBe('of before');
    expect(listOutputs(cwd)).toEqual(['b.svg', 'report.json']);
    expect(code).toBe(4);
  });

  test.runIf(existsSync('/dev/full'))('if the disk is full, also for stdout', async () => {
    const cwd = createScratchFolder();
    const reporters = '--reporter json --reporter badge=/dev/full --reporter tap=report.tap';
    const line = `conformance run ${some.join(' ')} --base-url ${url} ${reporters} > /dev/full`;
    const { code, stderr } = await runInShell(cwd, line);
    expect(stderr).toContain('could not be written to stdout (ENOSPC). The disk is full. Free some space');
    expect(stderr).toContain(
      'could not be written to "/dev/full" (ENOSPC). The disk is full. Free some space',
    );
    const [json, badge] = [...stderr.matchAll(/The text was saved to (\S+) instead\.$/gm)].map(
      ([, file = '']) => file,
    );
    expect(JSON.parse(readFileSync(json ?? '', 'utf8'))).toMatchObject({ schemaVersion: 1 });
    expect(readFileSync(badge ?? '', 'utf8')).toContain('</svg>');
    expect(readFileSync(join(cwd, 'report.tap'), 'utf8')).toMatch(/^TAP version 14/);
    expect(code).toBe(4);
  });

  const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
  test.runIf(canMount).each([
    ['full', 'mount -t tmpfs -o size=16k tmpfs disk', '', 'ENOSPC'],
    [
      'read-only',
      'mount -t tmpfs tmpfs disk; echo of before > disk/r.json; mount -o remount,ro disk',
      'of before\n',
      'EROFS',
    ],
  ])('if the file system is %s', async (_, mount, before, says) => {
    const cwd = createScratchFolder();
    mkdirSync(join(cwd, 'disk'));
    const command = `"${process.execPath}" "${program}" run --suite models --reporter json=disk/r.json; code=$?`;
    const line = `unshare -rm sh -c '${mount}; ${command}; cat disk/r.json >&2; ls -A disk >&2; exit $code'`;
    const { code, stderr } = await runInShell(cwd, line);
    expect(stderr).toContain(`could not be written to "disk/r.json" (${says}).`);
    expect(stderr).toContain(before);
    expect(stderr).not.toContain('.tmp');
    expect(code).toBe(4);
  });
});

describe('a reader of stdout', () => {
  test('that closes early does not change the exit code of a list', async () => {
    const { code, stdout, stderr } = await runInShell(
      createScratchFolder(),
      'conformance list cases | head -n 1',
    );
    expect([code, stdout.split('\n').length, stderr]).toEqual([0, 2, '']);
  });

  test('that closes immediately does not prevent other reports', async () => {
    const cwd = createScratchFolder();
    const line = `conformance run ${some.join(' ')} --base-url ${url} --reporter json=r.json | true`;
    const { code, stderr } = await runInShell(cwd, line);
    expect(stderr).not.toMatch(/EPIPE|Error/);
    expect(JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8'))).toMatchObject({ schemaVersion: 1 });
    expect(code).toBe(1);
  });

  test('that is slow gets the whole output, even if the output exceeds the buffer of a pipe', async () => {
    const line = 'conformance run --suite models --reporter json | (sleep 2; cat)';
    const { code, stdout } = await runInShell(createScratchFolder(), line);
    expect(stdout.length).toBeGreaterThan(128 * 1024);
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'conforms' });
    expect(code).toBe(0);
  });
});

test('runs with stdin, stdout and stderr closed', async () => {
  const cwd = createScratchFolder();
  const line = `conformance run ${some.join(' ')} --base-url ${url} --reporter json=r.json <&- >&- 2>&-`;
  const { code } = await runInShell(cwd, line);
  expect(JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8'))).toMatchObject({ schemaVersion: 1 });
  expect(code).toBe(1);
});

test.each([
  ['an open pipe', '--reporter json=/dev/fd/3 3>&1 >text | cat > out'],
  ['stdout, instead of the terminal report', '--reporter json=/dev/stdout > out'],
])('a report is written to %s', async (_, flags) => {
  const cwd = createScratchFolder();
  await runInShell(cwd, `conformance run ${some.join(' ')} --base-url ${url} ${flags}`);
  expect(JSON.parse(readFileSync(join(cwd, 'out'), 'utf8'))).toMatchObject({ schemaVersion: 1 });
});

test('simultaneous runs in one folder write complete files', async () => {
  const cwd = createScratchFolder();
  const flags = ['--reporter', 'json=r.json', '--baseline', 'b.yaml', '--update-baseline'];
  const finished = await Promise.all(
    [1, 2].map(() => conformance(['run', '--suite', 'models', ...flags], { cwd })),
  );
  expect(finished.map(({ code }) => code)).toEqual([0, 0]);
  expect(JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8'))).toMatchObject({ verdict: 'conforms' });
  expect(readFileSync(join(cwd, 'b.yaml'), 'utf8')).toMatch(/\nviolations: \[\]\n$/);
  expect(listOutputs(cwd)).toEqual(['b.yaml', 'r.json']);
});

describe('a file that changes during a run', () => {
  test('is not read again as a profile or a key file', async () => {
    const cwd = createScratchFolder();
    writeFileSync(join(cwd, 'conformance.yaml'), `baseUrl: ${url}\n`);
    writeFileSync(join(cwd, 'key'), key);
    atFirst = () => {
      writeFileSync(join(cwd, 'conformance.yaml'), 'baseUrl: [');
      writeFileSync(join(cwd, 'key'), 'another');
    };
    const { code } = await conformance(['run', ...some, '--key-file', 'key'], { cwd });
    const good = authorizations.filter((value) => value === `Bearer ${key}`).length;
    expect(good).toBeGreaterThan(0);
    expect(authorizations.join()).not.toContain('another');
    expect(code).toBe(1);
  });

  test('is kept and updated as a baseline, and not used for judging', async () => {
    const cwd = createScratchFolder();
    const flags = ['--baseline', 'b.yaml', '--update-baseline'];
    writeFileSync(join(cwd, 'b.yaml'), 'violations: []\n');
    atFirst = () => writeFileSync(join(cwd, 'b.yaml'), '# Mine, written meanwhile\nviolations: []\n');
    const { stderr } = await judge(cwd, ...flags);
    expect(stderr).toContain('Updated b.yaml: 2 added');
    expect(readFileSync(join(cwd, 'b.yaml'), 'utf8')).toMatch(
      /^# Mine, written meanwhile\nviolations:\n {2}- /,
    );
    requests = 0;
    atFirst = () => writeFileSync(join(cwd, 'b.yaml'), 'violations: {');
    const { code, stdout, stderr: later } = await judge(cwd, ...flags);
    expect(later).toContain(
      'The baseline could not be read again after the run, so the baseline was not updated. b.yaml:1',
    );
    expect(readFileSync(join(cwd, 'b.yaml'), 'utf8')).toBe('violations: {');
    expect(stdout).toContain('PASSED with ');
    expect(code).toBe(4);
  });
});

describe('a clock that is changed during a run', () => {
  let reference: ReferenceServer<PartialProfile>;
  beforeAll(async () => {
    reference = await createReferenceServer({ throttle: 1 });
  });
  afterAll(() => reference.close());

  test('affects neither verdicts nor durations', async () => {
    const cwd = createScratchFolder();
    // The clock jumps an hour forward and back at every third call.
    const jump = `let looks = 0; const now = Date.now;
      Date.now = () => now() + (Math.floor(++looks / 3) % 2) * 3_600_000 - 1_800_000;`;
    writeFileSync(join(cwd, 'jump.mjs'), jump);
    writeFileSync(join(cwd, 'conformance.yaml'), JSON.stringify(reference.profile));
    const flags = ['--suite', 'models', '--wait', '5s', '--max-time', '60s'];
    const { code, stderr } = await conformance(['run', ...flags, '--reporter', 'json=r.json'], {
      cwd,
      env: { NODE_OPTIONS: `--import ${join(cwd, 'jump.mjs')}` },
    });
    const report = JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8'));
    expect(stderr).toContain(basename(reference.url));
    const durations: number[] = report.cases.flatMap((item: { exchanges: { durationMs: number }[] }) =>
      item.exchanges.map(({ durationMs }) => durationMs),
    );
    expect(durations.filter((ms) => ms < 0 || ms > 60_000)).toEqual([]);
    expect(report.durationMs).toBeLessThan(60_000);
    expect(report.summary.cases).toMatchObject({ violates: 0, inconclusive: 0 });
    expect(code).toBe(0);
  });
});

test('an unexpected error exits with 70 and prints none of its members', async () => {
  const cwd = createScratchFolder();
  const defect = "const error = new Error('Broken'); error.request = { key: process.env.GATEWAY_API_KEY };";
  // The error is thrown when the command has installed its handler, however long its start takes.
  const whenReady = "() => { if (process.listenerCount('uncaughtException') > 0) throw error; }";
  writeFileSync(join(cwd, 'break.mjs'), `${defect} setInterval(${whenReady}, 20).unref();`);
  const { code, stderr } = await conformance(['run', '--base-url', url], {
    cwd,
    env: { ...env, NODE_OPTIONS: `--import ${join(cwd, 'break.mjs')}` },
  });
  expect(stderr).toContain('Internal error in this tool.');
  expect(stderr).toContain('Error: Broken\n    at ');
  expect(stderr).not.toContain(key);
  expect(code).toBe(70);
});
