import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createReferenceServer, faults } from '../../../reference-server/index.ts';
import { check, listFailedIds, originOf } from '../../support/check-command.ts';
import { createScratchFolder } from '../../support/command.ts';
import { sdkCalls } from '../../support/sdk-calls.ts';

interface Capture {
  /** The name of the file in `mitmproxy/`. */
  readonly file: string;
  readonly sdk: string;
  /** The ID of the gateway's fault. */
  readonly fault?: string;
  /** The requirements that `check` reports as violated. */
  readonly violates?: readonly string[];
  readonly warns?: readonly string[];
  /** Whether `check` gets the profile of the gateway. */
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
    judged: 13,
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

// The tests that record are registered only on request, so that these tests do not count as skipped.
if (mitmdump) {
  describe('record again', () => {
    test.each(captures.filter(({ profile }) => !profile))('$file', async ({ file, sdk, fault }) => {
      const gateway = await createReferenceServer(faults.find(({ id }) => id === fault)?.setup());
      const recorder = spawn(mitmdump ?? '', [
        ...['--mode', `reverse:${gateway.url}@127.0.0.1:0`],
        ...['--set', `hardump=${join(folder, file)}`, '--set', `confdir=${createScratchFolder()}`],
      ]);
      let output = '';
      recorder.stdout.on('data', (piece: Buffer) => {
        output += piece.toString();
      });
      const address = /listening at (?:http:\/\/)?([\d.:]+)/;
      while (!address.test(output)) await new Promise((resolve) => setTimeout(resolve, 50));
      const [, host] = address.exec(output) ?? [];
      await sdkCalls[sdk]?.({ baseUrl: `http://${host?.replace(/\.$/, '')}`, keys: gateway.profile.keys });
      recorder.kill('SIGINT');
      await once(recorder, 'close');
      await gateway.close();
    });
  });
}

describe('check judges a recording of mitmproxy', () => {
  const named = captures.map((item) => ({ fault: 'none', violates: [], warns: [], profile: false, ...item }));
  test.each(named)(
    '$sdk with fault $fault, with a profile: $profile',
    async ({ file, fault, violates, warns, profile, exchanges, judged }) => {
      const path = join(folder, file);
      const flags = profile ? ['--profile', referenceProfile, '--base-url', originOf(path)] : [];
      const { code, stdout, report } = await check({ files: [path], flags });
      expect(listFailedIds(report)).toEqual([...violates, ...warns]);
      expect(report.recording).toMatchObject({ exchanges, judged });
      expect(report.recording?.client?.duties.filter((duty) => duty.broken > 0)).toEqual([]);
      expect(code).toBe(violates.length > 0 ? 1 : 0);
      const breaks = faults.find(({ id }) => id === fault)?.violates ?? [];
      expect(breaks).toEqual(expect.arrayContaining(listFailedIds(report)));
      expect(stdout + JSON.stringify(report)).not.toMatch(/sk-Reference|sk-no-one/);
    },
  );
});

const referenceProfile = fileURLToPath(new URL('../../../fixtures/profiles/reference.yaml', import.meta.url));
