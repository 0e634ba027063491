import { describe, expect, test } from 'vitest';
import type { Prompt, Protocol } from '../prompt.ts';
import { readPrompt } from './index.ts';

const parameters = { type: 'object', properties: { city: { type: 'string' } } };
const tool = { name: 'look_up', parameters };
const chatTool = { type: 'function', function: tool };
const flatTool = { type: 'function', ...tool };
const nativeTool = { name: 'look_up', input_schema: parameters };
const declaration = {
  name: 'look_up',
  parameters: { type: 'OBJECT', properties: { city: { type: 'STRING' } } },
};

describe.each<[Protocol, empty: Record<string, unknown>]>([
  ['chat', { messages: [{ role: 'user', content: 'Hi.' }] }],
  ['responses', { input: 'Hi.' }],
  ['messages', { max_tokens: 9, messages: [{ role: 'user', content: 'Hi.' }] }],
  ['generate', { contents: [{ parts: [{ text: 'Hi.' }] }] }],
])('%s', (protocol, plain) => {
  test('a plain request asks for nothing else', () => {
    expect(readPrompt(protocol, plain)).toMatchObject({
      text: 'Hi.',
      results: [],
      tools: [],
      toolChoice: 'auto',
      parallel: true,
      schema: undefined,
      stops: [],
      reasons: false,
    });
  });
  test.each([null, [], 'x', { messages: 'x', input: 3, contents: {}, tools: 'x', tool_choice: 3 }])(
    'members of other types are ignored: %j',
    (body) => {
      expect(readPrompt(protocol, body)).toMatchObject({ text: '', tools: [], toolChoice: 'auto' });
    },
  );
});

