import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../common/package-root.ts';
import { combineSetups, createReferenceServer, faults } from '../../../reference-server/index.ts';
import { runInProcess } from '../../support/in-process-command.ts';
import { drawTerminal } from '../../support/terminal-picture.ts';

const file = join(packageRoot, 'docs/report.svg');
/** The gateway of the picture. */
const planted = ['bad-key/beginning-is-enough-for-the-model-list', 'stream/crashes-family-b'];
const url = 'http://127.0.0.1:8787';
const columns = 96;

/** Removes what differs between two runs on the same machine: how many requests and calls, in how much time. */
const comparable = (picture: string): string =>
  picture.replace(/textLength="[\d.]+"([^>]*)>\d+ (requests in|calls, \d+ planned)[^<]*/g, '$1>$2');

test('docs/report.svg shows what `run` prints', async () => {
  const setups = faults.filter(({ id }) => planted.includes(id)).map((fault) => fault.setup());
  const server = await createReferenceServer(combineSetups(setups));
  const { stdout, code } = await runInProcess(['run', '--base-url', server.url], {
    env: { GATEWAY_API_KEY: server.profile.keys.valid, FORCE_COLOR: '1' },
    columns,
  });
  await server.close();
  expect(code).toBe(1);
  const output = stdout.replaceAll(server.url, url);
  const prompt = `\x1b[2m$\x1b[22m npx model-gateway-conformance run --base-url ${url}\n\n`;
  const title = 'The report of a run against a gateway with two defects';
  const drawn = drawTerminal(prompt + output, title, columns);
  const present = existsSync(file) ? readFileSync(file, 'utf8') : '';
  await expect(comparable(drawn) === comparable(present) ? present : drawn).toMatchFileSnapshot(file);
});

test('README.md shows the picture, and names the defects of its gateway', () => {
  const text = readFileSync(join(packageRoot, 'README.md'), 'utf8');
  for (const part of ['](docs/report.svg)', ...planted]) expect(text).toContain(part);
});
