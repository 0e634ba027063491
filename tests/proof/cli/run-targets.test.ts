import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { loadSchemas } from '../../../contract/schemas.ts';
import { createReferenceServer, faults } from '../../../reference-server/index.ts';
import type { Comparison } from '../../../runner/compare/comparison.ts';
import type { Report } from '../../../runner/report/report.ts';
import { conformance, createScratchFolder } from '../../support/command.ts';
import { runInProcess } from '../../support/in-process-command.ts';

const few = ['--only', 'auth/*operation=models*'];
const fault = faults.find(({ id }) => id === 'bad-key/beginning-is-enough-for-the-model-list');
const reporters = ['--reporter', 'json=all.json', '--reporter', 'json={target}.json'];
let received: string[] = [];
const open: { close: () => unknown }[] = [];
/** The folder of the current test, with the profiles good.yaml, faulty.yaml and down.yaml. */
let folder: string;
let profiles: Readonly<Record<string, object>>;

beforeAll(async () => {
  const good = await createReferenceServer({ log: (line) => received.push(line) });
  const faulty = await createReferenceServer({ ...fault?.setup(), log: (line) => received.push(line) });
  open.push(good, faulty);
  const down = { ...good.profile, baseUrl: 'http://127.0.0.1:9' };
  profiles = { good: good.profile, faulty: faulty.profile, down };
});
beforeEach(() => {
  received = [];
  folder = createScratchFolder();
  for (const [name, profile] of Object.entries(profiles))
    writeFileSync(join(folder, `${name}.yaml`), stringify(profile));
});
afterAll(() => Promise.all(open.map((server) => server.close())));

function listen(answer: Parameters<typeof createServer>[1]): Promise<string> {
  const server: Server = createServer(answer);
  open.push(server);
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    );
  });
}

const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const readComparison = (): Comparison => JSON.parse(read('all.json'));
const reportOf = (target: string): Report => JSON.parse(read(`${target}.json`));
const run = (...args: string[]): ReturnType<typeof conformance> =>
  runInProcess(['run', ...args], { cwd: folder });

