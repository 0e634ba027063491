import { isObject, toMapping } from '../../../common/mapping.ts';
import type { JsonSchema } from '../../../common/schemas.ts';
import { chooseTools, type Prompt, type ToolChoice } from '../prompt.ts';
import { lastTextOf, type Members, toLimit, toObjects, toSchema, toTexts } from './members.ts';

/** Reads what a generate-content request asks for. Its members can also be written with underscores. */
export function readGeneratePrompt(body: Members): Prompt {
  const contents = toObjects(body.contents);
  const config = memberOf(body, 'generationConfig');
  const mediaType = member(config, 'responseMimeType');
  const tools = toObjects(body.tools)
    .flatMap((tool) => toObjects(tool.functionDeclarations ?? tool.function_declarations))
    .flatMap((declaration) =>
      toTexts(declaration.name).map((name) => ({
        name,
        parameters: schemaIn(declaration, 'parametersJsonSchema', 'parameters') ?? toSchema(undefined),
      })),
    );
  return {
    text: lastTextOf(
      contents,
      ({ role = 'user' }) => role === 'user',
      ({ parts }) => parts,
    ),
    results: toObjects(contents.at(-1)?.parts)
      .map((part) => memberOf(part, 'functionResponse'))
      .filter((response) => response.name !== undefined)
      .map(({ response }) => resultOf(toMapping(response))),
    ...chooseTools(tools, readToolChoice(body)),
    parallel: true,
    schema:
      mediaType === 'application/json' || mediaType === 'text/x.enum'
        ? (schemaIn(config, 'responseJsonSchema', 'responseSchema') ?? toSchema(undefined))
        : undefined,
    unquoted: mediaType === 'text/x.enum',
    maxTokens: toLimit(member(config, 'maxOutputTokens')),
    stops: toTexts(member(config, 'stopSequences')),
    reasons: member(memberOf(config, 'thinkingConfig'), 'includeThoughts') === true,
  };
}

const member = (object: Members, name: string): unknown =>
  object[name] ?? object[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];

const memberOf = (object: Members, name: string): Members => toMapping(member(object, name));

function readToolChoice(body: Members): ToolChoice {
  const config = memberOf(memberOf(body, 'toolConfig'), 'functionCallingConfig');
  const names = toTexts(member(config, 'allowedFunctionNames'));
  const mode = config.mode === 'ANY' ? 'required' : config.mode === 'NONE' ? 'none' : 'auto';
  return { mode, ...(names.length > 0 && { allowed: names }) };
}

/** The SDKs put the result of a function that returned no object into `result` or `output`. */
function resultOf(response: Members): string {
  const { result = response.output ?? response } = response;
  return typeof result === 'string' ? result : JSON.stringify(result);
}

/** Returns the schema in one of these members. Only the second one is in the form of Gemini. */
function schemaIn(object: Members, json: string, gemini: string): JsonSchema | undefined {
  const schema = member(object, json) ?? toJsonSchema(member(object, gemini));
  return isObject(schema) ? schema : undefined;
}

/** Converts a schema of Gemini: its types are in capitals, its numbers can be texts, and `nullable` allows null. */
function toJsonSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toJsonSchema);
  if (!isObject(value)) return value;
  const { nullable, ...members } = value;
  const schema: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(members)) {
    if (name === 'type' && typeof item === 'string') schema.type = item.toLowerCase();
    else if (/^(min|max)[A-Z]/.test(name) && typeof item === 'string') schema[name] = Number(item);
    else schema[name] = toJsonSchema(item);
  }
  return nullable === true ? { anyOf: [schema, { type: 'null' }] } : schema;
}
