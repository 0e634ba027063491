import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { isToolMissing, sdkPython } from '../../support/tools.ts';
import { startGateway } from './gateway.ts';

const { url, apiKey } = await startGateway();

interface Check {
  readonly check: string;
  readonly problem: string | null;
}

test.skipIf(isToolMissing('python-sdks'))(
  'the Python SDKs understand each answer',
  async () => {
    const program = fileURLToPath(new URL('python-sdks.py', import.meta.url));
    const { stdout } = await promisify(execFile)(sdkPython, [program], {
      env: { BASE_URL: url, API_KEY: apiKey, PYTHONDONTWRITEBYTECODE: '1' },
    });
    const checks: Check[] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(checks.filter(({ problem }) => problem !== null)).toEqual([]);
  },
  120_000,
);
