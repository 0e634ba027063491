import { describe, expect, test } from 'vitest';
import { describeValue, hideKeys } from './describe-value.ts';

describe('an invalid value', () => {
  test.each([
    ['', '""'],
    ['abc', '"abc"'],
    ['gateway', '"gat…" (7 characters; the rest may be part of a key and is hidden)'],
    ['ftp://sk-secret', '"ftp://…" (15 characters; the rest may be part of a key and is hidden)'],
    ['sk-secret-key://x', '"sk-…" (17 characters; the rest may be part of a key and is hidden)'],
    ['\u001b]0;title', '"?]0…" (9 characters; the rest may be part of a key and is hidden)'],
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
  };
  test.each([
    ['no such file: plain-secret', 'no such file: (a key)'],
    ['"plain-secret-two" is wrong', '"(a key)" is wrong'],
    ['there is no sk-Abc_0123456789.x here', 'there is no (a key) here'],
    ['No case or requirement matches "AbCdEf0123456789ghIJkl".', 'No case or requirement matches "(a key)".'],
    ['ConformanceProfile2026Nov.yaml is missing', 'ConformanceProfile2026Nov.yaml is missing'],
    ['the skipped-case sk-a of /home/user', 'the skipped-case sk-a of /home/user'],
  ])('%j is shown as %j', (text, shown) => {
    expect(hideKeys(text, environment)).toBe(shown);
  });
});
