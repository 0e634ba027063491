import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../../common/package-root.ts';
import { createScratchFolder, program } from '../../support/command.ts';

/** The time limit in milliseconds. On these inputs, linear time takes seconds, and quadratic time takes minutes. */
const patienceMs = 45_000;

/**
 * Runs Node.js with these arguments. After `patienceMs`, the process is killed with SIGKILL, since a busy loop does
 * not react to other signals.
 */
function node(
  args: readonly string[],
  cwd = createScratchFolder(),
): Promise<{ readonly code: number | null; readonly signal: string | null; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd,
      env: { PATH: process.env.PATH ?? '', GATEWAY_API_KEY: 'sk-hostile-sizes-0123' },
      timeout: patienceMs,
      killSignal: 'SIGKILL',
    });
    let output = '';
    const take = (piece: Buffer): void => {
      output += piece.toString();
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('error', reject).on('close', (code, signal) => resolve({ code, signal, output }));
  });
}

const bomb = `a: &a0 [1]\n${Array.from({ length: 12 }, (_, row) => `b${row}: &a${row + 1} [${`*a${row}, `.repeat(9)}]\n`).join('')}`;
const cycle = 'bodies: &b\n  chat: *b\n';
const deep = `a: 1\nb: ${'['.repeat(20_000)}\n`;
const keys = Array.from({ length: 60_000 }, (_, index) => `k${index}: 1\n`).join('');

describe('an input that would take very long to process is refused:', () => {
  const yaml = ['run', '--profile', 'f.yaml'];
  const baseline = ['run', '--dry-run', '--baseline', 'f.yaml'];
  const rules = ['serve', '--port', '0', '--rules', 'f.yaml'];
  test.each<[string, readonly string[], string, RegExp]>([
    [
      'a profile with nested aliases that repeat many values',
      yaml,
      bomb,
      /^conformance: f\.yaml:6: aliases repeat too many values/,
    ],
    ['a profile with a recursive alias', yaml, cycle, /^conformance: f\.yaml:2: the alias \*b is part/],
    [
      'a profile with deep nesting',
      yaml,
      deep,
      /^conformance: f\.yaml:2: lists and mappings are nested deeper/,
    ],
    ['a profile with many keys', yaml, keys, /^conformance: f\.yaml:1: unknown property "k0"/],
    [
      'a profile that is too large',
      yaml,
      `a: ${'x'.repeat(2 ** 20)}`,
      /^conformance: f\.yaml: the file is larger/,
    ],
    [
      'a baseline with nested aliases that repeat many values',
      baseline,
      bomb,
      /^conformance: f\.yaml:6: aliases repeat/,
    ],
    ['a baseline with a recursive alias', baseline, cycle, /^conformance: f\.yaml:2: the alias \*b/],
    [
      'rules with nested aliases that repeat many values',
      rules,
      bomb,
      /^conformance: f\.yaml:6: aliases repeat/,
    ],
    ['rules with a recursive alias', rules, cycle, /^conformance: f\.yaml:2: the alias \*b/],
    [
      'a pattern with many stars',
      ['run', '--dry-run', '--only', `${'*'.repeat(10)}#`],
      '',
      /No case or requirement matches "\*+#"/,
    ],
    [
      'a HAR with millions of nested arrays',
      ['check', 'f.yaml'],
      `{"log":{"version":"1.2","z":${'['.repeat(3_000_000)}${']'.repeat(3_000_000)},"entries":[]}}`,
      /f\.yaml.*nested deeper than 100 levels at byte 126/s,
    ],
  ])('%s', async (_, args, text, message) => {
    const folder = createScratchFolder();
    writeFileSync(join(folder, 'f.yaml'), text);
    const { code, signal, output } = await node([program, ...args], folder);
    expect({ code, signal }).toEqual({ code: args[0] === 'check' ? expect.any(Number) : 2, signal: null });
    expect(output).toMatch(message);
  });
});

test('a baseline pattern with many stars is compared quickly', async () => {
  const folder = createScratchFolder();
  const entry = `violations:\n  - case: "${'*'.repeat(12)}#"\n    severity: wrong-type\n    reason: none\n`;
  writeFileSync(join(folder, 'b.yaml'), entry);
  const args = ['run', '--only', 'auth/bad-bearer-token', '--baseline', 'b.yaml'];
  const { code, output } = await node([program, ...args], folder);
  expect(output).toContain('b.yaml:2: No case matches');
  expect(code).toBe(1);
});

const dist = (path: string): string => pathToFileURL(join(packageRoot, 'dist/runner', path)).href;

describe('a text on which a regular expression could backtrack is read in linear time:', () => {
  test.each<[string, string, string]>([
    [
      'the path of a recorded request',
      'traffic/inference/match-operation.js',
      `const { catalogOfPackage } = await import('${dist('catalog/catalog.js')}');
       const { parseProfile } = await import('${dist('profile/read-profile.js')}');
       const operations = { generate: 'POST /v1/m/{+model}/generate' };
       const profile = parseProfile({ baseUrl: 'http://x', keys: { valid: 'sk-a' }, operations }, await catalogOfPackage());
       const { match } = module.createOperationMatcher({ ...profile, baseUrl: '' });
       const url = '/v1/m/x'.repeat(200_000);
       match({ method: 'POST', url, parsed: module.parseUrl(url) }, () => undefined);`,
    ],
    [
      'the credential of a recorded request',
      'traffic/inference/infer-credential.js',
      `module.inferCredential({ headers: [['authorization', 'Bearer ' + '['.repeat(1e6)]], members: {}, mayBeInUrl: false }, () => undefined, true);`,
    ],
    [
      'the place of an invalid member in a recorded body',
      'judge/match-model.js',
      `module.listNames('x', { place: 'a'.repeat(1e6), types: [] }, new Map());`,
    ],
    [
      'the ID of a listed model',
      'send/discover.js',
      `const { loadFixtures } = await import('${dist('catalog/fixtures.js')}');
       module.selectCandidates('chat', ['/gpt-'.repeat(2e5)], loadFixtures().discovery);`,
    ],
    [
      'a base URL',
      'profile/base-url.js',
      `try { module.readBaseUrl(undefined, { baseUrl: 'http://x' + '/'.repeat(1e6) + 'a' }); } catch (error) { if (error.name !== 'UsageError') throw error; }`,
    ],
    [
      'a name that is compared with known names',
      '../common/nearest.js',
      `module.findNearestName('a'.repeat(1e6), Array.from({ length: 1_000 }, (_, index) => 'known-name-' + index));`,
    ],
    [
      'a pattern and a name of any length',
      '../common/glob.js',
      `module.compileGlob('*a'.repeat(1e5) + '*b*')('a'.repeat(1e6));`,
    ],
  ])('%s', async (_, path, code) => {
    const text = `const module = await import('${dist(path)}');\n${code}\nconsole.log('done');`;
    const { output, signal } = await node(['--input-type=module', '-e', text]);
    expect({ output, signal }).toEqual({ output: 'done\n', signal: null });
  });
});
