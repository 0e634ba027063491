import { readFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../reference-server/index.ts';
import type { Report } from '../../../runner/report/report.ts';
import { conformance, createScratchFolder } from '../../support/command.ts';

/** As many models as a list of about 1 MiB, the default of --max-body, can have. */
const size = 72_000;

/**
 * The time in milliseconds for reading and planning the list, and for the report. If a stopped run planned and judged
 * each model that it has not reached, it would take minutes.
 */
const patienceMs = 40_000;

const ids = ['gpt-reference', ...Array.from({ length: size }, (_, index) => index.toString(36))];
const list = JSON.stringify({ object: 'list', data: ids.map((id) => ({ id })) });

let gateway: ReferenceServer;
let relay: Server;
beforeAll(async () => {
  gateway = await createReferenceServer();
  relay = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const forwarded = request(new URL(url ?? '/', gateway.url), { method, headers }, (response) => {
      const isList = method === 'GET' && url === '/v1/models' && response.statusCode === 200;
      if (!isList)
        return void response.pipe(outgoing.writeHead(response.statusCode ?? 500, response.headers));
      response.resume();
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end(list);
    });
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  relay.close();
  relay.closeAllConnections();
  await gateway.close();
});

function run(models: string, ...flags: string[]): readonly string[] {
  const { port } = relay.address() as AddressInfo;
  return ['run', '--base-url', `http://127.0.0.1:${port}`, '--models', models, ...flags];
}

describe('of a gateway that lists 72,000 models', () => {
  const env = (): Record<string, string> => ({ GATEWAY_API_KEY: gateway.profile.keys.valid });

  test('--models all is refused', async () => {
    const { code, stderr } = await conformance(run('all'), { env: env() });
    expect(stderr).toMatch(
      /^conformance: --models selects 72001 of 72001 listed models, and the limit is 100\. Select fewer models, or raise the limit \(--max-models/,
    );
    expect(code).toBe(2);
  });

  test('a smaller selection is tested', async () => {
    const { stdout } = await conformance(run('10a', '--suite', 'streams'), { env: env() });
    expect(stdout).toContain('Models  1 of 72001 listed models');
  });

  test.each([
    { about: '--max-time ends', flags: ['--max-time', '6s'], ending: {}, code: 3, stopped: 'time' },
    {
      about: 'SIGTERM ends',
      flags: [],
      ending: { signal: 'SIGTERM', interruptWhen: /more for 720/ },
      code: 130,
      stopped: 'interrupted',
    },
  ] as const)('$about a run of all models with a report', async ({ flags, ending, code, stopped }) => {
    const file = join(createScratchFolder(), 'report.json');
    const start = performance.now();
    const command = run('all', '--max-models', '100000', '--reporter', `json=${file}`, ...flags);
    const finished = await conformance(command, { env: env(), ...ending });
    expect(performance.now() - start).toBeLessThan(patienceMs);
    expect(finished.code).toBe(code);
    const report: Report = JSON.parse(readFileSync(file, 'utf8'));
    expect(report.stopped?.kind).toBe(stopped);
    const items = report.models?.items ?? [];
    expect(items).toHaveLength(ids.length);
    const own = report.cases.filter(({ model }) => model === undefined).length;
    expect(items.reduce((sum, { cases }) => sum + cases.planned, own)).toBe(report.summary.cases.planned);
  });

  test('--max-time also ends the selection of their cases by ID', async () => {
    const flags = ['--max-models', '100000', '--max-time', '1s', '--only', '*/model-id=*'];
    const start = performance.now();
    const { code, stdout } = await conformance(run('all', ...flags), { env: env() });
    expect(performance.now() - start).toBeLessThan(patienceMs);
    expect(stdout).toContain('The run was stopped before it had planned the cases of the models.');
    expect(code).toBe(3);
  });
});
