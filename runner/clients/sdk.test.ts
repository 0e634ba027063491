import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../common/package-root.ts';
import { loadSdk } from './sdk.ts';
import { aiAnthropic, aiGoogle, aiOpenai } from './sdks/ai.ts';
import { anthropic } from './sdks/anthropic.ts';
import { google } from './sdks/google.ts';
import { openai } from './sdks/openai.ts';

describe('loadSdk', () => {
  test('names the packages to install', () => {
    const any = { from: '0.0', to: 99 };
    const packages = { 'no-such-sdk': any, openai: any, 'nor-this': any };
    const found = loadSdk({ ...openai, packages }, '/');
    expect(found).toEqual({
      kind: 'unavailable',
      reason: 'The SDK is not installed. Install no-such-sdk and nor-this.',
    });
  });
  test.each([packageRoot, '/'])('loads a dependency of this package from the folder %s', (folder) => {
    expect(loadSdk(openai, folder)).toMatchObject({ kind: 'loaded', versions: { openai: /^\d/ } });
  });
  test.each([
    ['1.5.1', false],
    ['1.6.0', true],
    ['2.0.0', true],
    ['3.9.9', true],
    ['4.0.0', false],
    ['0.15.0', false],
    ['latest', false],
  ])('supports version %s of @google/genai: %s', (version, isSupported) => {
    const folder = mkdtempSync(join(tmpdir(), 'sdk-'));
    const place = join(folder, 'node_modules', '@google', 'genai');
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'package.json'), JSON.stringify({ name: '@google/genai', version }));
    writeFileSync(join(place, 'index.js'), '');
    expect(loadSdk(google, folder)).toMatchObject(
      isSupported
        ? { kind: 'loaded', versions: { '@google/genai': version } }
        : { reason: `@google/genai ${version} is installed. Supported versions: 1.6 to 3.x.` },
    );
  });
});

test('package.json states the first version of each SDK that a driver supports', () => {
  const { peerDependencies } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
  const { vitest: _, ...stated } = peerDependencies;
  const drivers = [openai, anthropic, google, aiOpenai, aiAnthropic, aiGoogle];
  const first = drivers.flatMap(({ packages }) =>
    Object.entries(packages).map(([name, { from }]) => [name, `>=${from}`] as const),
  );
  expect(stated).toEqual(Object.fromEntries(first));
});
