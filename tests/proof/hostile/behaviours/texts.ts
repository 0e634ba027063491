import { type Behaviour, createBehaviours } from '../behaviour.ts';
import { expectedBody, withBody } from '../wire.ts';

const deep = (open: string, close: string, levels: number): string =>
  open.repeat(levels) + close.repeat(levels);
const message = (text: string): string => expectedBody.replace('No key.', text);

/** Invalid text encodings, invalid JSON, and unusual JSON. */
export const texts: readonly Behaviour[] = [
  ...createBehaviours('inconclusive', {
    'JSON with 500,000 levels': [withBody(deep('[', ']', 500_000)), /deeper than 200000 levels/],
  }),
  ...createBehaviours('violates', {
    'UTF-16': [withBody(Buffer.from(expectedBody, 'utf16le')), /JSON/],
    'NUL in a JSON string': [withBody(message('No\u0000key.')), /JSON/],
    'an object with 100,000 levels': [
      withBody(`{"error":${deep('{"a":', '', 100_000)}1${'}'.repeat(100_001)}`),
    ],
    'a type that is an array with 100,000 levels': [
      withBody(expectedBody.replace('"missing_auth_credential"', deep('[', ']', 100_000))),
    ],
    'two JSON values': [withBody(expectedBody + expectedBody), /JSON/],
    'bytes that are not UTF-8': [
      withBody(
        Buffer.concat([
          Buffer.from(expectedBody.slice(0, 22)),
          Buffer.from([0xff, 0xfe]),
          Buffer.from(expectedBody.slice(22)),
        ]),
      ),
      /not valid UTF-8/,
    ],
  }),
  ...createBehaviours('conforms', {
    'a BOM before JSON': [withBody(`\uFEFF${expectedBody}`)],
    'a wrong charset': [withBody(expectedBody, 'content-type: application/json; charset=utf-7')],
    'lone surrogates': [withBody(message('\\ud800 no key'))],
    '__proto__ in JSON': [
      withBody(expectedBody.replace('{', '{"__proto__":{"error":{}},"constructor":{"prototype":1},')),
    ],
    'duplicate members': [withBody(expectedBody.replace('"type"', '"type":"first","type"'))],
    'a number that is too large': [withBody(expectedBody.replace('401', '1e999')), /code/],
    '50,000 additional members': [
      withBody(
        expectedBody.replace('{', `{${Array.from({ length: 50_000 }, (_, n) => `"m${n}":${n},`).join('')}`),
      ),
    ],
    'terminal escapes in a message': [
      withBody(message('\\u001b[2J\\u001b]0;title\\u0007\\u009b31m\\r\\n\\u202e red')),
    ],
    'HTML and script in a message': [
      withBody(message("</script><script>alert(1)</script><img src=x onerror=alert(1)>' onx='")),
    ],
    'an annotation in a message': [
      withBody(message('\\n::error file=a::b\\r\\n::set-output name=x::y\\n]]>\\n| a | b |\\n```')),
    ],
    'a message of 500 KB': [withBody(message('x'.repeat(500_000)))],
    'a message with 10,000 newlines': [withBody(message('\\n'.repeat(10_000)))],
  }),
];
