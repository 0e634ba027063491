import { expect, test } from 'vitest';
import { createRecordingMetadata } from './recording-metadata.ts';

test.each([
  [{ baseUrl: 'https://gateway.example' }, 'https://gateway.example'],
  [{ baseUrl: 'https://user:password@gateway.example' }, 'https://gateway.example'],
  [{}, undefined],
  [{ baseUrl: '' }, undefined],
  [{ baseUrl: 7 }, undefined],
  [null, undefined],
])('a recording with `_target` %j has the base URL %j', (target, base) => {
  const metadata = createRecordingMetadata({ scenarios: [] }, () => {});
  metadata.set('_target', target);
  expect(metadata.firstBase()).toBe(base);
});

test('the base URL of a later recording replaces a missing base URL', () => {
  const metadata = createRecordingMetadata({ scenarios: [] }, () => {});
  metadata.set('_target', {});
  metadata.start();
  metadata.set('_target', { baseUrl: 'https://gateway.example' });
  expect(metadata.firstBase()).toBe('https://gateway.example');
});
