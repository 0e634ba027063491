import { expect, test } from 'vitest';
import { formatParseError } from './parse-value.ts';

const key = 'AbCdEf0123456789ghIJkl';

test.each([
  [`error: unknown option '--apikey=${key}'\n`, 'Unknown flag --apikey.'],
  [`error: unknown option '--apikey=it's a\n${key}'\n`, 'Unknown flag --apikey.'],
  [
    "error: unknown option '--bse-url'\n(Did you mean --base-url?)\n",
    'Unknown flag --bse-url. Did you mean --base-url?',
  ],
  [
    `error: option '--port <N>' argument '${key}' is invalid. Expected a port.\n`,
    'Invalid value for --port: "(hidden: looks like a key)". Expected a port.',
  ],
  [
    `error: unknown command '${key}'\n(Did you mean run?)\n`,
    'Unknown command "(hidden: looks like a key)". Did you mean "run"?',
  ],
  ["error: option '--base-url <URL>' argument missing\n", '--base-url needs a value: --base-url URL.'],
  [
    "error: option '--header <NAME: VALUE>' argument missing\n",
    '--header needs a value: --header NAME: VALUE.',
  ],
  ["error: missing required argument 'file'\n", 'The argument FILE is missing.'],
  [
    "error: too many arguments for 'list'. Expected 1 argument but got 2.\n",
    'Too many arguments for list: expected 1, got 2.',
  ],
  ["error: unknown command 'doctor'\n", 'Unknown command "doctor".'],
  [
    "error: option '--port <N>' argument '99999' is invalid. Expected a port.\n",
    'Invalid value for --port: "99999". Expected a port.',
  ],
  [`error: something else about ${key}\n`, 'something else about (hidden: looks like a key)'],
])('reports %j as %j', (error, message) => {
  expect(formatParseError(error, {})).toBe(`conformance: ${message}`);
});
