import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import OpenAI from 'openai';
import { onTestFinished } from 'vitest';
import {
  createReferenceServer,
  faults,
  type PartialProfile,
  type ReferenceServer,
} from '../../reference-server/index.ts';
import type { Report } from '../../runner/report/report.ts';
import { createScratchFolder } from './command.ts';
import { type RunningCommand, startCommand } from './long-running-command.ts';

/** A running `proxy` command. */
export interface RunningProxyCommand extends RunningCommand {
  /** The base URL for clients. */
  readonly url: string;
  /** The base URL of the live page and the report. */
  readonly control: string;
  /** The working folder of the command. */
  readonly folder: string;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Sends a signal, and resolves with the exit code. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

/** Starts `proxy` for a gateway on free ports, and stops the command when the test ends. */
export async function startProxy(
  baseUrl: string,
  flags: readonly string[] = [],
  { folder = createScratchFolder(), env = {} }: { folder?: string; env?: Record<string, string> } = {},
): Promise<RunningProxyCommand> {
  const command = startCommand(['proxy', '--base-url', baseUrl, '--port', '0', ...flags], {
    cwd: folder,
    env,
  });
  const { child, until, ended } = command;
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (piece: Buffer) => {
    output.stdout += piece.toString();
  });
  child.stderr.on('data', (piece: Buffer) => {
    output.stderr += piece.toString();
  });
  await until(1, /Ctrl\+C/g);
  const [, url = ''] = /Forwarding (\S+) to/.exec(output.stderr) ?? [];
  const [, control = ''] = /so far: (\S+)\. /.exec(output.stderr) ?? [];
  return {
    ...command,
    url,
    control,
    folder,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    stop: (signal = 'SIGINT') => {
      child.kill(signal);
      return ended;
    },
  };
}

/** Starts a reference gateway, optionally with a fault, and stops the gateway when the test ends. */
export async function startGateway(fault?: string): Promise<ReferenceServer<PartialProfile>> {
  const server = await createReferenceServer(faults.find(({ id }) => id === fault)?.setup());
  onTestFinished(() => server.close());
  return server;
}

/** A gateway with this fault responds to a wrong bearer token with the error type of a wrong API key. */
export const unifiedErrorFault = 'auth-answer/headers-unified-to-x-api-key';
export const badKey = 'sk-no-one-has-this-key';

/** Sends a chat call through a proxy. Ignores errors of the call, since the proxy reports these errors. */
export async function chat(proxy: RunningProxyCommand, apiKey: string, body: object = {}): Promise<void> {
  const client = new OpenAI({ apiKey, baseURL: `${proxy.url}/v1`, maxRetries: 0 });
  const messages = [{ role: 'user' as const, content: 'hi' }];
  await client.chat.completions.create({ model: 'gpt-reference', messages, ...body }).catch(() => undefined);
}

/** Returns the report that `proxy` with the flag `--reporter json=report.json` wrote when the command stopped. */
export function reportOf({ folder }: RunningProxyCommand): Report {
  return JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
}
