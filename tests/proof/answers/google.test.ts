import {
  type Content,
  FunctionCallingConfigMode,
  type GenerateContentConfig,
  GoogleGenAI,
  Type,
} from '@google/genai';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startGateway } from './gateway.ts';
import {
  aboutBoth,
  aboutPerson,
  aboutWeather,
  greeting,
  letterSchema,
  models,
  Person,
  Place,
  placeSchema,
  readAll,
  weather,
} from './prompts.ts';

const { url, apiKey } = await startGateway();
const google = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url } });
const model = models.google;

const getWeather = {
  name: 'get_weather',
  parameters: {
    type: Type.OBJECT,
    properties: {
      city: { type: Type.STRING },
      unit: { type: Type.STRING, enum: ['celsius', 'fahrenheit'] },
    },
    required: ['city', 'unit'],
  },
};

const ask = (contents: string | Content[], config: GenerateContentConfig = {}) =>
  google.models.generateContent({ model, contents, config });

test('a stream ends with the reason and the usage', async () => {
  const chunks = await readAll(await google.models.generateContentStream({ model, contents: greeting }));
  expect(chunks.map(({ text }) => text).join('')).toBe((await ask(greeting)).text);
  expect(chunks.at(-1)?.candidates?.[0]?.finishReason).toBe('STOP');
  expect(chunks.at(-1)?.usageMetadata?.totalTokenCount).toBeGreaterThan(0);
});

test('the answer to the response of a function contains it', async () => {
  const config = { tools: [{ functionDeclarations: [getWeather] }] };
  const question = { role: 'user', parts: [{ text: aboutWeather }] };
  const { candidates, functionCalls } = await ask([question], config);
  const call = functionCalls?.[0];
  expect(call?.name).toBe('get_weather');
  expect(Place.safeParse(call?.args).error).toBeUndefined();
  const functionResponse = { ...call, args: undefined, response: { output: weather } };
  const contents = [
    question,
    candidates?.[0]?.content ?? {},
    { role: 'user', parts: [{ functionResponse }] },
  ];
  expect((await ask(contents, config)).text).toContain(weather);
});

test('the SDK calls a function by itself', async () => {
  const places: unknown[] = [];
  const tool = {
    tool: async () => ({ functionDeclarations: [getWeather] }),
    callTool: async (calls: readonly { id?: string; name?: string; args?: object }[]) =>
      calls.map(({ id, name, args }) => {
        places.push(args);
        return { functionResponse: { id, name, response: { output: weather } } };
      }),
  };
  expect((await ask(aboutWeather, { tools: [tool] })).text).toContain(weather);
  expect(places).toEqual([{ city: expect.any(String), unit: expect.any(String) }]);
});

const { ANY, AUTO, NONE } = FunctionCallingConfigMode;
test.each([
  ['each named function', { mode: AUTO }, ['get_weather', 'send_mail']],
  ['an allowed function', { mode: ANY, allowedFunctionNames: ['send_mail'] }, ['send_mail']],
  ['no function for `NONE`', { mode: NONE }, []],
])('calls %s, also in a stream', async (_, functionCallingConfig, called) => {
  const config = {
    tools: [
      {
        functionDeclarations: [
          { name: 'get_weather', parametersJsonSchema: placeSchema },
          { name: 'send_mail', parametersJsonSchema: letterSchema },
        ],
      },
    ],
    toolConfig: { functionCallingConfig },
  };
  const { candidates, functionCalls = [] } = await ask(aboutBoth, config);
  expect(functionCalls.map(({ name }) => name)).toEqual(called);
  expect(candidates?.[0]?.finishReason).toBe('STOP');
  const chunks = await readAll(
    await google.models.generateContentStream({ model, contents: aboutBoth, config }),
  );
  const streamed = chunks.flatMap((chunk) => chunk.functionCalls ?? []);
  expect(streamed.map(({ name, args }) => ({ name, args }))).toEqual(
    functionCalls.map(({ name, args }) => ({ name, args })),
  );
});

test.each<[string, GenerateContentConfig, z.ZodType]>([
  [
    'responseSchema',
    {
      responseMimeType: 'application/json',
      responseSchema: {
        type: Type.OBJECT,
        properties: {
          name: { type: Type.STRING },
          age: { type: Type.INTEGER, minimum: 18 },
          tags: { type: Type.ARRAY, items: { type: Type.STRING }, minItems: '2' },
          kind: { type: Type.STRING, enum: ['home', 'work'] },
        },
        required: ['name', 'age', 'tags', 'kind'],
      },
    },
    z.object({
      name: z.string(),
      age: z.number().int().min(18),
      tags: z.array(z.string()).min(2),
      kind: z.enum(['home', 'work']),
    }),
  ],
  [
    'responseJsonSchema',
    { responseMimeType: 'application/json', responseJsonSchema: z.toJSONSchema(Person) },
    Person,
  ],
  ['application/json without a schema', { responseMimeType: 'application/json' }, z.object()],
])('%s gives an object of the schema', async (_, config, schema) => {
  const { text = '' } = await ask(aboutPerson, config);
  expect(schema.safeParse(JSON.parse(text)).error).toBeUndefined();
});

test('text/x.enum gives a value without quotation marks', async () => {
  const { text } = await ask(greeting, {
    responseMimeType: 'text/x.enum',
    responseSchema: { type: Type.STRING, enum: ['home', 'work'] },
  });
  expect(['home', 'work']).toContain(text);
});

test('a chat keeps its history', async () => {
  const chat = google.chats.create({ model });
  expect((await chat.sendMessage({ message: greeting })).text).toContain(model);
  await readAll(await chat.sendMessageStream({ message: 'And you?' }));
  // Each chunk of a stream is a content of its own.
  const roles = chat.getHistory().map(({ role }) => role);
  expect(roles.slice(0, 4)).toEqual(['user', 'model', 'user', 'model']);
  expect(new Set(roles.slice(3))).toEqual(new Set(['model']));
});

test('countTokens counts', async () => {
  const { totalTokens } = await google.models.countTokens({ model, contents: greeting });
  expect(totalTokens).toBeGreaterThan(0);
});

test('begins with its thoughts if the request asks for them', async () => {
  const { candidates, text, usageMetadata } = await ask(greeting, {
    thinkingConfig: { includeThoughts: true },
  });
  expect(candidates?.[0]?.content?.parts).toMatchObject([{ thought: true }, { text }]);
  expect(text).toContain(model);
  expect(usageMetadata?.thoughtsTokenCount).toBeGreaterThan(0);
});

test.each([
  ['maxOutputTokens', { maxOutputTokens: 2 }, 'MAX_TOKENS'],
  ['stopSequences', { stopSequences: [' of'] }, 'STOP'],
])('%s cuts the text', async (_, config, reason) => {
  const { candidates, text = '' } = await ask(greeting, config);
  expect(text).not.toBe('');
  expect((await ask(greeting)).text).toMatch(new RegExp(`^${text}.`));
  expect(candidates?.[0]?.finishReason).toBe(reason);
});

test('several candidates are not imitated', async () => {
  expect((await ask(greeting, { candidateCount: 2 })).candidates).toHaveLength(1);
});
