import { describe, expect, test } from 'vitest';
import { describeValue, hideKeys } from './describe-value.ts';

describe('an invalid value', () => {
  test.each([
    ['', '""'],
    ['doctor', '"doctor"'],
    ['99999', '"99999"'],
    ['localhost:8787', '"localhost:8787"'],
    ['claude-3-5-sonnet-20241022', '"claude-3-5-sonnet-20241022"'],
    ['f47ac10b-58cc-4372-a567-0e02b2c3d479', '"f47ac10b-58cc-4372-a567-0e02b2c3d479"'],
    ['sk-model', '"(hidden: looks like a key)"'],
    ['http://name:password@[x', '"http://(hidden)@[x"'],
    ['ftp://sk-secret', '"ftp://(hidden: looks like a key)"'],
    ['AIzaSyA-0123456789', '"(hidden: looks like a key)"'],
    ['Zx8Kq2Wv7Lm4Rt9B', '"(hidden: looks like a key)"'],
    ['9f86d081884c7d659a2feaa0c55ad015', '"(hidden: looks like a key)"'],
    ['\u001b]0;title', '"\\u001b]0;title"'],
    ['x'.repeat(201), `"${'x'.repeat(199)}…"`],
  ])('%j is described as %s', (text, shown) => {
    expect(describeValue(text)).toBe(shown);
  });
});

describe('a message', () => {
  const environment = {
    GATEWAY_API_KEY: 'plain-secret',
    MY_TOKEN: 'plain-secret-two',
    HOME: '/home/user',
    A_KEY: 'a',
    SSH_AUTH_SOCK: '/tmp/ssh/agent',
  };
  test.each([
    ['no such file: plain-secret', 'no such file: (hidden: looks like a key)'],
    ['"plain-secret-two" is wrong', '"(hidden: looks like a key)" is wrong'],
    ['there is no sk-Abc_0123456789.x here', 'there is no (hidden: looks like a key) here'],
    [
      'No case or requirement matches "AbCdEf0123456789ghIJkl".',
      'No case or requirement matches "(hidden: looks like a key)".',
    ],
    ['no such file: cGxhaW4tc2VjcmV0', 'no such file: (hidden: looks like a key)'],
    ['/tmp/ssh/agent is missing', '/tmp/ssh/agent is missing'],
    ['ConformanceProfile2026Nov.yaml is missing', 'ConformanceProfile2026Nov.yaml is missing'],
    ['the skipped-case sk-a of /home/user', 'the skipped-case sk-a of /home/user'],
  ])('%j is shown as %j', (text, shown) => {
    expect(hideKeys(text, environment)).toBe(shown);
  });
});
