import { toMapping } from '../../../common/mapping.ts';
import { chooseTools, type Prompt } from '../prompt.ts';
import {
  endOf,
  lastTextOf,
  type Members,
  schemaOfFormat,
  textOf,
  toLimit,
  toObjects,
  toSchema,
  toTexts,
} from './members.ts';
import { readToolChoice } from './open-ai.ts';

const nameOf = (tool: Members): unknown => toMapping(tool.function).name;

/** Reads what a chat completions request asks for. */
export function readChatPrompt(body: Members): Prompt {
  const messages = toObjects(body.messages);
  const format = toMapping(body.response_format);
  const tools = toObjects(body.tools)
    .map((tool) => toMapping(tool.function))
    .flatMap(({ name, parameters }) =>
      toTexts(name).map((text) => ({ name: text, parameters: toSchema(parameters) })),
    );
  return {
    text: lastTextOf(messages, ({ role }) => role === 'user'),
    results: endOf(messages, ({ role }) => role === 'tool').map(({ content }) => textOf(content)),
    ...chooseTools(tools, readToolChoice(body.tool_choice, nameOf)),
    parallel: body.parallel_tool_calls !== false,
    schema: schemaOfFormat(format, toMapping(format.json_schema).schema),
    maxTokens: toLimit(body.max_completion_tokens ?? body.max_tokens),
    stops: toTexts(body.stop),
    reasons: ![undefined, 'none', 'minimal'].includes(toTexts(body.reasoning_effort)[0]),
  };
}
