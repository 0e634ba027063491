import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { loadSchemas } from '../../../common/schemas.ts';
import type { GatewayResults } from '../../../runner/compare/gateway-results.ts';
import { createScratchFolder } from '../../support/command.ts';
import { runInProcess } from '../../support/in-process-command.ts';

const folder = createScratchFolder();
const key = 'sk-compare-folder-0123456789';

/** Makes a report at a path of the folder. */
async function makeReport(path: string, ...flags: readonly string[]): Promise<void> {
  mkdirSync(join(folder, dirname(path)), { recursive: true });
  const all = ['run', '--suite', 'models', '--reporter', `json=${path}`, '--reporter', 'brief', ...flags];
  expect((await runInProcess(all, { cwd: folder })).code).toBe(0);
}

beforeAll(async () => {
  await makeReport('results/gateway/2/report.json', '--reporter', 'html=results/gateway/2/report.html');
  await makeReport('results/gateway/10/report.json');
  await makeReport('results/other (new)/report.json');
  writeFileSync(join(folder, 'results/gateway/10/command.txt'), `conformance run --key ${key}\n`);
  mkdirSync(join(folder, 'results/.git'));
});

const compare = (...args: readonly string[]) => runInProcess(['compare', ...args], { cwd: folder });

test('compare writes the results of each gateway and version in each format', async () => {
  const files = ['html=out/index.html', 'json=results/all.json'].flatMap((value) => ['--reporter', value]);
  const { code, stdout, stderr } = await compare('results', '--reporter', 'markdown', ...files);
  expect([code, stderr]).toEqual([0, 'HTML report: out/index.html\n']);
  expect(stdout).toMatch(/^## Results of 2 gateways in 3 versions\n/);
  expect(stdout).toContain('| Section | gateway 2 | gateway 10 | other (new) |');
  expect(stdout).toContain('[report](results/gateway/2/report.html)');
  expect(readFileSync(join(folder, 'out/index.html'), 'utf8')).toContain(
    'href="../results/other%20%28new%29/report.json"',
  );
  const results: GatewayResults = JSON.parse(readFileSync(join(folder, 'results/all.json'), 'utf8'));
  expect((await loadSchemas()).problems('gateway-results', results)).toEqual([]);
  expect(results.gateways.map(({ name, version, file, page }) => [name, version, file, page])).toEqual([
    ['gateway', '2', 'gateway/2/report.json', 'gateway/2/report.html'],
    ['gateway', '10', 'gateway/10/report.json', null],
    ['other (new)', null, 'other%20%28new%29/report.json', null],
  ]);
});

test('compare shows the command of a report without its key', async () => {
  const { stdout } = await compare('results', '--reporter', 'markdown');
  expect(stdout).toContain('conformance run --key (hidden: looks like a key)');
  expect(stdout).not.toContain(key);
});

test('compare prints the numbers of requirements for a terminal', async () => {
  const { code, stdout } = await compare('results');
  expect(stdout).toMatch(/^Section +gateway +gateway +other \(new\)\n/);
  expect(code).toBe(0);
});

test('compare refuses the report of another run, and names that only case distinguishes', async () => {
  const copy = join(folder, 'copy');
  cpSync(join(folder, 'results/gateway'), join(copy, 'gateway'), { recursive: true });
  cpSync(join(copy, 'gateway/2'), join(copy, 'gateway/3'), { recursive: true });
  const twice = await compare('copy');
  expect([twice.code, twice.stderr]).toEqual([
    2,
    expect.stringContaining(
      'copy/gateway/3/report.json: the report is of the same run as copy/gateway/2/report.json.',
    ),
  ]);
  rmSync(join(copy, 'gateway/3'), { recursive: true });
  renameSync(join(copy, 'gateway/10'), join(copy, 'gateway/2a'));
  cpSync(join(copy, 'gateway/2a'), join(copy, 'gateway/2A'), { recursive: true });
  expect((await compare('copy')).stderr).toContain('differs from 2a only in upper and lower case');
});

test('compare refuses a command that is not short, and an output that it cannot write', async () => {
  const file = join(folder, 'results/gateway/10/command.txt');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, 'x'.repeat(6_000));
  const long = await compare('results');
  writeFileSync(file, text);
  expect(long.stderr).toContain('command.txt: the command has more than 5000 characters.');
  const unwritable = await compare('results', '--reporter', 'html=results/gateway/2/report.json/x.html');
  expect([long.code, unwritable.code]).toEqual([2, 4]);
});
