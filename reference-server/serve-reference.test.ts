import { expect, test } from 'vitest';
import { serveReference } from './serve-reference.ts';

test.each(['SIGINT', 'SIGTERM'] as const)(
  'serves, prints how to call the server, and stops on %s',
  async (signal) => {
    const lines: string[] = [];
    const { promise: started, resolve } = deferred();
    const served = serveReference({ port: 0, write: resolve, log: (line) => lines.push(line) });
    const text = await started;
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0] ?? '';
    for (const name of ['openai', '@anthropic-ai/sdk', '@google/genai', 'conformance run'])
      expect(text).toContain(name);
    for (const role of ['valid', 'deleted', 'depleted', 'foreign'])
      expect(text).toMatch(new RegExp(`${role} +sk-`));
    const key = /sk-Reference-Valid\w*-\w+/.exec(text)?.[0];
    expect((await fetch(`${url}/v1/models`, { headers: { 'x-api-key': key ?? '' } })).status).toBe(200);
    expect(lines).toHaveLength(1);
    process.emit(signal);
    await served;
    await expect(fetch(url)).rejects.toThrow();
  },
);

function deferred() {
  let resolve: (text: string) => void = () => {};
  const promise = new Promise<string>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
