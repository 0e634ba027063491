import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import Anthropic, { APIError as AnthropicError } from '@anthropic-ai/sdk';
import { ApiError as GoogleError, GoogleGenAI } from '@google/genai';
import { APICallError, generateText, type LanguageModel, streamText } from 'ai';
import Anthropic1, { APIError as Anthropic1Error } from 'anthropic-sdk-1';
import OpenAI, { APIError as OpenAIError } from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../reference-server/index.ts';

let server: ReferenceServer;
beforeAll(async () => {
  server = await createReferenceServer();
});
afterAll(() => server.close());

const user = [{ role: 'user' as const, content: 'hi' }];
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const textOf = (model: string): string => `This is ${model} of the reference gateway.`;

async function catchError(promise: PromiseLike<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}
async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

describe('openai', () => {
  const client = (apiKey = server.profile.keys.valid) =>
    new OpenAI({ apiKey, baseURL: `${server.url}/v1`, maxRetries: 0 });

  test('reads a chat completion and its request ID', async () => {
    const { data, request_id } = await client()
      .chat.completions.create({ model: 'gpt-reference', messages: user })
      .withResponse();
    expect(data.choices[0]?.message.content).toBe(textOf('gpt-reference'));
    expect(request_id).toMatch(uuid);
  });
  test('reads a streamed chat completion with the usage', async () => {
    const stream = client().chat.completions.stream({
      model: 'gpt-reference',
      messages: user,
      stream_options: { include_usage: true },
    });
    const { choices, usage } = await stream.finalChatCompletion();
    expect(choices[0]?.message.content).toBe(textOf('gpt-reference'));
    expect(choices[0]?.finish_reason).toBe('stop');
    expect(usage?.total_tokens).toBeGreaterThan(1);
  });
  test('reads a response of the Responses API', async () => {
    const response = await client().responses.create({ model: 'gpt-reference', input: 'hi' });
    expect(response.output_text).toBe(textOf('gpt-reference'));
  });
  test('reads a streamed response of the Responses API', async () => {
    const stream = client().responses.stream({ model: 'gpt-reference', input: 'hi' });
    const response = await stream.finalResponse();
    expect(response.status).toBe('completed');
    expect(response.output_text).toBe(textOf('gpt-reference'));
  });
  test('lists the models, and reads one model', async () => {
    expect((await collect(client().models.list())).map((model) => model.id)).toContain('gpt-reference');
    expect((await client().models.retrieve('claude-reference')).object).toBe('model');
  });
  test('raises errors with the status of each failure', async () => {
    const call = (key: string | undefined, model: string) =>
      catchError(client(key).chat.completions.create({ model, messages: user }));
    const unknown = await call(undefined, 'nope');
    expect(unknown).toBeInstanceOf(OpenAI.BadRequestError);
    expect(unknown).toMatchObject({ status: 400, type: 'model_not_available' });
    if (!(unknown instanceof OpenAIError)) throw unknown;
    expect(unknown.headers?.get('x-trace-id')).toMatch(uuid);
    const refused = await call('sk-wrong', 'gpt-reference');
    expect(refused).toBeInstanceOf(OpenAI.AuthenticationError);
    expect(refused).toMatchObject({ status: 401, type: 'invalid_bearer_token' });
    const poor = await call(server.profile.keys.depleted, 'gpt-reference');
    expect(poor).toMatchObject({ status: 400, type: 'insufficient_balance' });
  });
});

describe('@anthropic-ai/sdk 0.x', () => {
  const client = (apiKey = server.profile.keys.valid) =>
    new Anthropic({ apiKey, baseURL: server.url, maxRetries: 0 });
  const body = { model: 'claude-reference', max_tokens: 16, messages: user };

  test('reads a message and its request ID', async () => {
    const { data, request_id } = await client().messages.create(body).withResponse();
    expect(data.content).toMatchObject([{ type: 'text', text: textOf('claude-reference') }]);
    expect(request_id).toMatch(uuid);
  });
  test('reads a streamed message with the usage', async () => {
    const message = await client().messages.stream(body).finalMessage();
    expect(message.content).toMatchObject([{ type: 'text', text: textOf('claude-reference') }]);
    expect(message.stop_reason).toBe('end_turn');
    expect(message.usage.output_tokens).toBeGreaterThan(1);
  });
  test('counts tokens and lists the models', async () => {
    const { input_tokens } = await client().messages.countTokens({ model: body.model, messages: user });
    expect(input_tokens).toBe(1);
    expect((await collect(client().models.list())).map((model) => model.id)).toContain('claude-reference');
    expect((await client().models.retrieve('claude-reference')).type).toBe('model');
  });
  test('raises errors with the status of each failure', async () => {
    const call = (key: string | undefined, model: string) =>
      catchError(client(key).messages.create({ ...body, model }));
    const unknown = await call(undefined, 'nope');
    expect(unknown).toBeInstanceOf(Anthropic.BadRequestError);
    expect(unknown).toMatchObject({
      status: 400,
      error: { error: { type: 'model_not_available' }, trace_id: expect.stringMatching(uuid) },
    });
    expect(await call('sk-wrong', body.model)).toBeInstanceOf(Anthropic.AuthenticationError);
    const poor = await call(server.profile.keys.depleted, body.model);
    expect(poor).toBeInstanceOf(AnthropicError);
    expect(poor).toMatchObject({ status: 402, error: { error: { type: 'insufficient_balance' } } });
  });
});

