import { isObject, toList, toMapping } from '../../../common/mapping.ts';
import type { JsonSchema } from '../../../common/schemas.ts';

export type Members = Readonly<Record<string, unknown>>;

/** Returns the objects of a list; an empty list for any other value. */
export const toObjects = (value: unknown): readonly Members[] => toList(value).filter(isObject);

/** Returns the texts of a list, or a text as a list. */
export const toTexts = (value: unknown): readonly string[] =>
  (typeof value === 'string' ? [value] : toList(value)).filter((item) => typeof item === 'string');

/** Returns the text of a message: the text itself, or the texts of its parts. */
export const textOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : toObjects(content)
        .flatMap(({ text }) => toTexts(text))
        .join('\n');

/** Returns the text of the last message that `isWritten` accepts. */
export function lastTextOf(
  messages: readonly Members[],
  isWritten: (message: Members) => boolean,
  contentOf: (message: Members) => unknown = ({ content }) => content,
): string {
  const message = messages.findLast((one) => isWritten(one) && textOf(contentOf(one)) !== '');
  return message ? textOf(contentOf(message)) : '';
}

/** Returns the items at the end of a list that all satisfy a test. */
export const endOf = (items: readonly Members[], test: (item: Members) => boolean): readonly Members[] =>
  items.slice(items.findLastIndex((item) => !test(item)) + 1);

/** Returns a limit; no limit if the value is not a number. */
export const toLimit = (value: unknown): number =>
  typeof value === 'number' ? value : Number.POSITIVE_INFINITY;

/** Returns a JSON Schema; that of any object if the value is not a schema. */
export const toSchema = (value: unknown): JsonSchema => (isObject(value) ? value : { type: 'object' });

/** Returns the schema of a format in the words of OpenAI and Anthropic: any JSON object, or one with a schema. */
export function schemaOfFormat(format: unknown, schema: unknown): JsonSchema | undefined {
  const { type } = toMapping(format);
  if (type === 'json_object') return toSchema(undefined);
  return type === 'json_schema' ? toSchema(schema) : undefined;
}
