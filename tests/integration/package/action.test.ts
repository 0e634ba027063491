import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../../common/package-root.ts';
import { createReferenceServer, faults } from '../../../reference-server/index.ts';
import { createScratchFolder } from '../../support/command.ts';

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
const judge = action.runs.steps.find(({ id }) => id === 'judge');

const server = await createReferenceServer();
const faulty = await createReferenceServer(
  faults.find(({ id }) => id === 'bad-key/beginning-is-enough-for-the-model-list')?.setup(),
);
afterAll(() => Promise.all([server.close(), faulty.close()]));
const key = server.profile.keys.valid;

/** Runs the step that tests the gateway with these inputs, as a GitHub runner does. */
async function runStep(inputs: Readonly<Record<string, string>>): Promise<{
  code: number;
  text: string;
  outputs: Record<string, string>;
  folder: string;
  /** The job summary. */
  summary: string;
}> {
  const folder = createScratchFolder();
  const expand = (text: string): string =>
    text
      .replace('${{ github.action_path }}', packageRoot)
      .replace(
        /\$\{\{ inputs\.([\w-]+) \}\}/,
        (_, name: string) => inputs[name] ?? action.inputs[name]?.default ?? '',
      );
  const env = Object.entries(judge?.env ?? {}).map(([name, text]) => [name, expand(text)] as const);
  const temporary = createScratchFolder();
  const output = join(folder, 'output');
  const summary = join(temporary, 'summary');
  writeFileSync(output, '');
  const ended = await execute('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', judge?.run ?? ''], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
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

describe('the action', () => {
  test('passes inputs to its scripts only through the environment', () => {
    for (const { run = '' } of action.runs.steps) expect(run).not.toContain('${{');
    expect(Object.keys(judge?.env ?? {}).length).toBeGreaterThan(4);
  });

  test('uploads the reports whatever the verdict is', () => {
    const upload = action.runs.steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact@'));
    expect(upload?.if).toContain('always()');
  });

  test('exits with 0 and writes the verdict and the reports if the gateway conforms', async () => {
    const { code, outputs, text } = await runStep({
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
    const { code, outputs, summary } = await runStep({ 'base-url': faulty.url, key, args: '--suite auth' });
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
    const { code, outputs } = await runStep({ 'base-url': faulty.url, key, baseline, args: '--suite auth' });
    expect([code, outputs.verdict]).toEqual([0, 'violates']);
  });

  test('exits with 3 if the gateway is unreachable', async () => {
    const { code, outputs } = await runStep({ 'base-url': 'http://127.0.0.1:9', key });
    expect([code, outputs.verdict]).toEqual([3, 'inconclusive']);
  });

  test('exits with 2 and without a report if the profile does not exist', async () => {
    const { code, outputs, text } = await runStep({ profile: 'none.yaml', key });
    expect([code, outputs.report]).toEqual([2, undefined]);
    expect(text).toContain('none.yaml');
  });

  test('exits with 2 if the quotes in args are unbalanced', async () => {
    const { code, text } = await runStep({ 'base-url': server.url, key, args: "--only 'models" });
    expect([code, text]).toEqual([2, expect.stringContaining('unbalanced quotes')]);
  });

  test.each(['base-url', 'profile', 'baseline', 'key', 'args'])(
    'does not execute shell code in %s',
    async (name) => {
      const attack = '"; touch pwned; $(touch pwned) `touch pwned` \'';
      const { code, folder } = await runStep({ 'base-url': server.url, key, [name]: attack });
      expect(code).not.toBe(0);
      expect(readdirSync(folder)).toEqual(['output']);
    },
  );
});
