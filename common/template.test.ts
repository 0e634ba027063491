import { describe, expect, test } from 'vitest';
import { fillTemplate, matchTemplate } from './template.ts';

test.each([
  ['Bearer {key}', 'Bearer $& k'],
  ['{base64({key}:)}', 'JCYgazo='],
  ['{base64(user:{key})}!', 'dXNlcjokJiBr!'],
])('fills %s', (template, text) => {
  expect(fillTemplate(template, () => '$& k')).toBe(text);
});

test('passes the argument of a function', () => {
  expect(fillTemplate('a-{hex(a name, 4)}', (...call) => call.join('|'))).toBe('a-hex|a name, 4');
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const basic = 'Basic {base64({key}:)}';
const password = 'Basic {base64(user:{key})}';

describe('finds the value of a template in the text of another program', () => {
  test.each<[string, string, string | undefined]>([
    ['{key}', ' k 1 ', 'k 1'],
    ['{key}', ' ', undefined],
    ['Bearer {key}', 'bearer  k', 'k'],
    ['Bearer {key}', 'Bearerk', undefined],
    ['Bearer {key}', 'Token k', undefined],
    ['Bearer {key}', 'k', undefined],
    ['realtime, a-key.{key}', 'realtime, a-key.k', 'k'],
    ['realtime, a-key.{key}', 'a-key.k,other', 'k'],
    ['realtime, a-key.{key}', 'realtime', undefined],
    ['AWS4 Credential={key}/2026/aws, Signature=0', 'AWS4 Credential=k/2025/x, Signature=1', 'k'],
    [basic, `Basic ${base64('k:')}`, 'k'],
    [basic, `Basic ${base64('me:k')}`, undefined],
    [basic, 'Basic k-1', undefined],
    [password, `basic ${base64('me:k:1')}`, 'k:1'],
    [password, `Basic ${base64('k:')}`, undefined],
  ])('%s in %j: %j', (template, text, value) => {
    expect(matchTemplate(template, text)).toBe(value);
  });
});
