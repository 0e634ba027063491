import { describe, expect, test } from 'vitest';
import { type Answer, answerPrompt, countAnswer, followScript } from './answer.ts';
import type { Prompt } from './prompt.ts';

const noParameters = { type: 'object' };
const weather = {
  name: 'get_weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const time = { name: 'get_time', parameters: noParameters };

const answer = (asked: Partial<Prompt>): Answer =>
  answerPrompt(
    {
      text: 'Hi.',
      results: [],
      tools: [],
      toolChoice: 'auto',
      parallel: true,
      schema: undefined,
      maxTokens: Number.POSITIVE_INFINITY,
      stops: [],
      reasons: false,
      ...asked,
    },
    'm',
  );

/** The names of the called tools, or the text. */
const said = ({ parts }: Answer): (string | undefined)[] =>
  parts.map((part) => (part.kind === 'call' ? `${part.name}()` : part.text));

test('an answer is the same each time', () => {
  expect(answer({})).toEqual(answer({}));
  expect(answer({})).toMatchObject({ finish: 'end', stop: null });
});

describe('tools', () => {
  const tools = [weather, time];
  test.each<[about: string, Partial<Prompt>, called: string[]]>([
    ['named in the text', { text: 'Use get_weather.' }, ['get_weather()']],
    ['in the order of the text', { text: 'get_time, then get_weather' }, ['get_time()', 'get_weather()']],
    ['one at a time', { text: 'get_time, then get_weather', parallel: false }, ['get_time()']],
    ['required', { toolChoice: 'required' }, ['get_weather()']],
    ['required and named', { text: 'get_time', toolChoice: 'required' }, ['get_time()']],
  ])('%s', (_, asked, called) => {
    const result = answer({ tools, ...asked });
    expect(said(result)).toEqual(called);
    expect(result.finish).toBe('calls');
  });
  test.each<[about: string, Partial<Prompt>]>([
    ['not named', {}],
    ['excluded', { text: 'get_weather', toolChoice: 'none' }],
    ['named as a part of a word', { text: 'get_weather_report forget_time' }],
  ])('%s: none is called', (_, asked) => {
    expect(answer({ tools, ...asked }).finish).toBe('end');
  });
  test('an answer without a call says how to get one', () => {
    expect(said(answer({ tools }))[0]).toContain('get_weather, get_time');
  });
  test('arguments satisfy the parameters, or are those in the text after the name', () => {
    expect(answer({ tools, text: 'get_weather' }).parts).toMatchObject([{ arguments: { city: 'city' } }]);
    const text = '{"city":"Rome"} is not meant. get_weather {"city": "Oslo"} get_time {}';
    expect(answer({ tools, text }).parts).toMatchObject([{ arguments: { city: 'Oslo' } }, { arguments: {} }]);
  });
  test('after results, the answer contains them', () => {
    const asked = { tools, text: 'get_weather', results: ['sunny', '12:00'] };
    expect(said(answer(asked))[0]).toMatch(/sunny\n12:00/);
    expect(answer({ ...asked, toolChoice: 'required' }).finish).toBe('end');
  });
});

describe('structured output', () => {
  test('is JSON that satisfies the schema, or the object in the text', () => {
    expect(said(answer({ schema: weather.parameters }))).toEqual(['{"city":"city"}']);
    expect(said(answer({ schema: weather.parameters, text: 'Say {"city":"Oslo"}.' }))).toEqual([
      '{"city":"Oslo"}',
    ]);
  });
  test('of an enumeration can be without quotation marks', () => {
    expect(said(answer({ schema: { enum: ['red'] }, unquoted: true }))).toEqual(['red']);
  });
  test('comes after the calls of tools', () => {
    const asked = { schema: weather.parameters, tools: [time], text: 'get_time' };
    expect(said(answer(asked))).toEqual(['get_time()']);
    expect(said(answer({ ...asked, results: ['12:00'] }))).toEqual(['{"city":"city"}']);
  });
});

describe('limits', () => {
  test('of tokens', () => {
    const limited = answer({ maxTokens: 2 });
    expect(limited.finish).toBe('length');
    expect(countAnswer(limited).output).toBe(2);
  });
  test('stop sequences: the first one in the text, which is left out', () => {
    expect(answer({ stops: ['gateway', 'ref', 'absent', ''] })).toEqual({
      parts: [{ kind: 'text', text: 'This is m of the ' }],
      finish: 'stop-sequence',
      stop: 'ref',
    });
  });
  test('reasons count', () => {
    const reasoned = answer({ reasons: true });
    expect(reasoned.parts.map(({ kind }) => kind)).toEqual(['reasons', 'text']);
    expect(countAnswer(reasoned).reasons).toBeGreaterThan(0);
    expect(answer({ reasons: true, maxTokens: 1 }).parts).toHaveLength(1);
  });
  test('never leave half of a character', () => {
    const text = said(answer({ maxTokens: 1, results: ['😀'] }))[0] ?? '';
    expect(text.isWellFormed?.() ?? true).toBe(true);
  });
});

test('a script is followed as written', () => {
  expect(followScript('Rain.')).toEqual({
    parts: [{ kind: 'text', text: 'Rain.' }],
    finish: 'end',
    stop: null,
  });
  const calls = [{ name: 'get_time', arguments: { zone: 'UTC' } }];
  expect(followScript({ reasons: 'Hm.', text: 'Well:', calls })).toMatchObject({
    parts: [{ kind: 'reasons' }, { kind: 'text' }, { kind: 'call', name: 'get_time' }],
    finish: 'calls',
  });
  expect(followScript({ text: 'And', finish: 'length' }).finish).toBe('length');
});
