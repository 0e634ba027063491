import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageInfo } from '../../../common/package-info.ts';
import { packageRoot } from '../../../common/package-root.ts';
import { createReferenceServer, faults } from '../../../reference-server/index.ts';
import { createScratchFolder } from '../../support/command.ts';
import { packInto } from '../../support/installed-package.ts';
import { servePackages } from '../../support/package-registry.ts';

const execute = promisify(execFile);

interface Step {
  readonly id?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
}
interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}
const action: Action = parse(readFileSync(join(packageRoot, 'action.yml'), 'utf8'));
const [install, judge] = ['install', 'judge'].map((name) => action.runs.steps.find(({ id }) => id === name));

const server = await createReferenceServer();
const faulty = await createReferenceServer(
  faults.find(({ id }) => id === 'bad-key/beginning-is-enough-for-the-model-list')?.setup(),
);
const tarball = await packInto(createScratchFolder());
const registry = await servePackages(tarball);
afterAll(() => Promise.all([server.close(), faulty.close(), registry.close()]));
const key = server.profile.keys.valid;

interface FinishedStep {
  readonly code: number;
  readonly text: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly folder: string;
  /** The job summary. */
  readonly summary: string;
}

/** Runs a step with these inputs of the action, as a GitHub runner does. */
async function runStep(
  step: Step | undefined,
  inputs: Readonly<Record<string, string>>,
  { command = '', folder = createScratchFolder() }: { command?: string; folder?: string } = {},
): Promise<FinishedStep> {
  const expand = (text: string): string =>
    text
      .replace('${{ github.action_path }}', packageRoot)
      .replace('${{ steps.install.outputs.command }}', command)
      .replace(
        /\$\{\{ inputs\.([\w-]+) \}\}/,
        (_, name: string) => inputs[name] ?? action.inputs[name]?.default ?? '',
      );
  const env = Object.entries(step?.env ?? {}).map(([name, text]) => [name, expand(text)] as const);
  const temporary = createScratchFolder();
  const output = join(folder, 'output');
  const summary = join(temporary, 'summary');
  writeFileSync(output, '');
  const ended = await execute('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step?.run ?? ''], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: temporary,
      npm_config_registry: registry.url,
      ...Object.fromEntries(env),
      RUNNER_TEMP: temporary,
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: summary,
    },
  }).then(
    ({ stdout, stderr }) => ({ code: 0, text: stdout + stderr }),
    (error) => ({ code: Number(error.code), text: String(error.stdout) + String(error.stderr) }),
  );
  const outputs = Object.fromEntries(
    readFileSync(output, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split('=', 2)),
  );
  return { ...ended, outputs, folder, summary: existsSync(summary) ? readFileSync(summary, 'utf8') : '' };
}

const installed = await runStep(install, { package: basename(tarball) }, { folder: dirname(tarball) });
const { command = '' } = installed.outputs;
const runSuite = (inputs: Readonly<Record<string, string>>): Promise<FinishedStep> =>
  runStep(judge, inputs, { command });

