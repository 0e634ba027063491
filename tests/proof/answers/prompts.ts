import { z } from 'zod';

export const models = {
  openai: 'gpt-reference',
  anthropic: 'claude-reference',
  google: 'gemini-reference',
} as const;

export const greeting = 'Hi';
export const aboutPerson = 'Describe a person.';
export const aboutWeather = 'Call get_weather for Paris.';
export const aboutBoth = 'Call get_weather for Paris and send_mail with the result.';

/** What the tool `get_weather` returns. The final answer contains it. */
export const weather = '12 degrees and rain';

export const Place = z.object({ city: z.string(), unit: z.enum(['celsius', 'fahrenheit']) });
export const Letter = z.object({ to: z.string() });

/** The tools of the prompts as JSON Schemas, for the SDKs that take no other ones. */
export const placeSchema = {
  type: 'object' as const,
  properties: { city: { type: 'string' }, unit: { type: 'string', enum: ['celsius', 'fahrenheit'] } },
  required: ['city', 'unit'],
  additionalProperties: false,
};
export const letterSchema = {
  type: 'object' as const,
  properties: { to: { type: 'string' } },
  required: ['to'],
  additionalProperties: false,
};

/** A structure with what an answer has to respect: limits, lists, nested objects, enumerations, null. */
export const Person = z.object({
  name: z.string(),
  age: z.number().int().min(18).max(150),
  tags: z.array(z.string()).min(1),
  address: z.object({ city: z.string(), kind: z.enum(['home', 'work']) }),
  nickname: z.string().nullable(),
});

/** Reads all items of a stream. */
export async function readAll<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}
