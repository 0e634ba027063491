import OpenAI from 'openai';
import { LengthFinishReasonError } from 'openai/error';
import { zodFunction, zodResponseFormat, zodResponsesFunction, zodTextFormat } from 'openai/helpers/zod';
import type { ParsedResponseFunctionToolCall, ResponseInput } from 'openai/resources/responses/responses';
import { describe, expect, test } from 'vitest';
import { startGateway } from './gateway.ts';
import {
  aboutBoth,
  aboutPerson,
  aboutWeather,
  greeting,
  Letter,
  letterSchema,
  models,
  Person,
  Place,
  placeSchema,
  readAll,
  weather,
} from './prompts.ts';

const { url, apiKey } = await startGateway();
const { chat, responses } = new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 });
const model = models.openai;

describe('chat completions', () => {
  const ask = (content: string) => ({ model, messages: [{ role: 'user' as const, content }] });
  const weatherTool = {
    type: 'function' as const,
    function: { name: 'get_weather', parameters: placeSchema, strict: true },
  };
  const mailTool = {
    type: 'function' as const,
    function: { name: 'send_mail', parameters: letterSchema, strict: true },
  };

  test('the stream helper puts the text and the usage together', async () => {
    const stream = chat.completions.stream({ ...ask(greeting), stream_options: { include_usage: true } });
    let streamed = '';
    stream.on('content.delta', ({ delta }) => {
      streamed += delta;
    });
    const { choices, usage } = await stream.finalChatCompletion();
    expect(await stream.finalContent()).toBe(streamed);
    expect(streamed).toContain(model);
    expect(choices[0]?.finish_reason).toBe('stop');
    expect(usage?.total_tokens).toBeGreaterThan(usage?.completion_tokens ?? 0);
  });

  test('only the last chunk has the usage', async () => {
    const chunks = await readAll(
      await chat.completions.create({
        ...ask(greeting),
        stream: true,
        stream_options: { include_usage: true },
      }),
    );
    const last = chunks.pop();
    expect(last?.choices).toEqual([]);
    expect(last?.usage?.total_tokens).toBeGreaterThan(0);
    expect(chunks.filter(({ usage }) => usage !== null)).toEqual([]);
  });

  const structured = { ...ask(aboutPerson), response_format: zodResponseFormat(Person, 'person') };
  test.each([
    ['parse', () => chat.completions.parse(structured)],
    ['the stream helper', () => chat.completions.stream(structured).finalChatCompletion()],
  ])('%s returns an object of the schema', async (_, complete) => {
    const { choices } = await complete();
    expect(Person.safeParse(choices[0]?.message.parsed).error).toBeUndefined();
  });

  test('parse throws for an object that is cut', async () => {
    await expect(chat.completions.parse({ ...structured, max_completion_tokens: 2 })).rejects.toThrow(
      LengthFinishReasonError,
    );
  });

  test('`json_object` gives any object', async () => {
    const { choices } = await chat.completions.create({
      ...ask('Answer in JSON.'),
      response_format: { type: 'json_object' },
    });
    expect(JSON.parse(choices[0]?.message.content ?? '')).toBeTypeOf('object');
  });

  test.each([
    ['runTools', false],
    ['runTools with a stream', true],
  ])('%s ends with the result of the tool', async (_, streams) => {
    const places: unknown[] = [];
    const run = {
      ...ask(aboutWeather),
      tools: [
        zodFunction({
          name: 'get_weather',
          parameters: Place,
          function: (place) => {
            places.push(place);
            return weather;
          },
        }),
      ],
    };
    const runner = streams
      ? chat.completions.runTools({ ...run, stream: true })
      : chat.completions.runTools(run);
    expect(await runner.finalContent()).toContain(weather);
    expect(places).toEqual([{ city: expect.any(String), unit: expect.any(String) }]);
  });

  test('the arguments of a call are streamed in pieces', async () => {
    const stream = chat.completions.stream({
      ...ask(greeting),
      tools: [zodFunction({ name: 'get_weather', parameters: Place })],
      tool_choice: 'required',
    });
    let pieces = 0;
    stream.on('tool_calls.function.arguments.delta', () => {
      pieces += 1;
    });
    const { choices } = await stream.finalChatCompletion();
    const call = choices[0]?.message.tool_calls?.[0];
    expect(Place.safeParse(call?.function.parsed_arguments).error).toBeUndefined();
    expect(pieces).toBeGreaterThan(1);
    expect(choices[0]?.finish_reason).toBe('tool_calls');
  });

  test.each([
    ['each named tool', {}, ['get_weather', 'send_mail']],
    ['one tool without parallel calls', { parallel_tool_calls: false }, ['get_weather']],
    [
      'the chosen tool',
      { tool_choice: { type: 'function', function: { name: 'send_mail' } } },
      ['send_mail'],
    ],
    ['no tool if none may be called', { tool_choice: 'none' }, []],
  ] as const)('calls %s', async (_, choice, called) => {
    const { choices } = await chat.completions.create({
      ...ask(aboutBoth),
      tools: [weatherTool, mailTool],
      ...choice,
    });
    const calls = choices[0]?.message.tool_calls ?? [];
    expect(calls.map((call) => call.type === 'function' && call.function.name)).toEqual(called);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
  });

  test.each([
    ['max_completion_tokens', { max_completion_tokens: 2 }, 'length'],
    ['max_tokens', { max_tokens: 2 }, 'length'],
    ['stop', { stop: [' of'] }, 'stop'],
  ])('%s cuts the text', async (_, limit, reason) => {
    const whole = await chat.completions.create(ask(greeting));
    const { choices, usage } = await chat.completions.create({ ...ask(greeting), ...limit });
    const text = choices[0]?.message.content ?? '';
    expect(text).not.toBe('');
    expect(whole.choices[0]?.message.content).toMatch(new RegExp(`^${text}.`));
    expect(choices[0]?.finish_reason).toBe(reason);
    expect(usage?.completion_tokens).toBeLessThan(whole.usage?.completion_tokens ?? 0);
  });

  test('the effort of reasoning costs tokens', async () => {
    const { usage } = await chat.completions.create({ ...ask(greeting), reasoning_effort: 'high' });
    expect(usage?.completion_tokens_details?.reasoning_tokens).toBeGreaterThan(0);
  });

  test('several choices and the probabilities of tokens are not imitated', async () => {
    const { choices } = await chat.completions.create({ ...ask(greeting), n: 2, logprobs: true });
    expect(choices.map(({ logprobs }) => logprobs)).toEqual([null]);
  });
});

