import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../../common/package-root.ts';
import { conformance, type FinishedCommand } from '../../support/command.ts';

/** Runs a script of an app. The working folder has the SDKs. */
function app(script: string, ...flags: string[]): Promise<FinishedCommand> {
  const command = [process.execPath, '--input-type=module', '-e', script];
  return conformance(['app', ...flags, '--', ...command], { cwd: packageRoot });
}

/** Returns the sign before each situation, by ID. */
function signsIn(text: string): Record<string, string> {
  const found = text.matchAll(
    /^(\S) (busy|server-error|bad-request|no-balance|broken-stream|stream-error) {2}/gm,
  );
  return Object.fromEntries([...found].map(([, sign = '', id = '']) => [id, sign]));
}

const call = `{ model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello' }] }`;
const sdk = `import OpenAI from 'openai';
  const client = new OpenAI();
  const answer = await client.chat.completions.create(${call});
  console.log(answer.choices[0].message.content);`;
const streaming = `import OpenAI from 'openai';
  const client = new OpenAI();
  for await (const chunk of await client.chat.completions.create({ ...${call}, stream: true }))
    process.stdout.write(chunk.choices[0]?.delta.content ?? '');`;
const fetching = `const headers = { authorization: 'Bearer ' + process.env.OPENAI_API_KEY, 'content-type': 'application/json' };
  const send = (more = {}) => fetch(process.env.OPENAI_BASE_URL + '/chat/completions',
    { method: 'POST', headers: { ...headers, ...more.headers }, body: JSON.stringify({ ...${call}, ...more.body }) });`;
/** Repeats whatever fails up to five times, after equal pauses, and always ends well. */
const careless = `${fetching}
  for (let attempt = 0; attempt < 5; attempt++) {
    const response = await send({ body: { stream: true } });
    await response.text().catch(() => '');
    if (response.ok) break;
    await new Promise((resolve) => setTimeout(resolve, 400));
  }`;
const model = ['--model', 'gpt-4o'];

describe('app', () => {
  test('a command whose clients keep their duties', async () => {
    const { code, stdout, stderr } = await app(sdk, ...model);
    expect(stderr).toContain('✓ APP KEEPS ITS PART');
    expect([code, stdout.trim() === '']).toEqual([0, false]);
  });
  test.each([
    ['the exit code of the command', `${sdk} process.exit(7);`, 7, 'exit code 7'],
    ['a signal that ends the command', `process.kill(process.pid, 'SIGTERM');`, 143, 'exit code 143'],
    ['no call', '0', 3, 'made no call'],
    [
      'two keys',
      `${fetching} await send({ headers: { 'x-api-key': process.env.OPENAI_API_KEY } });`,
      1,
      'client/one-header',
    ],
    ['a model that the gateway lacks', sdk.replace('gpt-4o', 'gpt-7'), 1, '--model gpt-7'],
    [
      'an endpoint that the gateway lacks',
      "await fetch(process.env.GATEWAY_URL + '/v1/embeddings');",
      0,
      'GET /v1/embeddings → 404',
    ],
  ])('%s', async (_, script, code, text) => {
    const found = await app(script, ...model);
    expect(found.stderr).toContain(text);
    expect(found.code).toBe(code);
  });
  test('an SDK copes with each situation that it meets', async () => {
    const plain = await app(sdk, '--situation', 'all', ...model);
    expect(signsIn(plain.stderr)).toEqual({
      busy: '✓',
      'server-error': '✓',
      'bad-request': '✓',
      'no-balance': '✓',
      'broken-stream': '–',
      'stream-error': '–',
    });
    expect(plain.code).toBe(0);
    const streamed = await app(
      streaming,
      '--situation',
      'broken-stream',
      '--situation',
      'stream-error',
      ...model,
    );
    expect(signsIn(streamed.stderr)).toEqual({ 'broken-stream': '✓', 'stream-error': '✓' });
    expect(streamed.code).toBe(0);
  });
  test('a careless app fails in each situation', async () => {
    const { code, stderr } = await app(careless, '--situation', 'all', ...model);
    expect(signsIn(stderr)).toEqual({
      busy: '✗',
      'server-error': '✗',
      'bad-request': '✗',
      'no-balance': '✗',
      'broken-stream': '✗',
      'stream-error': '✗',
    });
    expect(code).toBe(1);
  });
  test('a named situation that no call meets', async () => {
    const { code, stderr } = await app(sdk, '--situation', 'broken-stream', ...model);
    expect(stderr).toContain('Not seen');
    expect(code).toBe(3);
  });
  test('an app that never stops is ended', async () => {
    const script = `${fetching} while (!(await send()).ok) {}`;
    const { code, stderr } = await app(script, '--situation', 'bad-request', ...model);
    expect(stderr).toContain('more than 100 times');
    expect(code).toBe(1);
    const hanging = await app(
      `${fetching} await send(); setInterval(() => {}, 1000);`,
      '--max-time',
      '2s',
      ...model,
    );
    expect(hanging.stderr).toContain('--max-time');
    expect(hanging.code).toBe(1);
  });
  test.each([
    ['an unknown situation', ['--situation', 'buzy'], 'Did you mean "busy"?'],
    ['an unknown command', [], 'could not be started'],
  ])('%s', async (_, flags, text) => {
    const { code, stderr } = await conformance(['app', ...flags, '--', 'no-such-command']);
    expect(stderr).toContain(text);
    expect(code).toBe(2);
  });
});
