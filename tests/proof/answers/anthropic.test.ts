import Anthropic from '@anthropic-ai/sdk';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import { expect, test } from 'vitest';
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
const { messages, beta } = new Anthropic({ apiKey, baseURL: url, maxRetries: 0 });
const model = models.anthropic;

const ask = (content: string) => ({
  model,
  max_tokens: 2000,
  messages: [{ role: 'user' as const, content }],
});
const weatherTool = { name: 'get_weather', input_schema: placeSchema };
const mailTool = { name: 'send_mail', input_schema: letterSchema };

const textOf = (content: readonly { readonly type: string }[]): string =>
  content.map((block) => ('text' in block ? block.text : '')).join('');

test('the stream helper puts the text and the usage together', async () => {
  const stream = messages.stream(ask(greeting));
  let streamed = '';
  stream.on('text', (piece) => {
    streamed += piece;
  });
  const { content, stop_reason, usage } = await stream.finalMessage();
  expect(content).toMatchObject([{ type: 'text', text: streamed }]);
  expect(streamed).toContain(model);
  expect(stop_reason).toBe('end_turn');
  expect([usage.input_tokens, usage.output_tokens].map((tokens) => tokens > 0)).toEqual([true, true]);
});

test('the answer to the result of a tool contains it', async () => {
  const question = ask(aboutWeather);
  const first = await messages.create({ ...question, tools: [weatherTool] });
  const use = first.content.find((block) => block.type === 'tool_use');
  expect(first.stop_reason).toBe('tool_use');
  expect(Place.safeParse(use?.input).error).toBeUndefined();
  const second = await messages.create({
    ...question,
    tools: [weatherTool],
    messages: [
      ...question.messages,
      { role: 'assistant', content: first.content },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: use?.id ?? '', content: weather }],
      },
    ],
  });
  expect(textOf(second.content)).toContain(weather);
  expect(second.stop_reason).toBe('end_turn');
});

test.each([
  ['toolRunner', false],
  ['toolRunner with streams', true],
])('%s ends with the result of the tool', async (_, streams) => {
  const places: unknown[] = [];
  const tool = betaZodTool({
    name: 'get_weather',
    description: 'The weather in a city',
    inputSchema: Place,
    run: (place) => {
      places.push(place);
      return weather;
    },
  });
  const run = { ...ask(aboutWeather), tools: [tool], max_iterations: 4 };
  const runner = streams
    ? beta.messages.toolRunner({ ...run, stream: true })
    : beta.messages.toolRunner({ ...run, stream: false });
  const answers = [];
  for await (const item of runner) answers.push('finalMessage' in item ? await item.finalMessage() : item);
  expect(answers.map(({ stop_reason }) => stop_reason)).toEqual(['tool_use', 'end_turn']);
  expect(textOf(answers[1]?.content ?? [])).toContain(weather);
  expect(places).toEqual([{ city: expect.any(String), unit: expect.any(String) }]);
});

test('the input of a tool is streamed in pieces', async () => {
  const stream = messages.stream({
    ...ask(greeting),
    tools: [mailTool, weatherTool],
    tool_choice: { type: 'tool', name: 'get_weather' },
  });
  const pieces: string[] = [];
  stream.on('inputJson', (piece) => pieces.push(piece));
  const { content } = await stream.finalMessage();
  expect(content).toMatchObject([
    { type: 'tool_use', name: 'get_weather', input: JSON.parse(pieces.join('')) },
  ]);
  expect(pieces.length).toBeGreaterThan(1);
});

test.each([
  ['each named tool', { type: 'auto' }, ['get_weather', 'send_mail']],
  ['one tool without parallel use', { type: 'auto', disable_parallel_tool_use: true }, ['get_weather']],
  ['a tool for `any`', { type: 'any', disable_parallel_tool_use: true }, ['get_weather']],
  ['no tool for `none`', { type: 'none' }, []],
] as const)('uses %s', async (_, tool_choice, used) => {
  const { content } = await messages.create({
    ...ask(aboutBoth),
    tools: [weatherTool, mailTool],
    tool_choice,
  });
  expect(content.filter((block) => block.type === 'tool_use').map(({ name }) => name)).toEqual(used);
});

const structured = { ...ask(aboutPerson), output_config: { format: zodOutputFormat(Person) } };
test.each([
  ['parse', () => messages.parse(structured)],
  ['the stream helper', () => messages.stream(structured).finalMessage()],
])('%s returns an object of the schema', async (_, answer) => {
  const { parsed_output } = await answer();
  expect(Person.safeParse(parsed_output).error).toBeUndefined();
});

test('thinks before it answers, also in a stream', async () => {
  const thinking = { type: 'enabled', budget_tokens: 1024 } as const;
  const plain = await messages.create({ ...ask(greeting), thinking });
  const stream = messages.stream({ ...ask(greeting), thinking });
  const events = await readAll(stream);
  const streamed = await stream.finalMessage();
  const expected = [
    { type: 'thinking', thinking: expect.stringMatching(/./), signature: expect.stringMatching(/./) },
    { type: 'text' },
  ];
  expect(plain.content).toMatchObject(expected);
  expect(streamed.content).toMatchObject(expected);
  const deltas = events.map((event) => event.type === 'content_block_delta' && event.delta.type);
  expect(deltas).toEqual(expect.arrayContaining(['thinking_delta', 'signature_delta', 'text_delta']));
});

test.each([
  ['max_tokens', { max_tokens: 2 }, { stop_reason: 'max_tokens', stop_sequence: null }],
  ['stop_sequences', { stop_sequences: [' of'] }, { stop_reason: 'stop_sequence', stop_sequence: ' of' }],
])('%s cuts the text', async (_, limit, reason) => {
  const whole = await messages.create(ask(greeting));
  for (const cut of [
    await messages.create({ ...ask(greeting), ...limit }),
    await messages.stream({ ...ask(greeting), ...limit }).finalMessage(),
  ]) {
    expect(cut).toMatchObject(reason);
    expect(textOf(cut.content)).not.toBe('');
    expect(textOf(whole.content)).toMatch(new RegExp(`^${textOf(cut.content)}.`));
    expect(cut.usage.output_tokens).toBeLessThan(whole.usage.output_tokens);
  }
});

test('countTokens counts', async () => {
  const count = async (content: string): Promise<number> => {
    const { input_tokens } = await messages.countTokens({ model, messages: ask(content).messages });
    return input_tokens;
  };
  expect(await count(greeting)).toBeGreaterThan(0);
  expect(await count(aboutWeather)).toBeGreaterThan(await count(greeting));
});
