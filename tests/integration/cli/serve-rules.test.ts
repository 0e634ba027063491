import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { createScratchFolder } from '../../support/command.ts';
import { startCommand } from '../../support/long-running-command.ts';

/**
 * Starts `serve` with rules and flags. Returns a key, functions that create SDK clients, and functions that return
 * parts of the output.
 */
async function serve({ rules, flags = [] }: { rules?: string; flags?: readonly string[] }) {
  const cwd = createScratchFolder();
  if (rules !== undefined) writeFileSync(join(cwd, 'rules.yaml'), rules);
  const named = rules === undefined ? [] : ['--rules', 'rules.yaml'];
  const server = startCommand(['serve', '--port', '0', ...named, ...flags], { cwd });
  await server.until(1, /Press Ctrl\+C/g);
  const [url = ''] = /http:\/\/[\d.]+:\d+/.exec(server.said()) ?? [];
  const [, key = ''] = /valid +(sk-\S+)/.exec(server.said()) ?? [];
  return {
    key,
    openai: (maxRetries: number) => new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries }),
    anthropic: () => new Anthropic({ apiKey: key, baseURL: url, maxRetries: 0 }),
    /**
     * Waits for this number of requests, and returns the arrival (in milliseconds) and the status of each request.
     */
    async log(requests: number): Promise<{ at: number; status: number }[]> {
      const line = /^(\S+Z) [A-Z]+ .* (\d{3})(?: connection=broken)? \d+ms [0-9a-f-]{36}$/gm;
      await server.until(requests, line);
      return [...server.said().matchAll(line)].map(([, at = '', status]) => ({
        at: Date.parse(at),
        status: Number(status),
      }));
    },
    said: server.said,
  };
}
const ask = { model: 'gpt-reference', messages: [{ role: 'user' as const, content: 'hi' }] };

describe('the openai SDK with a gateway with rules', () => {
  test('waits and retries after two 429 responses with Retry-After', async () => {
    const { openai, log } = await serve({
      rules: '- { match: { operation: chat, times: 2 }, change: { refuse: too-frequent } }',
    });
    const answer = await openai(2).chat.completions.create(ask);
    expect(answer.choices[0]?.message.content).toContain('gpt-reference');
    const [first, second, third, ...others] = await log(3);
    expect([first?.status, second?.status, third?.status, others]).toEqual([429, 429, 200, []]);
    // Retry-After is one second. The times in the log are whole milliseconds.
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(990);
    expect((third?.at ?? 0) - (second?.at ?? 0)).toBeGreaterThan(990);
  });

  test('raises its rate limit error with too few retries for --throttle, and the next call succeeds', async () => {
    const { openai, log } = await serve({ flags: ['--throttle', '1'] });
    await expect(openai(0).chat.completions.create(ask)).rejects.toBeInstanceOf(OpenAI.RateLimitError);
    await expect(openai(0).responses.create({ model: ask.model, input: 'hi' })).rejects.toThrow(/429/);
    expect((await openai(0).chat.completions.create(ask)).object).toBe('chat.completion');
    expect((await log(3)).map(({ status }) => status)).toEqual([429, 429, 200]);
  });

  test('yields the chunks before the break of --break-stream, then raises an error', async () => {
    const { openai, log, said } = await serve({ flags: ['--break-stream', '3'] });
    const stream = await openai(2).chat.completions.create({ ...ask, stream: true });
    let text = '';
    const read = async (): Promise<void> => {
      for await (const { choices } of stream) text += choices[0]?.delta.content ?? '';
    };
    await expect(read()).rejects.toThrow();
    // The first of the three chunks contains only the role.
    expect(text).toBe('This is ');
    expect((await openai(0).chat.completions.create(ask)).object).toBe('chat.completion');
    expect(await log(2)).toHaveLength(2);
    expect(said().match(/^.* 200 connection=broken .*$/gm)).toHaveLength(1);
  });

  test('gets no response before the time of --latency', async () => {
    const { openai } = await serve({ flags: ['--latency', '300ms'] });
    const started = performance.now();
    await openai(0).chat.completions.create(ask);
    expect(performance.now() - started).toBeGreaterThan(295);
    await expect(openai(0).chat.completions.create(ask, { timeout: 50 })).rejects.toThrow(/timed out/i);
  });

  test('gets the responses of rules from a gateway with a fault, and the log contains no key', async () => {
    const { openai, anthropic, key, said, log } = await serve({
      rules: `
- match: { body: { messages: [{ role: user, content: '*weather*' }] } }
  change: { completion: Twelve degrees. }
`,
      flags: [
        ...['--fault', 'bad-key/deleted-works-on-the-model-list'],
        ...['--fault', '{ match: { operation: messages }, change: { refuse: low-balance } }'],
      ],
    });
    const weather = { ...ask, messages: [{ role: 'user' as const, content: 'How is the weather?' }] };
    const plain = await openai(0).chat.completions.create(weather);
    expect(plain.choices[0]?.message.content).toBe('Twelve degrees.');
    const streamed = await openai(0).chat.completions.stream(weather).finalChatCompletion();
    expect(streamed.choices[0]?.message.content).toBe('Twelve degrees.');
    expect((await openai(0).chat.completions.create(ask)).choices[0]?.message.content).toMatch(/reference/);
    const poor = anthropic().messages.create({ ...ask, model: 'claude-reference', max_tokens: 1 });
    await expect(poor).rejects.toMatchObject({
      status: 402,
      error: { error: { type: 'insufficient_balance' } },
    });
    await log(4);
    expect(said()).toContain('bad-key/deleted-works-on-the-model-list: ');
    expect(said().split('Ctrl+C')[1]).not.toContain(key);
  });
});
