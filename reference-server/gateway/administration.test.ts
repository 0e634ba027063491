import { Agent, request } from 'node:http';
import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../index.ts';

let gateway: ReferenceServer;
beforeAll(async () => {
  gateway = await createReferenceServer();
});
afterAll(() => gateway.close());

/** Sends a request for the model list over the one connection of the agent, and returns the status. */
function listModels(key: string, agent: Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(`${gateway.url}/v1/models`, { agent, headers: { 'x-api-key': key } }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode));
    })
      .on('error', reject)
      .end();
  });
}

describe('a created key', () => {
  test('works immediately, and is refused after its deletion on an open connection', async () => {
    const { id, value } = gateway.keys.create({ name: 'my app' });
    expect(value).toMatch(/^sk-[\w-]{32}$/);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect(await listModels(value, agent)).toBe(200);
    gateway.keys.delete(id);
    expect(await listModels(value, agent)).toBe(401);
    agent.destroy();
  });
  test('is listed with its use, but without its value', async () => {
    const { id, value } = gateway.keys.create({ name: 'listed', account: 'other' });
    await fetch(`${gateway.url}/v1/models`, { headers: { 'x-api-key': value } });
    const listed = gateway.keys.list().find((key) => key.id === id);
    expect(listed).toMatchObject({ name: 'listed', account: 'other', requests: 1, deleted: false });
    expect(listed?.lastUsedAt).toBeGreaterThanOrEqual(listed?.createdAt ?? 0);
    expect(JSON.stringify(gateway.keys.list())).not.toContain(value);
  });
  test.each([
    [{ account: 'stranger' }, 'No account has the ID "stranger".'],
    [{ name: ' ' }, 'The name of a key must have 1 to 80 characters.'],
  ])('needs a known account and a name that is not blank: %o', (options, message) => {
    expect(() => gateway.keys.create(options)).toThrow(message);
  });
});

describe('an account', () => {
  test('can pay for calls after a top-up, but not after a drain', async () => {
    const { value: apiKey } = gateway.keys.create({ account: 'empty' });
    const client = new Anthropic({ apiKey, baseURL: gateway.url, maxRetries: 0 });
    const call = {
      model: 'claude-reference',
      max_tokens: 9,
      messages: [{ role: 'user' as const, content: 'hi' }],
    };
    await expect(client.messages.create(call)).rejects.toMatchObject({ status: 402 });
    expect(gateway.accounts.topUp('empty', 100)).toMatchObject({ balance: 100 });
    await client.messages.create(call);
    const { balance = 0, spent = 0 } = gateway.accounts.list().find(({ id }) => id === 'empty') ?? {};
    expect([balance + spent, spent > 0]).toEqual([100, true]);
    expect(gateway.accounts.drain('empty').balance).toBe(0);
    await expect(client.messages.create(call)).rejects.toMatchObject({ status: 402 });
  });
  test.each([0, -5, 1.5, Number.NaN, 2_000_000_000])('is not topped up by %d', (credits) => {
    expect(() => gateway.accounts.topUp('acme', credits)).toThrow('A top-up must be an integer of 1 or more');
  });
});
