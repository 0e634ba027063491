import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../../common/package-root.ts';
import { createReferenceServer } from '../../../reference-server/index.ts';
import { readScript } from '../../../reference-server/script/read-script.ts';
import { createUserProject } from '../../support/user-project.ts';

const document = readFileSync(join(packageRoot, 'docs/reference-gateway.md'), 'utf8');

/** Returns the only code block of this language in the document. */
function block(kind: string): string {
  const found = [...document.matchAll(/^```(\w+)\n(.*?)^```/gms)].filter(([, named]) => named === kind);
  expect(found).toHaveLength(1);
  return found[0]?.[2] ?? '';
}

test('the script in docs/reference-gateway.md has the responses that its comments describe', async () => {
  const server = await createReferenceServer({ script: readScript(parse(block('yaml'))) });
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
