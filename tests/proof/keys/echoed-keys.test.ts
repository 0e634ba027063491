import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createScratchFolder } from '../../support/command.ts';
import { runInProcess } from '../../support/in-process-command.ts';

// This key is neither in the environment nor in a file. Therefore only the form of the text shows a key.
const unknown = 'Zx8Kq2Wv7Lm4Rt9Bn3Yc6';
const known = 'echoed-key-of-the-environment';

const places: readonly (readonly string[])[] = [
  ['run', '--base-url', '@'],
  ['run', '--key-file', '@', '--base-url', 'http://127.0.0.1:9'],
  ['run', '--target', '@', '--target', 'b=http://127.0.0.1:9'],
  ['run', '--target', 'a=@', '--target', 'b=http://127.0.0.1:9'],
  ['run', '--apikey=@'],
  ['run', '--wait=@'],
  ['run', '--profile', '@'],
  ['run', '--only', '@'],
  ['run', '--suite', '@'],
  ['run', '--reporter', '@'],
  ['run', '--baseline', '@'],
  ['run', '--ca', '@', '--base-url', 'http://127.0.0.1:9'],
  ['init', '--model', '@'],
  ['init', '--model', '@=x'],
  ['serve', '--port', '@'],
  ['serve', '--fault', '@'],
  ['check', '@'],
  ['merge', '@'],
  ['explain', '@'],
  ['@'],
];

test.each(places.map((args) => [args.join(' '), args] as const))(
  '`conformance %s` refuses a key in the wrong place and does not print the key',
  async (_, args) => {
    for (const key of [unknown, known]) {
      const { code, stdout, stderr } = await runInProcess(
        args.map((arg) => arg.replace('@', key)),
        { env: { GATEWAY_API_KEY: known } },
      );
      expect(code).toBe(2);
      expect(stderr).not.toBe('');
      expect(stdout + stderr).not.toContain(key);
    }
  },
);

test('a key instead of a base URL is refused and not printed', async () => {
  const folder = createScratchFolder();
  writeFileSync(join(folder, 'p.yaml'), 'baseUrl: ${GATEWAY_BASE_URL}\n');
  const { code, stderr } = await runInProcess(['run', '--profile', 'p.yaml'], {
    env: { GATEWAY_API_KEY: known, GATEWAY_BASE_URL: unknown },
    cwd: folder,
  });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('"(hidden: looks like a key)"'),
  });
  expect(stderr).not.toContain(unknown);
});
