import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createReferenceServer, faults } from '../../reference-server/index.ts';
import type { Report } from '../../runner/report/report.ts';
import { conformance, scratch } from '../command.ts';
import { sdkCalls } from './sdk-calls.ts';

interface Capture {
  /** In this folder. */
  readonly file: string;
  readonly sdk: string;
  /** What the gateway breaks. */
  readonly fault?: string;
  /** The requirements of those that the traffic shows to be broken. */
  readonly violates?: readonly string[];
  readonly warns?: readonly string[];
  /** Whether the keys and models of the gateway are told. */
  readonly profile?: true;
  readonly exchanges: number;
  readonly judged: number;
}

const captures: readonly Capture[] = [
  { file: 'openai.har', sdk: 'openai', exchanges: 14, judged: 14 },
  { file: 'anthropic.har', sdk: 'anthropic', exchanges: 11, judged: 10 },
  { file: 'genai.har', sdk: 'genai', exchanges: 11, judged: 8 },
  { file: 'ai.har', sdk: 'ai', exchanges: 16, judged: 16 },
  {
    file: 'openai-bad-token-called-api-key.har',
    sdk: 'openai',
    fault: 'auth-answer/headers-unified-to-x-api-key',
    violates: ['auth/bad-bearer-token'],
    exchanges: 14,
    judged: 14,
  },
  {
    file: 'anthropic-no-balance-400.har',
    sdk: 'anthropic',
    fault: 'balance/one-status-for-all-400',
    violates: [
      'balance/family-b',
      'model-error/type-fits-status-families-b-c',
      'streams/balance-families-b-c',
    ],
    exchanges: 11,
    judged: 10,
  },
  {
    file: 'genai-no-trace-header.har',
    sdk: 'genai',
    fault: 'trace/header-missing',
    violates: ['model-error/trace-header-present'],
    warns: ['model-error/streamed'],
    exchanges: 11,
    judged: 8,
  },
  {
    file: 'openai-errors-inside-streams.har',
    sdk: 'openai',
    fault: 'stream/errors-told-inside',
    exchanges: 14,
    judged: 12,
  },
  {
    file: 'openai-errors-inside-streams.har',
    sdk: 'openai',
    fault: 'stream/errors-told-inside',
    profile: true,
    warns: ['streams/error-before-start'],
    exchanges: 14,
    judged: 14,
  },
];

const folder = fileURLToPath(new URL('mitmproxy/', import.meta.url));
const { MITMDUMP: mitmdump } = process.env;

describe.runIf(mitmdump)('is recorded anew', () => {
  test.each(captures.filter(({ profile }) => !profile))('$file', async ({ file, sdk, fault }) => {
    const gateway = await createReferenceServer(faults.find(({ id }) => id === fault)?.setup());
    const recorder = spawn(mitmdump ?? '', [
      ...['--mode', `reverse:${gateway.url}@127.0.0.1:0`],
      ...['--set', `hardump=${join(folder, file)}`, '--set', `confdir=${scratch()}`],
    ]);
    let said = '';
    recorder.stdout.on('data', (piece: Buffer) => {
      said += piece.toString();
    });
    const address = /listening at (?:http:\/\/)?([\d.:]+)/;
    while (!address.test(said)) await new Promise((resolve) => setTimeout(resolve, 50));
    const [, host] = address.exec(said) ?? [];
    await sdkCalls[sdk]?.({ baseUrl: `http://${host?.replace(/\.$/, '')}`, keys: gateway.profile.keys });
    recorder.kill('SIGINT');
    await once(recorder, 'close');
    await gateway.close();
  });
});

describe('an SDK that mitmproxy recorded', () => {
  const named = captures.map((item) => ({ fault: 'none', violates: [], warns: [], profile: false, ...item }));
  test.each(named)(
    '$sdk with fault $fault, with a profile: $profile',
    async ({ file, fault, violates, warns, profile, exchanges, judged }) => {
      const cwd = scratch();
      const { code, stdout } = await conformance(
        [
          ...['check', join(folder, file), '--reporter', 'json=report.json', '--reporter', 'terminal'],
          ...(profile ? ['--profile', referenceProfile, '--base-url', baseUrlOf(file)] : []),
        ],
        { cwd },
      );
      const text = readFileSync(join(cwd, 'report.json'), 'utf8');
      const report: Report = JSON.parse(text);
      const broken = (outcome: string): string[] =>
        report.requirements.filter((item) => item.outcome === outcome).map(({ id }) => id);
      expect([broken('violates').sort(), broken('warns').sort()]).toEqual([violates, warns]);
      expect(report.recording).toMatchObject({ exchanges, judged });
      expect(report.recording?.client?.duties.filter((duty) => duty.broken > 0)).toEqual([]);
      expect(code).toBe(violates.length > 0 ? 1 : 0);
      const breaks = faults.find(({ id }) => id === fault)?.breaks ?? [];
      expect(breaks).toEqual(expect.arrayContaining([...violates, ...warns]));
      expect(stdout + text).not.toMatch(/sk-Reference|sk-nobody/);
    },
  );
});

const referenceProfile = fileURLToPath(new URL('../../fixtures/profiles/reference.yaml', import.meta.url));

/** Where the gateway was when it was recorded. */
function baseUrlOf(file: string): string {
  return new URL(JSON.parse(readFileSync(join(folder, file), 'utf8')).log.entries[0].request.url).origin;
}