describe('the action', () => {
  test('passes inputs to its scripts only through the environment', () => {
    for (const { run = '' } of action.runs.steps) expect(run).not.toContain('${{');
    expect(Object.keys({ ...install?.env, ...judge?.env }).length).toBeGreaterThan(6);
  });

  test('uploads the reports whatever the verdict is', () => {
    const upload = action.runs.steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact@'));
    expect(upload?.if).toContain('always()');
  });

  test('installs what users install, and nothing of what the project is developed with', () => {
    expect(installed).toMatchObject({ code: 0, text: expect.not.stringMatching(/warn/i) });
    const modules = command.replace(/(?<=node_modules).*/, '');
    const files = readdirSync(modules, { recursive: true, withFileTypes: true });
    const bytes = files.map((file) => (file.isFile() ? statSync(join(file.parentPath, file.name)).size : 0));
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(40_000_000);
    expect(readdirSync(modules)).not.toContain('vitest');
  });

  test('by default installs the version of the action from the registry', async () => {
    const { code, outputs } = await runStep(install, {});
    expect(code).toBe(0);
    const { stdout } = await execute(process.execPath, [outputs.command ?? '', '--version']);
    expect(stdout).toBe(`${packageInfo.version}\n`);
  });

  test.each([
    [
      'a version that the registry lacks',
      'model-gateway-conformance@99.0.0',
      3,
      'give a tarball as input "package"',
    ],
    ['a tarball that does not exist', './none.tgz', 2, 'the file ./none.tgz does not exist'],
    ['another package', 'fast-deep-equal', 2, 'fast-deep-equal is another package'],
  ])('names the remedy for %s', async (_, name, exitCode, says) => {
    const { code, text, outputs } = await runStep(install, { package: name });
    expect([code, outputs.command]).toEqual([exitCode, undefined]);
    expect(text).toContain(says);
  });

  test('exits with 0 and writes the verdict and the reports if the gateway conforms', async () => {
    const { code, outputs, text } = await runSuite({
      'base-url': server.url,
      key,
      args: '--suite models --only models/unlisted/operation=chat --wait 5s',
    });
    expect([code, outputs.verdict]).toEqual([0, 'conforms']);
    const report = JSON.parse(readFileSync(outputs.report ?? '', 'utf8'));
    expect(report.cases.length).toBeGreaterThan(0);
    expect(report.cases.length).toBeLessThan(30);
    expect(readdirSync(outputs.folder ?? '').sort()).toEqual(['report.html', 'report.json', 'report.xml']);
    expect(text).not.toContain(key);
  });

  test('exits with 1 and writes the reports if the gateway violates a requirement', async () => {
    const { code, outputs, summary } = await runSuite({ 'base-url': faulty.url, key, args: '--suite auth' });
    expect([code, outputs.verdict]).toEqual([1, 'violates']);
    expect(summary).toContain('auth/bad-bearer-token');
    expect(existsSync(join(outputs.folder ?? '', 'report.xml'))).toBe(true);
  });

  test('exits with 0 if the baseline lists the violations', async () => {
    const baseline = join(createScratchFolder(), 'known.yaml');
    const entries = ['bearer', 'x-api-key'].map(
      (header) =>
        `  - { severity: unauthorized-access, reason: known, case: auth/rejected-key/operation=models/header=${header}/key=truncated }\n`,
    );
    writeFileSync(baseline, `violations:\n${entries.join('')}`);
    const { code, outputs } = await runSuite({ 'base-url': faulty.url, key, baseline, args: '--suite auth' });
    expect([code, outputs.verdict]).toEqual([0, 'violates']);
  });

  test('exits with 3 if the gateway is unreachable', async () => {
    const { code, outputs } = await runSuite({ 'base-url': 'http://127.0.0.1:9', key });
    expect([code, outputs.verdict]).toEqual([3, 'inconclusive']);
  });

  test('exits with 2 and without a report if the profile does not exist', async () => {
    const { code, outputs, text } = await runSuite({ profile: 'none.yaml', key });
    expect([code, outputs.report]).toEqual([2, undefined]);
    expect(text).toContain('none.yaml');
  });

  test('exits with 2 if the quotes in args are unbalanced', async () => {
    const { code, text } = await runSuite({ 'base-url': server.url, key, args: "--only 'models" });
    expect([code, text]).toEqual([2, expect.stringContaining('unbalanced quotes')]);
  });

  test.each(['base-url', 'profile', 'baseline', 'key', 'args', 'package'])(
    'does not execute shell code in %s',
    async (name) => {
      const attack = '"; touch pwned; $(touch pwned) `touch pwned` \'';
      const inputs = { 'base-url': server.url, key, [name]: attack };
      const { code, folder } = await (name === 'package' ? runStep(install, inputs) : runSuite(inputs));
      expect(code).not.toBe(0);
      expect(readdirSync(folder)).toEqual(['output']);
    },
  );
});
