import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createReferenceServer, faults } from '../../../reference-server/index.ts';
import { createScratchFolder } from '../../support/command.ts';
import { startCommand } from '../../support/long-running-command.ts';
import { isToolMissing } from '../../support/tools.ts';

const waiting = /Waiting for|Waiting\./g;

describe('--watch', () => {
  test('runs again when a file changes, but not for its own reports, and exits with the last exit code', async () => {
    const folder = createScratchFolder();
    mkdirSync(join(folder, 'src/deep'), { recursive: true });
    writeFileSync(join(folder, 'src/deep/a.js'), '1');
    const { child, ended, until, said } = startCommand(
      ['run', '--suite', 'models', '--watch', 'src', '--reporter', 'json=src/out/report.json'],
      { cwd: folder },
    );
    await until(1, waiting);
    writeFileSync(join(folder, 'src/deep/a.js'), '2');
    await until(2, waiting);
    expect(said()).toContain(`${join('src', 'deep', 'a.js')} changed.`);
    expect(said()).toContain('Since the last run: no change.');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(said().match(/Waiting for|Waiting\./g)).toHaveLength(2);
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  });

  test('waits for a gateway that restarts, and prints the fixed and the newly violated requirements', async () => {
    const fault = faults.find(({ id }) => id === 'bad-key/beginning-is-enough-for-the-model-list');
    const faulty = await createReferenceServer(fault?.setup());
    const port = Number(new URL(faulty.url).port);
    const folder = createScratchFolder();
    writeFileSync(join(folder, 'gateway.js'), '1');
    const { child, ended, until, said } = startCommand(
      [
        'run',
        '--base-url',
        faulty.url,
        '--only',
        'auth/rejected-key/operation=models',
        '--wait',
        '30s',
        '--watch',
        '.',
      ],
      { cwd: folder, env: { GATEWAY_API_KEY: faulty.profile.keys.valid } },
    );
    await until(1, waiting);
    await faulty.close();
    writeFileSync(join(folder, 'gateway.js'), '2');
    await until(1, /gateway\.js changed/g);
    const good = await createReferenceServer({ port });
    await until(2, waiting);
    expect(said()).toContain('Since the last run: fixed auth/bad-bearer-token, auth/bad-x-api-key.');
    await good.close();
    const again = await createReferenceServer({ port, ...fault?.setup() });
    writeFileSync(join(folder, 'gateway.js'), '3');
    await until(3, waiting);
    expect(said()).toContain('Since the last run: newly violated auth/bad-bearer-token, auth/bad-x-api-key.');
    child.kill('SIGINT');
    expect(await ended).toBe(1);
    await again.close();
  });

  test('reports a profile that became invalid, and continues', async () => {
    const server = await createReferenceServer();
    const folder = createScratchFolder();
    const profile = join(folder, 'gateway.yaml');
    const good = `baseUrl: ${server.url}\nkeys: { valid: "\${GATEWAY_API_KEY}" }\n`;
    writeFileSync(profile, good);
    const { child, ended, until, said } = startCommand(
      ['run', '--profile', 'gateway.yaml', '--suite', 'models', '--watch', 'gateway.yaml'],
      { cwd: folder, env: { GATEWAY_API_KEY: server.profile.keys.valid } },
    );
    await until(1, waiting);
    writeFileSync(profile, `${good}bodyes: {}\n`);
    await until(2, waiting);
    expect(said()).toContain('Did you mean "bodies"?');
    child.kill('SIGINT');
    expect(await ended).toBe(2);
    await server.close();
  });

  test.skipIf(isToolMissing('script'))(
    'reads keys on a terminal: Enter and r run again, f runs the failed cases, q quits',
    async () => {
      const { child, ended, until, said } = startCommand(['run', '--suite', 'models', '--watch'], {
        cwd: createScratchFolder(),
        terminal: true,
      });
      await until(1, waiting);
      expect(said()).toContain(
        'Press Enter to run again, f to run the failed and inconclusive cases, or q to quit.',
      );
      child.stdin.write('\r');
      await until(2, waiting);
      child.stdin.write('r');
      await until(3, waiting);
      child.stdin.write('f');
      await until(1, /There are no failed or inconclusive cases to run/g);
      child.stdin.write('x');
      child.stdin.write('q');
      expect(await ended).toBe(0);
      // The command waits after each of the three runs, and after the key `f`, which runs no case.
      expect(said().match(waiting)).toHaveLength(4);
    },
  );

  test.skipIf(isToolMissing('script'))(
    'runs only failed cases on f, and stops a run on ctrl-c with exit code 130',
    async () => {
      const server = await createReferenceServer({
        ...faults.find(({ id }) => id === 'bad-key/beginning-is-enough-for-the-model-list')?.setup(),
      });
      const folder = createScratchFolder();
      const { child, ended, until, said } = startCommand(
        ['run', '--base-url', server.url, '--suite', 'auth', '--reporter', 'json=r.json', '--watch'],
        { cwd: folder, env: { GATEWAY_API_KEY: server.profile.keys.valid }, terminal: true },
      );
      await until(1, waiting);
      child.stdin.write('f');
      await until(2, waiting);
      const { cases } = JSON.parse(readFileSync(join(folder, 'r.json'), 'utf8'));
      expect(cases.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['violates', 'violates']);
      const soFar = said().length;
      child.stdin.write('r');
      while (!/requests/.test(said().slice(soFar))) await new Promise((resolve) => setTimeout(resolve, 20));
      child.stdin.write('\u0003');
      expect(await ended).toBe(130);
      await server.close();
    },
  );
});
