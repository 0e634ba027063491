import { expect, test } from 'vitest';
import { createPageStyle, wrapCurl } from './page.ts';

const page = createPageStyle({ colour: false, verbose: false, width: 40 });
const halfKey = `-H 'authorization: Bearer '"$(printf '%s\\n' "$KEY" | awk '{ print substr($0, 1) }')"`;

test('each line of a sequence is continued on its own', () => {
  expect(wrapCurl(page, '  ', `KEY=$(cat key)\ncurl -sS 'http://gateway.example/' -H "b: $KEY"`)).toEqual([
    '  KEY=$(cat key)',
    `  curl -sS 'http://gateway.example/' \\`,
    '    -H "b: $KEY"',
  ]);
});

test.each([
  ['short', `curl -sS 'http://a/'`, [`curl -sS 'http://a/'`]],
  [
    'options',
    `curl -sS 'http://a/' ${halfKey} -H 'b: c'`,
    [`curl -sS 'http://a/' \\`, `  ${halfKey} \\`, `  -H 'b: c'`],
  ],
  [
    'a body that looks like options',
    `curl -sS 'http://a/' --data-raw 'x -H y'\\'' --data-raw "z" -H '`,
    [`curl -sS 'http://a/' \\`, `  --data-raw 'x -H y'\\'' --data-raw "z" -H '`],
  ],
])('a command is continued before options outside of quotes: %s', (_, curl, lines) => {
  expect(wrapCurl(page, '', curl)).toEqual(lines);
  expect(lines.join('\n').replaceAll(' \\\n  ', ' ')).toBe(curl);
});
