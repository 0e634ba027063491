import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { generateText, type LanguageModel, streamText } from 'ai';
import OpenAI from 'openai';
import type { PartialProfile } from '../../reference-server/index.ts';

const user = [{ role: 'user' as const, content: 'hi' }];

/** The base URL and the keys for the calls. */
export interface Caller {
  readonly baseUrl: string;
  readonly keys: PartialProfile['keys'];
}

type Call = (apiKey: string, model: string) => Promise<unknown>;

/**
 * Makes each call once with the valid key and the good model, and once for each listed error. Ignores the failures of
 * the calls for errors.
 */
async function callEach(
  { keys }: Caller,
  good: string,
  calls: readonly (readonly [call: Call, ...errors: readonly SdkError[]])[],
): Promise<void> {
  const bring: Readonly<Record<SdkError, (call: Call) => Promise<unknown>>> = {
    unlisted: (call) => call(keys.valid, 'nope'),
    'bad key': (call) => call('sk-no-one-has-this-key', good),
    'no balance': (call) => call(keys.depleted ?? '', good),
  };
  for (const [call, ...errors] of calls) {
    await call(keys.valid, good);
    for (const error of errors) await bring[error](call).catch(() => undefined);
  }
}

type SdkError = 'unlisted' | 'bad key' | 'no balance';
const each: readonly SdkError[] = ['unlisted', 'bad key', 'no balance'];

async function readAll(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items);
}

/**
 * The calls of each SDK, as the documentation of the SDK shows the calls. Each function ignores the errors of calls
 * that must fail.
 */
export const sdkCalls: Readonly<Record<string, (caller: Caller) => Promise<void>>> = {
  openai: (caller) => {
    const client = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${caller.baseUrl}/v1`, maxRetries: 0 });
    return callEach(caller, 'gpt-reference', [
      [(key, model) => client(key).chat.completions.create({ model, messages: user }), ...each],
      [
        (key, model) => client(key).chat.completions.stream({ model, messages: user }).finalChatCompletion(),
        'unlisted',
      ],
      [(key, model) => client(key).responses.create({ model, input: 'hi' }), ...each],
      [(key, model) => client(key).responses.stream({ model, input: 'hi' }).finalResponse(), 'no balance'],
      [(key) => readAll(client(key).models.list()), 'bad key'],
    ]);
  },
  anthropic: (caller) => {
    const client = (apiKey: string) => new Anthropic({ apiKey, baseURL: caller.baseUrl, maxRetries: 0 });
    const body = { max_tokens: 16, messages: user };
    return callEach(caller, 'claude-reference', [
      [(key, model) => client(key).messages.create({ ...body, model }), ...each],
      [
        (key, model) =>
          client(key)
            .messages.stream({ ...body, model })
            .finalMessage(),
        ...each,
      ],
      [(key) => readAll(client(key).models.list()), 'bad key'],
      [(key, model) => client(key).messages.countTokens({ model, messages: user })],
    ]);
  },
  genai: (caller) => {
    const models = (apiKey: string) =>
      new GoogleGenAI({ apiKey, httpOptions: { baseUrl: caller.baseUrl } }).models;
    return callEach(caller, 'gemini-reference', [
      [(key, model) => models(key).generateContent({ model, contents: 'hi' }), ...each],
      [
        async (key, model) => readAll(await models(key).generateContentStream({ model, contents: 'hi' })),
        ...each,
      ],
      [async (key) => readAll(await models(key).list()), 'bad key'],
      [(key, model) => models(key).countTokens({ model, contents: 'hi' })],
    ]);
  },
  ai: async (caller) => {
    const { baseUrl } = caller;
    const providers: readonly (readonly [string, (apiKey: string, model: string) => LanguageModel])[] = [
      ['gpt-reference', (apiKey, model) => createOpenAI({ apiKey, baseURL: `${baseUrl}/v1` }).chat(model)],
      ['gpt-reference', (apiKey, model) => createOpenAI({ apiKey, baseURL: `${baseUrl}/v1` })(model)],
      ['claude-reference', (apiKey, model) => createAnthropic({ apiKey, baseURL: `${baseUrl}/v1` })(model)],
      [
        'gemini-reference',
        (apiKey, model) => createGoogleGenerativeAI({ apiKey, baseURL: `${baseUrl}/v1beta` })(model),
      ],
    ];
    for (const [good, make] of providers) {
      const ask = (key: string, model: string) => ({
        model: make(key, model),
        prompt: 'hi',
        maxOutputTokens: 16,
        maxRetries: 0,
      });
      await callEach(caller, good, [
        [(key, model) => generateText(ask(key, model)), 'bad key'],
        [
          (key, model) => readAll(streamText({ ...ask(key, model), onError: () => {} }).textStream),
          'unlisted',
        ],
      ]);
    }
  },
};
