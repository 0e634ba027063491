import { describe, expect, test } from 'vitest';
import { objectsIn } from '../json.ts';
import type { Answer } from './answer.ts';
import { type Answered, createAnswerBody, createAnswerEvents } from './payloads.ts';
import type { Protocol } from './prompt.ts';

const answer: Answer = {
  parts: [
    { kind: 'reasons', text: 'Two tools know.' },
    { kind: 'text', text: 'Let me see: ' },
    { kind: 'call', name: 'get_weather', arguments: { city: 'São Paulo', days: [1, 2] } },
    { kind: 'call', name: 'get_time', arguments: {} },
  ],
  finish: 'calls',
  stop: null,
};
const answered = (said: Answer = answer): Answered => ({
  id: '5b0c7b8e-3c55-4c6e-9a53-0d6f5b3e1a01',
  model: 'm',
  answer: said,
  usage: { input: 3 },
  createdAt: 1_700_000_000_123,
});
const eventsOf = (protocol: Protocol, request?: unknown): Record<string, unknown>[] =>
  createAnswerEvents(protocol, answered(), request).map(({ data }) =>
    typeof data === 'object' && data !== null ? { ...data } : { data },
  );
/** Returns all values of a member in the events, in their order. */
const valuesOf = (events: readonly unknown[], name: string): unknown[] =>
  events.flatMap((event) =>
    objectsIn(event)
      .reverse()
      .flatMap((object) => (object[name] === undefined ? [] : [object[name]])),
  );

describe.each(['chat', 'responses', 'messages', 'generate'] as const)('%s', (protocol) => {
  test('no placeholder is left, and every answer has an ID, a model and tokens', () => {
    const request = { stream_options: { include_usage: true } };
    for (const value of [createAnswerBody(protocol, answered(), {}), eventsOf(protocol, request)]) {
      expect(JSON.stringify(value)).not.toMatch(/"\{[a-z]|\$(each|by|use|do)/);
      expect(JSON.stringify(value)).toContain('5b0c7b8e-3c55-4c6e-9a53-0d6f5b3e1a01');
      expect(JSON.stringify(value)).toMatch(/[tT]oken/);
    }
  });
  test('an event has the name that its protocol gives it', () => {
    const named = protocol === 'responses' || protocol === 'messages';
    for (const { name, data } of createAnswerEvents(protocol, answered(), {}))
      expect(name).toBe(named && typeof data === 'object' ? valuesOf([data], 'type').at(-1) : undefined);
  });
});

test('chat: the chunks of a call have its position, and its arguments are complete', () => {
  const calls = valuesOf(eventsOf('chat'), 'tool_calls').flat() as unknown[];
  const texts = [0, 1].map((index) =>
    calls
      .flatMap((call) => objectsIn(call))
      .filter((call) => call.index === index)
      .flatMap((call) => valuesOf([call.function], 'arguments'))
      .join(''),
  );
  expect(texts).toEqual(['{"city":"São Paulo","days":[1,2]}', '{}']);
});

test('chat: the usage of a stream comes in its last chunk, if it is asked for', () => {
  const usages = (request: unknown): unknown[] => valuesOf(eventsOf('chat', request), 'usage');
  expect(usages({})).toEqual([]);
  const asked = usages({ stream_options: { include_usage: true } });
  expect(asked.slice(0, -1).every((usage) => usage === null)).toBe(true);
  expect(asked.at(-1)).toMatchObject({ prompt_tokens: 3 });
});

test('responses: events are numbered, and items have positions', () => {
  const events = eventsOf('responses');
  expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
  const added = events.filter(({ type }) => type === 'response.output_item.added');
  expect(added.map((event) => event.output_index)).toEqual([0, 1, 2, 3]);
});

test('responses: says what the request asked for', () => {
  const request = { temperature: 0.5, tools: [{ type: 'function', name: 'x' }, { type: 'web_search' }] };
  expect(createAnswerBody('responses', answered(), request)).toMatchObject({
    temperature: 0.5,
    top_p: 1,
    tools: [{ name: 'x', description: null, parameters: null, strict: true }],
  });
});

test('responses: an answer at the limit is incomplete', () => {
  const cut = answered({ ...answer, finish: 'length' });
  expect(createAnswerBody('responses', cut, {})).toMatchObject({
    status: 'incomplete',
    completed_at: null,
    incomplete_details: { reason: 'max_output_tokens' },
  });
  expect(createAnswerEvents('responses', cut, {}).at(-1)?.name).toBe('response.incomplete');
});

test('messages: each block starts, has its fragments, and stops', () => {
  const events = eventsOf('messages').filter(({ type }) => String(type).startsWith('content_block'));
  expect(events.map(({ index }) => index)).toEqual(events.map(({ index }) => index).toSorted());
  const fragments = valuesOf(
    events.filter(({ index }) => index === 2),
    'partial_json',
  );
  expect(fragments.join('')).toBe('{"city":"São Paulo","days":[1,2]}');
});

test('generate: a call is not divided, and only the last event has a reason', () => {
  const events = eventsOf('generate');
  expect(valuesOf(events, 'functionCall')).toMatchObject([{ name: 'get_weather' }, { name: 'get_time' }]);
  expect(valuesOf(events, 'finishReason')).toEqual(['STOP']);
  expect(valuesOf(events.slice(-1), 'finishReason')).toEqual(['STOP']);
});
