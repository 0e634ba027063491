import { networkInterfaces } from 'node:os';
import { afterEach, expect, test, vi } from 'vitest';
import { fillIn } from '../../run/define-option.ts';
import { serveFlags } from '../flags/listen-flags.ts';
import { serveCommand } from './serve.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** Runs `serve` until the server has started, and returns its output. */
async function outputWith(host: string, password: string | undefined): Promise<string> {
  vi.stubEnv('CONSOLE_PASSWORD', password);
  let output = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    output += text;
    return true;
  });
  const started = new Promise<void>((resolve) => {
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      output += text;
      resolve();
      return true;
    });
  });
  const flags = fillIn(serveFlags, { host, port: 0 });
  const served = serveCommand(flags);
  await Promise.race([started, served]);
  process.emit('SIGTERM');
  await served;
  return output;
}

test.each([
  { password: undefined, isServed: false },
  { password: '', isServed: false },
  { password: 'let me in', isServed: true },
])('at all addresses with the password $password, the console is served: $isServed', async (given) => {
  const output = await outputWith('0.0.0.0', given.password);
  expect(output.includes('Console: http')).toBe(given.isServed);
  expect(output.includes('The console is not served')).toBe(!given.isServed);
});

const hasIpv6 = Object.values(networkInterfaces()).some((own) =>
  own?.some(({ address }) => address === '::1'),
);

test.each(hasIpv6 ? ['127.0.0.1', '::1', '::ffff:127.0.0.1'] : ['127.0.0.1'])(
  'at %s, the console needs no password',
  async (host) => {
    expect(await outputWith(host, undefined)).toContain('Console: http');
  },
);
