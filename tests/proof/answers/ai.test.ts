import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import {
  generateObject,
  generateText,
  type LanguageModel,
  stepCountIs,
  streamObject,
  streamText,
  tool,
} from 'ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startGateway } from './gateway.ts';
import { aboutPerson, aboutWeather, greeting, models, Person, Place, readAll, weather } from './prompts.ts';

const { url, apiKey } = await startGateway();
const openai = createOpenAI({ apiKey, baseURL: `${url}/v1` });
const providers: Readonly<Record<string, LanguageModel>> = {
  'openai.chat': openai.chat(models.openai),
  'openai.responses': openai.responses(models.openai),
  anthropic: createAnthropic({ apiKey, baseURL: `${url}/v1` })(models.anthropic),
  google: createGoogleGenerativeAI({ apiKey, baseURL: `${url}/v1beta` })(models.google),
};

/** A question about the weather, with a tool that remembers the places. */
function askWithTool() {
  const places: unknown[] = [];
  const execute = async (place: unknown): Promise<string> => {
    places.push(place);
    return weather;
  };
  const tools = { get_weather: tool({ inputSchema: Place, execute }) };
  return { places, question: { prompt: aboutWeather, tools, stopWhen: stepCountIs(3) } };
}

const onePlace = [{ city: expect.any(String), unit: expect.any(String) }];

describe.each(Object.entries(providers))('%s', (name, model) => {
  const to = { model, maxRetries: 0, maxOutputTokens: 1000 };
  // This provider doesn't send the limits of numbers.
  const schema = name === 'google' ? Person.extend({ age: z.number() }) : Person;

  test('generateText calls a tool and ends with its result', async () => {
    const { places, question } = askWithTool();
    const { steps, text } = await generateText({ ...to, ...question });
    expect(places).toEqual(onePlace);
    expect(steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
    expect(steps.flatMap(({ warnings }) => warnings ?? [])).toEqual([]);
    expect(text).toContain(weather);
  });

  test('streamText calls a tool and ends with its result', async () => {
    const { places, question } = askWithTool();
    const result = streamText({ ...to, ...question });
    const types = (await readAll(result.fullStream)).map(({ type }) => type);
    expect(types).not.toContain('error');
    expect(types).toEqual(expect.arrayContaining(['tool-input-delta', 'tool-result', 'text-delta']));
    expect(places).toEqual(onePlace);
    expect(await result.text).toContain(weather);
  });

  test('streamText says how many tokens were used', async () => {
    const result = streamText({ ...to, prompt: greeting });
    const pieces = await readAll(result.textStream);
    expect(pieces.length).toBeGreaterThan(1);
    expect(await result.finishReason).toBe('stop');
    const { inputTokens = 0, outputTokens = 0, totalTokens } = await result.usage;
    expect([inputTokens > 0, outputTokens > 0]).toEqual([true, true]);
    expect(totalTokens).toBe(inputTokens + outputTokens);
  });

  test('generateObject returns an object of the schema', async () => {
    const { object } = await generateObject({ ...to, prompt: aboutPerson, schema });
    expect(schema.safeParse(object).error).toBeUndefined();
  });

  test('streamObject returns the object in growing parts', async () => {
    const result = streamObject({ ...to, prompt: aboutPerson, schema });
    const parts = await readAll(result.partialObjectStream);
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.at(-1)).toEqual(await result.object);
  });

  test('maxOutputTokens cuts the text', async () => {
    const { finishReason } = await generateText({ ...to, prompt: greeting, maxOutputTokens: 2 });
    expect(finishReason).toBe('length');
  });
});

/** The options with which a model says its reasons. Chat completions have none. */
const reasons = {
  openai: { forceReasoning: true, reasoningEffort: 'low', reasoningSummary: 'auto' },
  anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } },
  google: { thinkingConfig: { includeThoughts: true } },
};

const { 'openai.chat': _, ...reasoning } = providers;
test.each(Object.entries(reasoning))('the answer of %s has reasons', async (_name, model) => {
  const { reasoningText, text } = await generateText({
    model,
    maxRetries: 0,
    maxOutputTokens: 2000,
    prompt: greeting,
    providerOptions: reasons,
  });
  expect(reasoningText).toMatch(/./);
  expect(text).toMatch(/./);
});
