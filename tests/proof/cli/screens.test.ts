import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { combineSetups, createReferenceServer, faults } from '../../../reference-server/index.ts';
import { conformance, createScratchFolder } from '../../support/command.ts';

const some = ['run', '--only', 'models/list-json'];

const manyFaults = [
  'bad-key/prefix-optional',
  'auth-answer/another-vocabulary',
  'chat-body/validation-mistyped',
  'request-body/malformed-500',
  'models/unlisted-404',
];

describe('output in a pipe', () => {
  test('has neither color nor progress', async () => {
    const { stdout, stderr } = await conformance(some);
    expect(stdout + stderr).not.toContain('\u001b');
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  test('has color if the environment forces color', async () => {
    const { stdout } = await conformance(some, { env: { FORCE_COLOR: '1', CI: 'true' } });
    expect(stdout).toContain('\u001b[32m');
  });

  test('has no color in a file', async () => {
    const file = join(createScratchFolder(), 'report.txt');
    await conformance([...some, '--reporter', `terminal=${file}`], { env: { FORCE_COLOR: '1' } });
    expect(readFileSync(file, 'utf8')).toMatch(/✓ PASSED in a selection: /);
  });

  test.each(['requirements', 'faults', 'operations'])(
    'has one line for each of the listed %s',
    async (what) => {
      const { stdout } = await conformance(['list', what]);
      expect(
        stdout
          .trim()
          .split('\n')
          .filter((line) => !/^\S+ {2,}\S/.test(line)),
      ).toEqual([]);
    },
  );

  test('has at most 60 lines if there are many failures, and names the file with all failures', async () => {
    const setups = faults.filter(({ id }) => manyFaults.includes(id)).map(({ setup }) => setup());
    const server = await createReferenceServer(combineSetups(setups));
    try {
      const target = [
        'run',
        '--base-url',
        server.url,
        '--reporter',
        'html=all.html',
        '--reporter',
        'terminal',
      ];
      const env = { GATEWAY_API_KEY: server.profile.keys.valid };
      const { stdout, code } = await conformance(target, { env, cwd: createScratchFolder() });
      expect(code).toBe(1);
      expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
      expect(stdout).toMatch(/^Full report {3}all\.html$/m);
    } finally {
      await server.close();
    }
  });
});
