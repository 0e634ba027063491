import { all, type Behaviour } from '../behaviour.ts';
import { due, withBody } from '../wire.ts';

const deep = (open: string, close: string, levels: number): string =>
  open.repeat(levels) + close.repeat(levels);
const message = (text: string): string => due.replace('No key.', text);

/** Bytes that are no text, text that is no JSON, and JSON that is more than JSON. */
export const texts: readonly Behaviour[] = [
  ...all('inconclusive', {
    'JSON half a million levels deep': [withBody(deep('[', ']', 500_000)), /deeper than 200000 levels/],
  }),
  ...all('violates', {
    'UTF-16': [withBody(Buffer.from(due, 'utf16le')), /JSON/],
    'NUL in JSON': [withBody(message('No\u0000key.')), /JSON/],
    'an object a hundred thousand levels deep': [
      withBody(`{"error":${deep('{"a":', '', 100_000)}1${'}'.repeat(100_001)}`),
    ],
    'a type as an array a hundred thousand levels deep': [
      withBody(due.replace('"missing_auth_credential"', deep('[', ']', 100_000))),
    ],
    'two JSON texts': [withBody(due + due), /JSON/],
  }),
  ...all('conforms', {
    'a BOM before JSON': [withBody(`\uFEFF${due}`)],
    'a wrong charset': [withBody(due, 'content-type: application/json; charset=utf-7')],
    'bytes that are no UTF-8': [
      withBody(
        Buffer.concat([Buffer.from(due.slice(0, 22)), Buffer.from([0xff, 0xfe]), Buffer.from(due.slice(22))]),
      ),
    ],
    'lone surrogates': [withBody(message('\\ud800 no key'))],
    '__proto__ in JSON': [
      withBody(due.replace('{', '{"__proto__":{"error":{}},"constructor":{"prototype":1},')),
    ],
    'members twice': [withBody(due.replace('"type"', '"type":"first","type"'))],
    'numbers beyond all bounds': [withBody(due.replace('401', '1e999')), /code/],
    'a hundred thousand members': [
      withBody(due.replace('{', `{${Array.from({ length: 50_000 }, (_, n) => `"m${n}":${n},`).join('')}`)),
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
    'a message of newlines': [withBody(message('\\n'.repeat(10_000)))],
  }),
];
