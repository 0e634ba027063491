import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../reference-server/index.ts';
import type { Report } from '../../../runner/report/report.ts';
import { createCommandEnvironment, createScratchFolder, program } from '../../support/command.ts';

/** As many models as a list of about 1 MiB, the default of --max-body, can have. */
const size = 72_000;

/**
 * The processor time in seconds for reading and planning the list and for its report, which is a few seconds. If a
 * stopped run planned and judged each model that it has not reached, it would need a minute.
 */
const patience = 20;

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

interface Finished {
  readonly code: number | null;
  readonly output: string;
  /** The processor time of the command in seconds, since its duration also depends on the load of the machine. */
  readonly seconds: number;
}

/** Runs the command, and sends SIGTERM when the output matches `terminateWhen`. */
function conformance(args: readonly string[], terminateWhen?: RegExp): Promise<Finished> {
  const script = `TIMEFORMAT='seconds=%U'; time { "$@" & echo "pid=$!"; wait $!; code=$?; }; exit $code`;
  const child = spawn('bash', ['-c', script, 'bash', process.execPath, program, ...args], {
    cwd: createScratchFolder(),
    env: createCommandEnvironment({ GATEWAY_API_KEY: gateway.profile.keys.valid }),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => {
      const matched = terminateWhen?.test(output);
      output += piece.toString();
      if (!matched && terminateWhen?.test(output))
        process.kill(Number(/pid=(\d+)/.exec(output)?.[1]), 'SIGTERM');
    });
  return new Promise((resolve) => {
    child.on('close', (code) =>
      resolve({ code, output, seconds: Number(/seconds=([\d.]+)/.exec(output)?.[1]) }),
    );
  });
}

describe('of a gateway that lists 72,000 models', { timeout: 300_000 }, () => {
  test('--models all is refused', async () => {
    const { code, output } = await conformance(run('all'));
    expect(output).toContain(
      'conformance: --models selects 72001 of 72001 listed models, and the limit is 100. Select fewer models, or raise the limit (--max-models',
    );
    expect(code).toBe(2);
  });

  test('a smaller selection is tested', async () => {
    const { output } = await conformance(run('10a', '--suite', 'streams'));
    expect(output).toContain('Models  1 of 72001 listed models');
  });

  test('SIGTERM ends a run of all models, with a report that counts every case', async () => {
    const file = join(createScratchFolder(), 'report.json');
    const command = run('all', '--max-models', '100000', '--reporter', `json=${file}`);
    const { code, seconds } = await conformance(command, /more for 72001/);
    expect(seconds).toBeLessThan(patience);
    expect(code).toBe(130);
    const report: Report = JSON.parse(readFileSync(file, 'utf8'));
    expect(report.stopped?.kind).toBe('interrupted');
    const items = report.models?.items ?? [];
    expect(items.map(({ id }) => id)).toEqual(ids);
    const own = report.cases.filter(({ model }) => model === undefined).length;
    expect(items.reduce((sum, { cases }) => sum + cases.planned, own)).toBe(report.summary.cases.planned);
  });

  test.each([
    ['a run of all models', []],
    ['the selection of their cases by ID', ['--only', '*/model-id=*']],
  ])('--max-time ends %s', async (_, flags) => {
    const { code, output, seconds } = await conformance(
      run('all', '--max-models', '100000', '--max-time', '3s', ...flags),
    );
    expect(seconds).toBeLessThan(patience);
    expect(output).toContain('The run reached its time limit of 3 s.');
    expect(code).toBe(3);
  });
});
