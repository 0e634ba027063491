import { withDecisions } from '../combine-setups.ts';
import type { Context, RequestFailure } from '../gateway/context.ts';
import type { Overrides } from '../gateway/decisions.ts';
import { isObject } from '../json.ts';
import type { Variant } from './variant.ts';

/** The failure of a request whose body violates the rules of its operation. */
type InvalidBody = Extract<RequestFailure, { kind: 'invalid-body' }>;

/** Sets the messages about invalid bodies to the results of `word`. */
const setBodyMessage =
  (word: (failure: InvalidBody, ctx: Context) => string): Overrides =>
  (base) => ({
    errorMessageOf: (failure, ctx) =>
      failure.kind === 'invalid-body' ? word(failure, ctx) : base.errorMessageOf(failure, ctx),
  });

/** Returns the name of the invalid member, such as `role` for `messages[0].role`. */
const lastMemberName = ({ place }: InvalidBody): string =>
  place
    .split(/[.[\]]+/)
    .filter((part) => !/^\d*$/.test(part))
    .at(-1) ?? place;
/** Whether the problem is that a required member is missing. */
const isMissing = ({ expected }: InvalidBody): boolean => expected.startsWith('present');
/**
 * Returns the first of the types `string`, `array`, `object` and `integer` in the expectation; `string` if none
 * occurs.
 */
const expectedType = ({ expected }: InvalidBody): string =>
  /(string|array|object|integer)/.exec(expected)?.[1] ?? 'string';

// The names of types in the messages of Go.
const goTypes: Readonly<Record<string, string>> = {
  string: 'string',
  array: '[]main.Message',
  object: 'main.Message',
  integer: 'int',
};

const toPascalCase = (name: string): string =>
  name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

const jsonPointerOf = ({ place }: InvalidBody): string =>
  `/${place.replaceAll('[', '/').replaceAll(']', '').replaceAll('.', '/')}`;

const describeBodyType = (ctx: Context): string => (isObject(ctx.body) ? 'object' : typeof ctx.body);

/** Variants of messages that take the name or the place of a member apart. */
export const messageVariants: readonly Variant[] = [
  {
    id: 'messages/item-counted',
    about: 'Names an invalid item of an array by its index in messages about invalid bodies.',
    setup: withDecisions(
      setBodyMessage(({ place, expected }) =>
        place.includes('[')
          ? `Invalid ${place.replace(/s\[(\d+)\].*/, ' at index $1')}`
          : `${place}: ${expected}`,
      ),
    ),
  },
  {
    id: 'messages/very-long',
    about: 'Sends messages of more than ten thousand characters with line breaks.',
    setup: withDecisions((base) => ({
      errorMessageOf: (failure, ctx) =>
        `${base.errorMessageOf(failure, ctx)}\n${'Please read the documentation. '.repeat(330)}\t“”`,
    })),
  },
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