test.each<[Protocol, body: Record<string, unknown>, asked: Partial<Prompt>]>([
  ['chat', { tools: [chatTool] }, { tools: [tool] }],
  ['chat', { tools: [chatTool], tool_choice: 'required' }, { tools: [tool], toolChoice: 'required' }],
  [
    'chat',
    {
      tools: [chatTool, { type: 'function', function: { name: 'other' } }],
      tool_choice: { type: 'function', function: { name: 'look_up' } },
    },
    { tools: [tool], toolChoice: 'required' },
  ],
  [
    'chat',
    {
      tools: [chatTool],
      tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [chatTool] } },
    },
    { tools: [tool], toolChoice: 'auto' },
  ],
  ['chat', { tool_choice: 'none', parallel_tool_calls: false }, { toolChoice: 'none', parallel: false }],
  ['chat', { response_format: { type: 'json_object' } }, { schema: { type: 'object' } }],
  [
    'chat',
    { response_format: { type: 'json_schema', json_schema: { schema: parameters } } },
    { schema: parameters },
  ],
  [
    'chat',
    { max_tokens: 5, stop: 'x', reasoning_effort: 'low' },
    { maxTokens: 5, stops: ['x'], reasons: true },
  ],
  [
    'chat',
    { max_tokens: 5, max_completion_tokens: 6, reasoning_effort: 'none' },
    { maxTokens: 6, reasons: false },
  ],
  [
    'chat',
    {
      messages: [
        { role: 'user', content: 'first' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'last' },
            { type: 'image_url', image_url: {} },
          ],
        },
        { role: 'assistant', content: null, tool_calls: [{}] },
        { role: 'tool', content: 'sunny' },
        { role: 'tool', content: [{ type: 'text', text: 'warm' }] },
      ],
    },
    { text: 'last', results: ['sunny', 'warm'] },
  ],
  ['responses', { tools: [flatTool, { type: 'web_search' }] }, { tools: [tool] }],
  [
    'responses',
    { tools: [flatTool], tool_choice: { type: 'function', name: 'look_up' } },
    { tools: [tool], toolChoice: 'required' },
  ],
  [
    'responses',
    { tools: [flatTool], tool_choice: { type: 'allowed_tools', mode: 'required', tools: [flatTool] } },
    { tools: [tool], toolChoice: 'required' },
  ],
  ['responses', { text: { format: { type: 'json_schema', schema: parameters } } }, { schema: parameters }],
  ['responses', { max_output_tokens: 5, reasoning: { summary: 'auto' } }, { maxTokens: 5, reasons: true }],
  ['responses', { reasoning: { effort: 'high' } }, { reasons: false }],
  [
    'responses',
    {
      input: [
        { role: 'user', content: [{ type: 'input_text', text: 'last' }] },
        { type: 'function_call', name: 'look_up' },
        { type: 'function_call_output', output: 'sunny' },
      ],
    },
    { text: 'last', results: ['sunny'] },
  ],
  [
    'messages',
    { tools: [nativeTool, { type: 'web_search_20250305', name: 'web_search' }] },
    { tools: [tool] },
  ],
  ['messages', { tools: [nativeTool], tool_choice: { type: 'any' } }, { toolChoice: 'required' }],
  [
    'messages',
    { tools: [nativeTool], tool_choice: { type: 'tool', name: 'other' } },
    { tools: [], toolChoice: 'required' },
  ],
  ['messages', { tool_choice: { type: 'auto', disable_parallel_tool_use: true } }, { parallel: false }],
  ['messages', { max_tokens: 5, stop_sequences: ['x', 'y'] }, { maxTokens: 5, stops: ['x', 'y'] }],
  ['messages', { thinking: { type: 'adaptive' } }, { reasons: true }],
  [
    'messages',
    { output_config: { format: { type: 'json_schema', schema: parameters } } },
    { schema: parameters },
  ],
  [
    'messages',
    {
      output_format: {
        type: 'json_schema',
        schema: { type: 'string', description: 'A kind. {enum: ["a","b"], minLength: 1}' },
      },
    },
    {
      schema: {
        type: 'string',
        description: 'A kind. {enum: ["a","b"], minLength: 1}',
        enum: ['a', 'b'],
        minLength: 1,
      },
    },
  ],
  [
    'messages',
    {
      messages: [
        { role: 'user', content: 'last' },
        { role: 'assistant', content: [{ type: 'tool_use' }] },
        { role: 'user', content: [{ type: 'tool_result', content: [{ type: 'text', text: 'sunny' }] }] },
      ],
    },
    { text: 'last', results: ['sunny'] },
  ],
  ['generate', { tools: [{ functionDeclarations: [declaration] }] }, { tools: [tool] }],
  [
    'generate',
    { tools: [{ function_declarations: [{ name: 'look_up', parameters_json_schema: parameters }] }] },
    { tools: [tool] },
  ],
  [
    'generate',
    {
      tools: [{ functionDeclarations: [declaration, { name: 'other' }] }],
      tool_config: { function_calling_config: { mode: 'ANY', allowed_function_names: ['look_up'] } },
    },
    { tools: [tool], toolChoice: 'required' },
  ],
  [
    'generate',
    {
      generationConfig: {
        responseMimeType: 'application/json',
        responseSchema: { type: 'STRING', nullable: true, minLength: '2' },
      },
    },
    { schema: { anyOf: [{ type: 'string', minLength: 2 }, { type: 'null' }] } },
  ],
  [
    'generate',
    {
      generationConfig: { responseMimeType: 'text/x.enum', responseSchema: { type: 'STRING', enum: ['A'] } },
    },
    { schema: { type: 'string', enum: ['A'] }, unquoted: true },
  ],
  [
    'generate',
    {
      generationConfig: {
        maxOutputTokens: 5,
        stopSequences: ['x'],
        thinkingConfig: { includeThoughts: true },
      },
    },
    { maxTokens: 5, stops: ['x'], reasons: true },
  ],
  [
    'generate',
    {
      contents: [
        { role: 'user', parts: [{ text: 'last' }] },
        { role: 'model', parts: [{ functionCall: { name: 'look_up' } }] },
        {
          role: 'user',
          parts: [
            { functionResponse: { name: 'look_up', response: { result: 'sunny' } } },
            { functionResponse: { name: 'look_up', response: { degrees: 12 } } },
          ],
        },
      ],
    },
    { text: 'last', results: ['sunny', '{"degrees":12}'] },
  ],
])('%s: %j', (protocol, body, asked) => {
  expect(readPrompt(protocol, body)).toMatchObject(asked);
});
