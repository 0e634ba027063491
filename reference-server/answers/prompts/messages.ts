import { isObject, toMapping } from '../../../common/mapping.ts';
import { chooseTools, type Prompt, type ToolChoice } from '../prompt.ts';
import {
  lastTextOf,
  type Members,
  schemaOfFormat,
  textOf,
  toLimit,
  toObjects,
  toSchema,
  toTexts,
} from './members.ts';

/** Reads what a messages request asks for. */
export function readMessagesPrompt(body: Members): Prompt {
  const messages = toObjects(body.messages);
  const choice = toMapping(body.tool_choice);
  const format = toMapping(toMapping(body.output_config).format ?? body.output_format);
  // A tool without a schema is one that the provider runs itself.
  const tools = toObjects(body.tools)
    .filter((tool) => tool.input_schema !== undefined)
    .flatMap((tool) => toTexts(tool.name).map((name) => ({ name, parameters: toSchema(tool.input_schema) })));
  return {
    text: lastTextOf(messages, ({ role }) => role === 'user'),
    results: toObjects(messages.at(-1)?.content)
      .filter(({ type }) => type === 'tool_result')
      .map(({ content }) => textOf(content)),
    ...chooseTools(tools, readToolChoice(choice)),
    parallel: choice.disable_parallel_tool_use !== true,
    schema: schemaOfFormat(format, readConstraints(format.schema)),
    maxTokens: toLimit(body.max_tokens),
    stops: toTexts(body.stop_sequences),
    reasons: ['enabled', 'adaptive'].includes(String(toMapping(body.thinking).type)),
  };
}

/**
 * Adds the keywords that SDKs have moved into descriptions, since the API doesn't know them: a description that ends in
 * `{enum: ["home","work"], minLength: 2}`, or in a line such as `minimum: 18; max items: 3.`
 */
function readConstraints(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(readConstraints);
  if (!isObject(schema)) return schema;
  const entries = Object.entries(schema).map(([name, item]) => [name, readConstraints(item)]);
  const description = toTexts(schema.description)[0] ?? '';
  return { ...Object.fromEntries(entries), ...constraintsIn(description), ...limitsIn(description) };
}

function constraintsIn(description: string): Members {
  const [text] = /\{\w+: .*\}$/s.exec(description) ?? [];
  if (text === undefined) return {};
  try {
    return toMapping(JSON.parse(text.replace(/([{,] ?)(\w+): /g, '$1"$2": ')));
  } catch {
    return {};
  }
}

function limitsIn(description: string): Members {
  const line = description.slice(description.lastIndexOf('\n') + 1);
  const limits = line.matchAll(
    /(?<=^|; )((?:min|max|exclusive|multiple)[a-z ]*): (-?\d+(?:\.\d+)?)(?=; |\.$)/g,
  );
  return Object.fromEntries(
    [...limits].map(([, words = '', value]) => [
      words.replace(/ ([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      Number(value),
    ]),
  );
}

function readToolChoice({ type, name }: Members): ToolChoice {
  if (type === 'tool') return { mode: 'required', allowed: toTexts(name) };
  return { mode: type === 'any' ? 'required' : type === 'none' ? 'none' : 'auto' };
}
