import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createRawServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Report } from '../../../runner/report/report.ts';
import { conformance, createScratchFolder } from '../../support/command.ts';

const key = 'sk-limits-0123456789';
const open: { close: () => unknown }[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

type Handler = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

async function listen(server: Server | ReturnType<typeof createRawServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(server);
  return (server.address() as AddressInfo).port;
}

async function serve(handler: Handler): Promise<string> {
  const server = createServer(handler);
  const port = await listen(server);
  open.push({ close: () => server.closeAllConnections() });
  return `http://127.0.0.1:${port}`;
}

async function runAgainst(
  url: string,
  ...flags: string[]
): Promise<{ code: number | null; report: Report; text: string }> {
  return runWith({}, url, ...flags);
}

/** Runs the command with time limits in the profile. */
async function runWith(
  timeouts: Readonly<Record<string, string>>,
  url: string,
  ...flags: string[]
): Promise<{ code: number | null; report: Report; text: string }> {
  const cwd = createScratchFolder();
  writeFileSync(join(cwd, 'conformance.yaml'), JSON.stringify({ timeouts }));
  const { code, stdout } = await conformance(['run', '--base-url', url, '--reporter', 'json', ...flags], {
    cwd,
    env: { GATEWAY_API_KEY: key },
  });
  const report: Report = JSON.parse(stdout);
  return { code, report, text: JSON.stringify(report) };
}

/** Responds to a valid key with an empty object, and to everything else as `otherwise` does. */
const acceptValidKey =
  (otherwise: Handler): Handler =>
  (incoming, outgoing) => {
    if (Object.values(incoming.headers).some((value) => value === key || value === `Bearer ${key}`))
      outgoing.setHeader('content-type', 'application/json').end('{}');
    else otherwise(incoming, outgoing);
  };

describe('a limit ends an exchange, and the report names the limit:', () => {
  const only = ['--only', 'auth/missing-credential'];
  test.each<[string, Handler, RegExp]>([
    ['success', () => {}, /no response began within 1 s/],
    ['refusal', acceptValidKey(() => {}), /no response began within 1 s/],
    [
      'idle',
      acceptValidKey((_, outgoing) => void outgoing.writeHead(401).write('{')),
      /no further part of the body arrived for 1 s/,
    ],
    [
      'total',
      acceptValidKey((_, outgoing) => {
        outgoing.writeHead(401);
        const drip = setInterval(() => outgoing.write(' '), 50);
        outgoing.on('close', () => clearInterval(drip));
      }),
      /not complete within the total time limit of 1 s/,
    ],
  ])('%s', async (name, handler, cause) => {
    const { code, text, report } = await runWith({ [name]: '1s' }, await serve(handler), ...only);
    expect(text).toMatch(cause);
    expect(report.summary.cases.violates).toBe(0);
    expect(code).toBe(3);
  });

  test('--timeout, which replaces the ones for a success and in total', async () => {
    const slow = { success: '30s', total: '40s' };
    const { code, text } = await runWith(slow, await serve(() => {}), '--timeout', '1s', ...only);
    expect(text).toMatch(/within (the total time limit of )?1 s/);
    expect(text).not.toContain('within 30 s');
    expect(code).toBe(3);
  });

  test('connect', async () => {
    // A connection is complete after the TLS handshake, and this server sends nothing.
    const port = await listen(createRawServer(() => {}));
    const { code, text } = await runWith({ connect: '1s' }, `https://127.0.0.1:${port}`, ...only);
    expect(text).toMatch(/no connection to .* within 1 s/);
    expect(code).toBe(3);
  });

  test('--max-body', async () => {
    const long = JSON.stringify({ error: { message: 'x'.repeat(5_000) } });
    const url = await serve(acceptValidKey((_, outgoing) => void outgoing.writeHead(401).end(long)));
    expect((await runAgainst(url, '--max-body', '1000', ...only)).text).toContain('longer than 1000 bytes');
    expect((await runAgainst(url, ...only)).text).not.toContain('longer than');
  });
});

test('--concurrency limits the number of requests at the same time', async () => {
  let underWay = 0;
  let most = 0;
  const url = await serve((_, outgoing) => {
    underWay += 1;
    most = Math.max(most, underWay);
    setTimeout(() => {
      underWay -= 1;
      outgoing.setHeader('content-type', 'application/json').end('{}');
    }, 10);
  });
  await runAgainst(url, '--concurrency', '2', '--suite', 'auth');
  expect(most).toBe(2);
});
