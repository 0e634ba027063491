import type { Context } from '../gateway/context.ts';
import { isObject } from '../json.ts';
import { deciding, type Variant } from './variant.ts';
import { type BodyFailure, isMissing, lastName, typeOf, wording } from './wording.ts';

// Each names the type alone, or the member as its runtime writes it.
const goTypes: Readonly<Record<string, string>> = {
  string: 'string',
  array: '[]main.Message',
  object: 'main.Message',
  integer: 'int',
};
const javaTypes: Readonly<Record<string, string>> = {
  string: 'java.lang.String',
  array: 'java.util.ArrayList',
  object: 'java.util.LinkedHashMap',
  integer: 'java.lang.Integer',
};
const rustTypes: Readonly<Record<string, string>> = {
  string: 'a string',
  array: 'a sequence',
  object: 'struct Message',
  integer: 'u32',
};
const zodTypes: Readonly<Record<string, string>> = {
  string: 'string',
  array: 'array',
  object: 'object',
  integer: 'number',
};

const pascal = (name: string): string =>
  name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

const pointer = ({ place }: BodyFailure): string =>
  `/${place.replaceAll('[', '/').replaceAll(']', '').replaceAll('.', '/')}`;

const received = (ctx: Context): string => (isObject(ctx.body) ? 'object' : typeof ctx.body);

/** What section 2.2 leaves open about messages: a member, or the type alone, as runtimes name them. */
export const runtimeVariants: readonly Variant[] = [
  {
    id: 'messages/go',
    about: 'Sends the messages of a Go decoder and validator.',
    setup: deciding(
      wording((failure) =>
        isMissing(failure)
          ? `Key: 'ChatRequest.${pascal(lastName(failure))}' Error:Field validation failed on the 'required' tag`
          : `json: cannot unmarshal string into Go value of type ${goTypes[typeOf(failure)]}`,
      ),
    ),
  },
  {
    id: 'messages/java',
    about: 'Sends the messages of Jackson and Bean Validation.',
    setup: deciding(
      wording((failure) =>
        isMissing(failure)
          ? 'must not be null'
          : `Cannot deserialize value of type \`${javaTypes[typeOf(failure)]}\` (token \`JsonToken.VALUE\`)`,
      ),
    ),
  },
  {
    id: 'messages/python',
    about: 'Sends the messages of Pydantic.',
    setup: deciding(
      wording((failure) =>
        isMissing(failure)
          ? `${failure.place.replace(/\[(\d+)\]/g, '.$1')}: Field required`
          : `Input should be a valid ${typeOf(failure) === 'array' ? 'list' : typeOf(failure) === 'object' ? 'dictionary' : typeOf(failure)}`,
      ),
    ),
  },
  {
    id: 'messages/rust',
    about: 'Sends the messages of Serde.',
    setup: deciding(
      wording((failure) =>
        isMissing(failure)
          ? `missing field \`${lastName(failure)}\` at line 1 column 2`
          : `invalid type, expected ${rustTypes[typeOf(failure)]} at line 1 column 30`,
      ),
    ),
  },
  {
    id: 'messages/zod',
    about: 'Sends the messages of Zod.',
    setup: deciding(
      wording(
        (failure) =>
          `Expected ${zodTypes[typeOf(failure)]}, received ${isMissing(failure) ? 'undefined' : 'something else'}`,
      ),
    ),
  },
  {
    id: 'messages/typescript',
    about: 'Sends the messages of JavaScript exceptions.',
    setup: deciding(
      wording((failure) => `Cannot read properties of undefined (reading '${lastName(failure)}')`),
    ),
  },
  {
    id: 'messages/ruby',
    about: 'Sends the messages of Ruby exceptions.',
    setup: deciding(
      wording((failure) =>
        typeOf(failure) === 'object' ? 'no implicit conversion into Hash' : `undefined method 'each' for nil`,
      ),
    ),
  },
  {
    id: 'messages/dotnet',
    about: 'Sends the messages of .NET.',
    setup: deciding(
      wording((failure) =>
        typeOf(failure) === 'array'
          ? 'The JSON value could not be converted to System.Collections.Generic.ICollection`1[ChatMessage].'
          : `JSON deserialization was missing required properties, including: ${pascal(lastName(failure))}`,
      ),
    ),
  },
  {
    id: 'messages/json-pointer',
    about: 'Names the place of a problem as a JSON pointer in messages.',
    setup: deciding(wording((failure, ctx) => `${pointer(failure)} in ${received(ctx)}: keyword failed`)),
  },
  {
    id: 'messages/camel-case',
    about: 'Names members in camel case in messages.',
    setup: deciding(
      wording(
        (failure) =>
          `Property ${pascal(lastName(failure)).replace(/^./, (first) => first.toLowerCase())} is invalid`,
      ),
    ),
  },
];