describe('responses', () => {
  const ask = (input: string) => ({ model, input });
  const weatherTool = {
    type: 'function' as const,
    name: 'get_weather',
    parameters: placeSchema,
    strict: true,
  };
  const findCall = (items: readonly { readonly type: string }[]) =>
    items.find((item): item is ParsedResponseFunctionToolCall => item.type === 'function_call');

  test('the stream helper puts the text together', async () => {
    const stream = responses.stream(ask(greeting));
    const types: string[] = [];
    let streamed = '';
    stream.on('event', ({ type }) => types.push(type));
    stream.on('response.output_text.delta', ({ delta }) => {
      streamed += delta;
    });
    const { output_text, status, usage } = await stream.finalResponse();
    expect(output_text).toBe(streamed);
    expect(output_text).toContain(model);
    expect(status).toBe('completed');
    expect(usage?.output_tokens).toBeGreaterThan(0);
    expect([types[0], types.at(-1)]).toEqual(['response.created', 'response.completed']);
  });

  test('says what the request asked for', async () => {
    const asked = { instructions: 'Be short.', temperature: 0.5, metadata: { a: 'b' }, store: false };
    const response = await responses.create({ ...ask(greeting), ...asked });
    expect(response).toMatchObject(asked);
  });

  const structured = { ...ask(aboutPerson), text: { format: zodTextFormat(Person, 'person') } };
  test.each([
    ['parse', () => responses.parse(structured)],
    ['the stream helper', () => responses.stream(structured).finalResponse()],
  ])('%s returns an object of the schema', async (_, respond) => {
    const { output_parsed } = await respond();
    expect(Person.safeParse(output_parsed).error).toBeUndefined();
  });

  test('the answer to the output of a function contains it', async () => {
    const input: ResponseInput = [{ role: 'user', content: aboutWeather }];
    const first = await responses.create({ model, input, tools: [weatherTool] });
    const call = findCall(first.output);
    expect(Place.safeParse(JSON.parse(call?.arguments ?? '')).error).toBeUndefined();
    const output = { type: 'function_call_output', call_id: call?.call_id ?? '', output: weather } as const;
    const again = [...input, ...first.output, output] as ResponseInput;
    expect((await responses.create({ model, input: again, tools: [weatherTool] })).output_text).toContain(
      weather,
    );
    const next = { model, input: [output], tools: [weatherTool], previous_response_id: first.id };
    expect((await responses.create(next)).output_text).toContain(weather);
  });

  test.each([
    [true, ['get_weather', 'send_mail']],
    [false, ['get_weather']],
  ])('with parallel_tool_calls: %s, the stream has the calls of %s', async (parallel, called) => {
    const stream = responses.stream({
      ...ask(aboutBoth),
      tools: [
        zodResponsesFunction({ name: 'get_weather', parameters: Place }),
        zodResponsesFunction({ name: 'send_mail', parameters: Letter }),
      ],
      parallel_tool_calls: parallel,
    });
    const names: unknown[] = [];
    const pieces = new Set<string>();
    stream.on('response.function_call_arguments.done', ({ name }) => names.push(name));
    stream.on('response.function_call_arguments.delta', ({ item_id }) => pieces.add(item_id));
    const { output } = await stream.finalResponse();
    expect(names).toEqual(called);
    expect(pieces.size).toBe(called.length);
    expect(Place.safeParse(findCall(output)?.parsed_arguments).error).toBeUndefined();
  });

  test('is incomplete at the largest number of tokens', async () => {
    const { incomplete_details, output, status, usage } = await responses.create({
      ...ask(aboutPerson),
      text: { format: zodTextFormat(Person, 'person') },
      max_output_tokens: 16,
    });
    expect(status).toBe('incomplete');
    expect(incomplete_details).toEqual({ reason: 'max_output_tokens' });
    expect(usage?.output_tokens).toBeLessThanOrEqual(16);
    expect(output).toMatchObject([{ type: 'message', status: 'incomplete' }]);
  });

  test('begins with a summary of the reasons if the request asks for it', async () => {
    const reasoning = { effort: 'low', summary: 'auto' } as const;
    const stream = responses.stream({ ...ask(greeting), reasoning });
    let streamed = '';
    stream.on('response.reasoning_summary_text.delta', ({ delta }) => {
      streamed += delta;
    });
    const response = await stream.finalResponse();
    expect(response.output).toMatchObject([
      { type: 'reasoning', summary: [{ type: 'summary_text', text: streamed }] },
      { type: 'message' },
    ]);
    expect(streamed).not.toBe('');
    expect(response.reasoning).toMatchObject(reasoning);
    expect(response.usage?.output_tokens_details.reasoning_tokens).toBeGreaterThan(0);
  });
});
