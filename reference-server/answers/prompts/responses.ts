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

/** Reads what a responses request asks for. */
export function readResponsesPrompt(body: Members): Prompt {
  const items =
    typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : toObjects(body.input);
  const format = toMapping(toMapping(body.text).format);
  const tools = toObjects(body.tools)
    .filter(({ type }) => type === 'function')
    .flatMap(({ name, parameters }) =>
      toTexts(name).map((text) => ({ name: text, parameters: toSchema(parameters) })),
    );
  return {
    text: lastTextOf(items, ({ role }) => role === 'user'),
    results: endOf(items, ({ type }) => type === 'function_call_output').map(({ output }) => textOf(output)),
    ...chooseTools(
      tools,
      readToolChoice(body.tool_choice, ({ name }) => name),
    ),
    parallel: body.parallel_tool_calls !== false,
    schema: schemaOfFormat(format, format.schema),
    maxTokens: toLimit(body.max_output_tokens),
    stops: [],
    // Without a summary, the reasons stay with the provider.
    reasons: toTexts(toMapping(body.reasoning).summary).length > 0,
  };
}
