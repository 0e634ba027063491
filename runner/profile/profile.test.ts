import { expect, test } from 'vitest';
import { findModelCollection } from './profile.ts';

test.each([
  ['models/gemini-x', '/v1beta/{+model}:generateContent', 'models/'],
  ['gemini-x', '/v1beta/{+model}:generateContent', ''],
  ['models/gemini-x', '/v1beta/models/{model}:generateContent', ''],
  [undefined, '/v1beta/{+model}:generateContent', ''],
  ['models/gemini-x', undefined, ''],
])('the collection of the model %j in the path %j is %j', (good, path, expected) => {
  expect(findModelCollection(good, path)).toBe(expected);
});
