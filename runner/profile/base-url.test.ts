import { expect, test } from 'vitest';
import { catalogOfPackage } from '../catalog/catalog.ts';
import { formatBaseUrlHint, readBaseUrl } from './base-url.ts';

const { operations } = await catalogOfPackage();

test.each([
  ['/v1'],
  ['/v1/chat'],
  ['/v1/chat/completions'],
  ['/v1/responses'],
  ['/v1/messages'],
  ['/v1/models'],
  ['/v1beta'],
  ['/v1beta/models'],
  ['/v1beta/models/gemini-pro:generateContent'],
])('hints at the base URL without %s', (ending) => {
  for (const rest of ['http://127.0.0.1:8787', 'https://gateway.example/team/a']) {
    const hint = formatBaseUrlHint(`${rest}${ending}`, operations);
    expect(hint).toContain(`ends in ${ending},`);
    expect(hint).toMatch(new RegExp(`Did you mean ${rest}\\?$`));
  }
});

test.each([
  ['http://127.0.0.1:8787/v1//chat', 'http://127.0.0.1:8787'],
  ['https://gateway.example/a//v1/./models/', 'https://gateway.example/a'],
  ['https://gateway.example\\v1', 'https://gateway.example'],
])('hints at the base URL of the unusual URL %j', (baseUrl, expected) => {
  expect(formatBaseUrlHint(baseUrl, operations)).toMatch(new RegExp(`Did you mean ${expected}\\?$`));
});

test.each([
  ['http://127.0.0.1:8787'],
  ['https://gateway.example/openai'],
  ['https://gateway.example/api/v2'],
  ['https://gateway.example/av1'],
  ['https://v1'],
  [''],
])('gives no hint for %j', (baseUrl) => {
  expect(formatBaseUrlHint(baseUrl, operations)).toBeUndefined();
});

test('an empty base URL of a flag is named as empty, even if the profile states a base URL', () => {
  expect(() => readBaseUrl('http://gateway.example', { baseUrl: '' }, undefined)).toThrow(
    'The base URL is empty. Expected a URL such as https://gateway.example.',
  );
});

test.each([
  ['localhost:8787', 'http://localhost:8787'],
  ['localhost', 'http://localhost'],
  ['127.0.0.1:8787/api', 'http://127.0.0.1:8787/api'],
  ['[::1]:8787', 'http://[::1]:8787'],
  ['gateway:8080', 'http://gateway:8080'],
  ['gateway.example', 'https://gateway.example'],
  ['gateway.example/api', 'https://gateway.example/api'],
])('asks whether %s means %s', (baseUrl, expected) => {
  expect(() => readBaseUrl(undefined, { baseUrl }, undefined)).toThrow(`Did you mean ${expected}?`);
});

test.each(['gateway', 'ftp://gateway.example', 'mailto:x', '/api', 'a b.example'])(
  'does not guess what %s means',
  (baseUrl) => {
    expect(() => readBaseUrl(undefined, { baseUrl }, undefined)).toThrow(/Expected a URL|must begin with/);
  },
);
