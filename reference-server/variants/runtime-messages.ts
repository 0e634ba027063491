import { withDecisions } from '../combine-setups.ts';
import type { Context } from '../gateway/context.ts';
import { isObject } from '../json.ts';
import {
  expectedType,
  type InvalidBody,
  isMissing,
  lastMemberName,
  setBodyMessage,
} from './body-messages.ts';
import type { Variant } from './variant.ts';

// The names of types in the messages of each runtime.
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

const rubyTypes: Readonly<Record<string, string>> = {
  string: 'String',
  array: 'Array',
  object: 'Hash',
  integer: 'Integer',
};

const toPascalCase = (name: string): string =>
  name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

const jsonPointerOf = ({ place }: InvalidBody): string =>
  `/${place.replaceAll('[', '/').replaceAll(']', '').replaceAll('.', '/')}`;

const describeBodyType = (ctx: Context): string => (isObject(ctx.body) ? 'object' : typeof ctx.body);

/** Variants of the wording of messages about invalid bodies, such as the wording of common runtimes (2.2). */
export const runtimeMessageVariants: readonly Variant[] = [
  {
    id: 'messages/go',
    about: 'Sends the messages of a Go decoder and validator.',
    setup: withDecisions(
      setBodyMessage((failure) =>
        isMissing(failure)
          ? `Key: 'ChatRequest.${toPascalCase(lastMemberName(failure))}' Error:Field validation failed on the 'required' tag`
          : `json: cannot unmarshal string into Go value of type ${goTypes[expectedType(failure)]}`,
      ),
    ),
  },
  {
    id: 'messages/java',
    about: 'Sends the messages of Jackson and Bean Validation.',
    setup: withDecisions(
      setBodyMessage((failure) =>
        isMissing(failure)
          ? 'must not be null'
          : `Cannot deserialize value of type \`${javaTypes[expectedType(failure)]}\` (token \`JsonToken.VALUE\`)`,
      ),
    ),
  },
  {
    id: 'messages/python',
    about: 'Sends the messages of Pydantic.',
    setup: withDecisions(
      setBodyMessage((failure) =>
        isMissing(failure)
          ? `${failure.place.replace(/\[(\d+)\]/g, '.$1')}: Field required`
          : `Input should be a valid ${expectedType(failure) === 'array' ? 'list' : expectedType(failure) === 'object' ? 'dictionary' : expectedType(failure)}`,
      ),
    ),
  },
  {
    id: 'messages/rust',
    about: 'Sends the messages of Serde (Rust) about invalid bodies.',
    setup: withDecisions(
      setBodyMessage((failure) =>
        isMissing(failure)
          ? `missing field \`${lastMemberName(failure)}\` at line 1 column 2`
          : `invalid type, expected ${rustTypes[expectedType(failure)]} at line 1 column 30`,
      ),
    ),
  },
  {
    id: 'messages/zod',
    about: 'Sends the messages of Zod.',
    setup: withDecisions(
      setBodyMessage(
        (failure) =>
          `Expected ${zodTypes[expectedType(failure)]}, received ${isMissing(failure) ? 'undefined' : 'something else'}`,
      ),
    ),
  },
  {
    id: 'messages/typescript',
    about: 'Sends the messages of JavaScript exceptions.',
    setup: withDecisions(
      setBodyMessage(
        (failure) => `Cannot read properties of undefined (reading '${lastMemberName(failure)}')`,
      ),
    ),
  },
  {
    id: 'messages/ruby',
    about: 'Sends the messages of Ruby exceptions.',
    setup: withDecisions(
      setBodyMessage((failure) =>
        isMissing(failure)
          ? `undefined method 'each' for nil`
          : `no implicit conversion into ${rubyTypes[expectedType(failure)]}`,
      ),
    ),
  },
  {
    id: 'messages/dotnet',
    about: 'Sends the messages of .NET.',
    setup: withDecisions(
      setBodyMessage((failure) =>
        expectedType(failure) === 'array'
          ? 'The JSON value could not be converted to System.Collections.Generic.ICollection`1[ChatMessage].'
          : `JSON deserialization was missing required properties, including: ${toPascalCase(lastMemberName(failure))}`,
      ),
    ),
  },
  {
    id: 'messages/json-pointer',
    about: 'Names the place of a problem as a JSON pointer in messages.',
    setup: withDecisions(
      setBodyMessage(
        (failure, ctx) => `${jsonPointerOf(failure)} in ${describeBodyType(ctx)}: keyword failed`,
      ),
    ),
  },
  {
    id: 'messages/camel-case',
    about: 'Names members in camel case in messages.',
    setup: withDecisions(
      setBodyMessage(
        (failure) =>
          `Property ${toPascalCase(lastMemberName(failure)).replace(/^./, (first) => first.toLowerCase())} is invalid`,
      ),
    ),
  },
];
