import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../../common/package-root.ts';
import { createReferenceServer } from '../../../reference-server/index.ts';
import { readRules } from '../../../reference-server/read-rules.ts';
import { createUserProject } from '../../support/user-project.ts';

const document = readFileSync(join(packageRoot, 'docs/reference-gateway.md'), 'utf8');

/** Returns the only code block of this language in the document. */
function block(kind: string): string {
  const found = [...document.matchAll(/^```(\w+)\n(.*?)^```/gms)].filter(([, named]) => named === kind);
  expect(found).toHaveLength(1);
  return found[0]?.[2] ?? '';
}

test('the rules in docs/reference-gateway.md have the effects that their comments describe', async () => {
  const server = await createReferenceServer({ rules: readRules(parse(block('yaml'))) });
  const post = async (path: string, body: object, more: Record<string, string> = {}) => {
    const response = await fetch(server.url + path, {
      method: 'POST',
      headers: { 'x-api-key': server.profile.keys.valid, 'anthropic-version': '2023-06-01', ...more },
      body: JSON.stringify(body),
    });
    const { status, headers } = response;
    return { status, headers, text: await response.text().catch(() => 'broken') };
  };
  const asking = (content: string, more: object = {}) => ({
    model: 'gpt-reference',
    messages: [{ role: 'user', content }],
    ...more,
  });
  const chat = (content: string, more?: object, headers?: Record<string, string>) =>
    post('/v1/chat/completions', asking(content, more), headers);

  expect((await chat('How is the weather?')).text).toContain('"Twelve degrees and rain."');
  const message = await post('/v1/messages', asking('hi', { model: 'claude-reference', max_tokens: 1 }));
  expect([message.status, JSON.parse(message.text).error.type]).toEqual([402, 'insufficient_balance']);
  expect((await chat('hi', { stream: true })).text).toBe('broken');
  expect((await chat('hi', { stream: true })).text).toContain('[DONE]');
  const acme = { 'x-tenant': 'acme' };
  const busy = await chat('hi', {}, acme);
  expect([busy.status, busy.headers.get('retry-after')]).toEqual([429, '2']);
  const page = await chat('hi', {}, acme);
  expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html']);
  const started = performance.now();
  expect((await chat('hi', {}, acme)).status).toBe(200);
  expect(performance.now() - started).toBeGreaterThan(1490);
  expect((await chat('hi', {}, acme)).status).toBe(200);
  expect((await post('/v1/embeddings', {})).text).toBe('{"data":[{"embedding":[0.1,0.2]}]}');
  await server.close();
});

describe('the faults in docs/reference-gateway.md', () => {
  const faults = [...document.matchAll(/^```yml\n(- (?:match|change).*?)^```/gms)].map(([, text = '']) =>
    readRules(parse(text)),
  );
  const start = async (index: number) => {
    const server = await createReferenceServer({ rules: faults[index] ?? [] });
    const call = (path: string, key: string, body: object) =>
      fetch(server.url + path, { method: 'POST', headers: { 'x-api-key': key }, body: JSON.stringify(body) });
    return { server, call, keys: server.profile.keys };
  };

  test('are three', () => {
    expect(faults).toHaveLength(3);
  });

  test('send the code as text and no trace ID in every fifth error of `generate`', async () => {
    const { server, call } = await start(0);
    const codes: unknown[] = [];
    for (let count = 0; count < 5; count += 1) {
      const response = await call('/v1beta/models/gemini-reference:generateContent', 'sk-wrong', {});
      const { error, trace_id } = await response.json();
      codes.push([error.code, trace_id === undefined]);
    }
    expect(codes).toEqual([...Array(4).fill([401, false]), ['401', true]]);
    await server.close();
  });

  test('accept a deleted key on the connection where it was used', async () => {
    const { server, call } = await start(1);
    const { id, value } = server.keys.create();
    const chat = async () => {
      const body = { model: 'gpt-reference', messages: [{ role: 'user', content: 'hi' }] };
      const response = await call('/v1/chat/completions', value, body);
      // `fetch` uses a connection again a moment after the end of its response.
      await response.text();
      await new Promise((resolve) => setTimeout(resolve, 20));
      return response.status;
    };
    expect(await chat()).toBe(200);
    server.keys.delete(id);
    expect(await chat()).toBe(200);
    expect((await call('/v1/chat/completions', server.profile.keys.deleted, {})).status).toBe(401);
    await server.close();
  });

  test('report a wrong key inside the stream', async () => {
    const { server, call } = await start(2);
    const body = { model: 'gpt-reference', messages: [{ role: 'user', content: 'hi' }], stream: true };
    const response = await call('/v1/chat/completions', 'sk-wrong', body);
    expect([response.status, await response.text()]).toEqual([
      200,
      expect.stringMatching(/^event: error\ndata: \{"error".*"invalid_api_key".*\n\ndata: \[DONE\]\n\n$/),
    ]);
    await server.close();
  });
});

describe('the example test in docs/reference-gateway.md', () => {
  const { run } = createUserProject({ 'app.test.ts': block('ts') });

  test('passes', async () => {
    const { stdout } = await run('vitest/vitest.mjs', 'run', '--reporter', 'json');
    expect(JSON.parse(stdout)).toMatchObject({ success: true, numPassedTests: 1 });
  });

  test('compiles', async () => {
    await run('typescript/bin/tsc', '-p', 'tsconfig.json');
  });
});
