import { expect, test } from 'vitest';
import { withoutValues } from './parse-value.ts';

const key = 'AbCdEf0123456789ghIJkl';
test.each([
  [`error: unknown option '--apikey=${key}'\n`, "error: unknown option '--apikey=…'\n"],
  [`error: unknown option '--apikey=it's a\n${key}'\n`, "error: unknown option '--apikey=…'\n"],
  [
    `error: option '--port <n>' argument '${key}' is invalid. A port is 0 to 65535.\n`,
    'error: option \'--port <n>\': the value "AbC…" (22 characters, not shown as they may be a key) is invalid. A port is 0 to 65535.\n',
  ],
  [
    `error: unknown command '${key}'\n(Did you mean run?)\n`,
    'error: unknown command "AbC…" (22 characters, not shown as they may be a key)\n(Did you mean run?)\n',
  ],
  ["error: unknown option '--bse-url'\n(Did you mean --base-url?)\n", undefined],
  ["error: option '--base-url <x>' argument missing\n", undefined],
])('of %j is shown %j', (text, shown) => {
  expect(withoutValues(text, {})).toBe(shown ?? text);
});