describe('run --target', () => {
  test('applies a separate baseline to each target', async () => {
    writeFileSync(join(folder, 'known.good.yaml'), 'violations: []\n');
    const violations = ['bearer', 'x-api-key'].map((header) => ({
      severity: 'unauthorized-access',
      case: `auth/rejected-key/operation=models/header=${header}/key=truncated`,
      reason: 'known',
    }));
    writeFileSync(join(folder, 'known.faulty.yaml'), stringify({ violations }));
    const targets = ['--target', 'good=good.yaml', '--target', 'faulty=faulty.yaml', ...few];
    const { code, stdout } = await run(...targets, '--baseline', 'known.{target}.yaml');
    expect(stdout).toContain('≈ PASSED with expected violations (baseline)');
    expect(code).toBe(0);
  });

  test('prints the number of listed models for each target, and the seed of generated requests', async () => {
    // A generated request could trigger a fault.
    const targets = ['--target', 'staging=good.yaml', '--target', 'production=good.yaml'];
    const { code, stderr } = await run(
      ...targets,
      ...[
        '--suite',
        'fuzz',
        '--suite',
        'requests',
        '--fuzz',
        '3',
        '--only',
        'fuzz/*',
        '--models',
        'gpt-reference',
        '--only',
        'requests/chat-body/*given=string*',
      ],
    );
    const [, seed = ''] =
      /^Generating 3 requests\. To repeat these requests: --fuzz 3 --seed (\d+)\./.exec(stderr) ?? [];
    expect(seed).not.toBe('');
    for (const name of ['staging', 'production'])
      expect(stderr).toMatch(new RegExp(`^${name}: .* more for 1 of \\d+ listed models, about`, 'm'));
    expect(code).toBe(0);
  });

  test('prints the target in which a pattern matches no listed model', async () => {
    const targets = ['--target', 'staging=good.yaml', '--target', 'production=faulty.yaml'];
    const { code, stderr } = await run(...targets, '--models', 'unknown-*');
    expect(stderr).toMatch(/--target staging: no model of the model list matches "unknown-\*"/);
    expect(code).toBe(2);
  });

  test('prints the requirements in which targets differ, and exits with the worst exit code', async () => {
    const targets = ['--target', 'staging=good.yaml', '--target', 'production=faulty.yaml'];
    const { code, stdout, stderr } = await run(...targets, ...few, ...reporters);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^staging: http:.*\nproduction: http:.*\n$/);
    const { differing, brokenByAll, targets: judged, summary } = readComparison();
    expect(differing.map(({ id }) => id)).toEqual(fault?.violates);
    expect(brokenByAll).toEqual([]);
    expect(summary.alike + summary.differing).toBe(summary.planned);
    expect(judged.map(({ name, verdict }) => [name, verdict])).toEqual([
      ['staging', 'conforms'],
      ['production', 'violates'],
    ]);
    for (const id of fault?.violates ?? []) expect(stdout).toMatch(new RegExp(`^  ${id} +✓ +✗ 1$`, 'm'));
    expect(stdout).toMatch(
      /staging and production differ in 2 requirements: 2 of \d+ compared checks[^\n]*\n$/,
    );
    const schemas = await loadSchemas();
    expect(schemas.problems('comparison', readComparison())).toEqual([]);
    for (const target of ['staging', 'production'])
      expect(schemas.problems('report', reportOf(target))).toEqual([]);
  });

  test('judges the other target if one target is unreachable, and exits with 3', async () => {
    const { code, stdout } = await run(
      '--target',
      'up=good.yaml',
      '--target',
      'down=down.yaml',
      ...few,
      ...reporters,
    );
    expect(code).toBe(3);
    expect(stdout).toContain('! down: The gateway did not respond to 8 requests in a row');
    expect(stdout).toContain('Nothing could be compared: only up was judged.');
    expect(reportOf('up')).toMatchObject({ verdict: 'conforms', summary: { cases: { inconclusive: 0 } } });
  });

  test('prints the key of no target, even if another target sends the key', async () => {
    const keys = { a: 'sk-Key-Of-Target-A-0123456789', b: 'sk-Key-Of-Target-B-9876543210' };
    for (const [name, other] of [
      ['a', keys.b],
      ['b', keys.a],
    ] as const) {
      const body = JSON.stringify({ error: { message: other, type: Buffer.from(other).toString('base64') } });
      const baseUrl = await listen((_, outgoing) => outgoing.writeHead(400, { 'x-note': other }).end(body));
      writeFileSync(join(folder, `leaky-${name}.yaml`), stringify({ baseUrl, keys: { valid: keys[name] } }));
    }
    const forms = ['json', 'html', 'markdown', 'terminal'];
    const files = forms.flatMap((form) => [`${form}=leak.${form}`, `${form}=leak-{target}.${form}`]);
    const { stdout, stderr } = await run(
      ...['--target', 'a=leaky-a.yaml', '--target', 'b=leaky-b.yaml', '--verbose', ...few],
      ...files.flatMap((file) => ['--reporter', file]),
    );
    const written = forms.flatMap((form) =>
      ['leak', 'leak-a', 'leak-b'].map((name) => read(`${name}.${form}`)),
    );
    const all = [stdout, stderr, ...written].join('\n');
    expect(all).toContain('{{keys.other-target}}');
    for (const key of Object.values(keys)) {
      expect(all).not.toContain(key);
      expect(all).not.toContain(key.slice(8));
      expect(all).not.toContain(Buffer.from(key).toString('base64').slice(4, -4));
    }
  });

  test('reports the results so far on an interruption, and exits with 130', async () => {
    const slow = await listen((_, outgoing) => void setTimeout(() => outgoing.writeHead(200).end('{}'), 150));
    const { code, stdout } = await conformance(['run', '--target', `a=${slow}`, '--target', `b=${slow}`], {
      cwd: createScratchFolder(),
      env: { GATEWAY_API_KEY: 'sk-any-key-0000' },
      interruptWhen: /^b: /m,
    });
    expect(stdout.match(/^! [ab]: The run was interrupted/gm)).toEqual([
      '! a: The run was interrupted',
      '! b: The run was interrupted',
    ]);
    expect(code).toBe(130);
  });

  test('with --dry-run, prints the plan of each target and sends nothing', async () => {
    const { code, stdout } = await run('--target', 'a=good.yaml', '--target', 'b=faulty.yaml', '--dry-run');
    expect(stdout).toMatch(/^a: http:.*: nothing was sent\.$[\s\S]*^b: http:.*: nothing was sent\.$/m);
    expect([code, received]).toEqual([0, []]);
  });
});

test.each([
  ['the second target is invalid', ['--target', 'a=good.yaml', '--target', 'b=http://[x'], '--target b: '],
  [
    '--target is combined with --bail',
    ['--target', 'a=good.yaml', '--target', 'b=faulty.yaml', '--bail'],
    '--bail cannot be combined with --target',
  ],
])('run --target sends nothing and exits with 2 if %s', async (_, args, message) => {
  const { code, stdout, stderr } = await run(...args);
  expect(stderr).toContain(message);
  expect([code, stdout, received]).toEqual([2, '', []]);
});
