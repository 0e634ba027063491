import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { reporterNames } from '../../../runner/reporters/reporters.ts';
import { createScratchFolder } from '../../support/command.ts';
import { runInProcess } from '../../support/in-process-command.ts';
import { encodings, findEncodedKeys, windowsOf } from '../../support/key-encodings.ts';

const valid = 'sk-9f8Zq2LmXr7TbVw4KdYh6NcJp3GsAe5Ut1';
const deleted = 'sk-4Hc7Qw1Zt8RkYp5NbLm2Vx9SdGj6FaEu3';
const least = 12;

/** Returns a key, both halves and a third of it, in every encoding. */
function forms(key: string, turn: number): string[] {
  const start = turn % (key.length - least);
  const third = key.slice(start, start + Math.max(least, key.length / 3));
  const stretches = [key, key.slice(0, key.length / 2), key.slice(key.length / 2), third];
  return stretches.flatMap((stretch) => Object.values(encodings).flatMap((encode) => encode(stretch)));
}

/**
 * Creates a gateway that writes keys at changing places of every response. The gateway accepts the valid key only if
 * `acceptsValidKey` is true.
 */
function echo(acceptsValidKey: boolean): Server {
  let turn = 0;
  return createServer((request, response) => {
    turn++;
    const given = String(request.headers.authorization ?? request.headers['x-api-key'] ?? '');
    const own = forms(turn % 3 === 0 ? deleted : valid, turn);
    // Reports truncate texts at 160, 200, 500 and 4000 characters, and at 64 KiB.
    const cut = [160, 200, 500, 4000, 64 * 1024][turn % 5] ?? 0;
    const at = (index: number): string => '~'.repeat(cut - 40 + (index % 40)) + own[index % own.length];
    const isGood = acceptsValidKey && given.includes(valid);
    const body = {
      object: 'list',
      data: [{ id: 'gpt-echo' }, ...own.map((id) => ({ id, object: 'model' }))],
      [at(turn)]: at(turn + 1),
      error: {
        type: at(turn + 2),
        code: at(turn + 3),
        // The report truncates the message of a control after eight letters of the key.
        message: acceptsValidKey ? at(turn + 4) : `${'~'.repeat(152)}${valid}`,
        [`x${own[turn % own.length]}`]: given,
      },
      trace_id: own[(turn + 5) % own.length],
    };
    response.writeHead(isGood ? 200 : 401, {
      'content-type': turn % 7 === 0 ? `text/${valid}` : 'application/json',
      'x-trace-id': `${valid.slice(18)} ${Buffer.from(valid.slice(18)).toString('base64')}`,
      [`x-${valid.slice(3)}`]: given,
    });
    response.end(turn % 4 === 0 && !isGood ? at(turn) : JSON.stringify(body));
  });
}

const gateways: Server[] = [];
afterAll(() => {
  for (const server of gateways) server.close();
});

test.each([
  ['accepts', true],
  ['refuses', false],
])(
  'no part of a key is in the reports and messages about a gateway that %s the valid key and writes keys everywhere',
  async (_, acceptsValidKey) => {
    const server = echo(acceptsValidKey);
    gateways.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const folder = createScratchFolder();
    const { stdout, stderr } = await runInProcess(
      [
        'run',
        '--verbose',
        '--only',
        'auth/*operation=models*',
        '--base-url',
        `http://127.0.0.1:${port}`,
        ...reporterNames.flatMap((reporter) => ['--reporter', `${reporter}=${reporter}`]),
      ],
      { cwd: folder, env: { GATEWAY_API_KEY: valid, GATEWAY_DELETED_KEY: deleted } },
    );
    const stretches = [valid, deleted].flatMap((key) => windowsOf(key, least));
    const pieces = [valid, deleted].flatMap((key) => windowsOf(key, 6));
    const outputs = [
      stdout,
      stderr,
      ...reporterNames.map((file) => readFileSync(join(folder, file), 'utf8')),
    ];
    for (const text of outputs) {
      expect(findEncodedKeys(text, stretches)).toEqual([]);
      // No short part of a key is left where a text is truncated.
      expect(pieces.filter((piece) => text.includes(piece))).toEqual([]);
    }
    expect(outputs.join('\n')).toContain('{{keys.valid}}');
    expect(outputs.join('\n')).toContain('{{keys.valid:part}}');
  },
);