describe('@anthropic-ai/sdk 1.x', () => {
  const client = (key = server.profile.keys.valid) =>
    new Anthropic1({
      apiKey: null,
      baseURL: server.url,
      maxRetries: 0,
      defaultHeaders: { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
    });
  const body = { model: 'claude-reference', max_tokens: 16, messages: user };

  test('reads a message and a streamed message', async () => {
    const expected = [{ type: 'text', text: textOf('claude-reference') }];
    expect((await client().messages.create(body)).content).toMatchObject(expected);
    expect((await client().messages.stream(body).finalMessage()).content).toMatchObject(expected);
  });
  test('counts tokens and lists the models', async () => {
    expect((await client().messages.countTokens({ model: body.model, messages: user })).input_tokens).toBe(1);
    expect((await collect(client().models.list())).map((model) => model.id)).toContain('claude-reference');
  });
  test('raises errors with the status of each failure', async () => {
    const call = (key: string | undefined, model: string) =>
      catchError(client(key).messages.create({ ...body, model }));
    expect(await call(undefined, 'nope')).toMatchObject({ status: 400 });
    expect(await call('sk-wrong', body.model)).toBeInstanceOf(Anthropic1.AuthenticationError);
    const poor = await call(server.profile.keys.depleted, body.model);
    expect(poor).toBeInstanceOf(Anthropic1Error);
    expect(poor).toMatchObject({ status: 402 });
  });
});

describe('@google/genai', () => {
  const client = (apiKey = server.profile.keys.valid) =>
    new GoogleGenAI({ apiKey, httpOptions: { baseUrl: server.url } }).models;
  const body = { model: 'gemini-reference', contents: 'hi' };

  test('reads generated content, and a stream with the usage', async () => {
    expect((await client().generateContent(body)).text).toBe(textOf('gemini-reference'));
    const chunks = await collect(await client().generateContentStream(body));
    expect(chunks.map((chunk) => chunk.text).join('')).toBe(textOf('gemini-reference'));
    expect(chunks.at(-1)?.candidates?.[0]?.finishReason).toBe('STOP');
    expect(chunks.at(-1)?.usageMetadata?.totalTokenCount).toBeGreaterThan(1);
  });
  test('counts tokens and lists the models', async () => {
    expect((await client().countTokens(body)).totalTokens).toBe(1);
    expect((await collect(await client().list())).map((model) => model.name)).toContain(
      'models/gemini-reference',
    );
    expect((await client().get({ model: 'gemini-reference' })).name).toBe('models/gemini-reference');
  });
  test('raises errors with the status of each failure', async () => {
    const call = (key: string | undefined, model: string) =>
      catchError(client(key).generateContent({ ...body, model }));
    for (const [error, status] of [
      [await call(undefined, 'nope'), 400],
      [await call('sk-wrong', body.model), 401],
      [await call(server.profile.keys.depleted, body.model), 402],
      [await catchError(client(server.profile.keys.depleted).generateContentStream(body)), 402],
    ]) {
      expect(error).toBeInstanceOf(GoogleError);
      expect(error).toMatchObject({ status });
    }
  });
});

type Make = (key: string, model: string) => LanguageModel;
const providers: readonly (readonly [string, string, number, Make])[] = [
  [
    'openai chat',
    'gpt-reference',
    400,
    (apiKey, model) => createOpenAI({ apiKey, baseURL: `${server.url}/v1` }).chat(model),
  ],
  [
    'openai responses',
    'gpt-reference',
    400,
    (apiKey, model) => createOpenAI({ apiKey, baseURL: `${server.url}/v1` })(model),
  ],
  [
    'anthropic',
    'claude-reference',
    402,
    (apiKey, model) => createAnthropic({ apiKey, baseURL: `${server.url}/v1` })(model),
  ],
  [
    'google',
    'gemini-reference',
    402,
    (apiKey, model) => createGoogleGenerativeAI({ apiKey, baseURL: `${server.url}/v1beta` })(model),
  ],
];

describe.each(providers)('ai with %s', (_name, id, lowBalance, make) => {
  const ask = (key: string, model: string) => ({
    model: make(key, model),
    prompt: 'hi',
    maxOutputTokens: 16,
    maxRetries: 0,
  });

  test('reads generated text and streamed text', async () => {
    expect((await generateText(ask(server.profile.keys.valid, id))).text).toBe(textOf(id));
    const stream = streamText(ask(server.profile.keys.valid, id));
    expect(await stream.text).toBe(textOf(id));
    expect(await stream.finishReason).toBe('stop');
  });
  test('raises errors with the status of each failure', async () => {
    const { valid, depleted } = server.profile.keys;
    for (const [key, model, statusCode] of [
      [valid, 'nope', 400],
      ['sk-wrong', id, 401],
      [depleted, id, lowBalance],
    ] as const) {
      const error = await catchError(generateText(ask(key, model)));
      expect(APICallError.isInstance(error)).toBe(true);
      expect(error).toMatchObject({ statusCode, isRetryable: false });
    }
  });
});
