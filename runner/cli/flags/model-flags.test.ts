// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the variables of a flag
import { describe, expect, test } from 'vitest';
import { readModelFlags, resolveModelIds } from './model-flags.ts';

describe('--model', () => {
  test('reads operations and model IDs', () => {
    const models = readModelFlags(['chat=gpt-4o', 'messages=a=b', 'generate=${GEMINI}'], { GEMINI: 'g1' });
    expect(resolveModelIds(models)).toEqual({ chat: 'gpt-4o', messages: 'a=b', generate: 'g1' });
    expect(models.map(({ text }) => text)).toEqual(['gpt-4o', 'a=b', '${GEMINI}']);
  });

  test.each([
    ['gpt-4o', 'Expected OPERATION=ID, such as chat=gpt-4o.'],
    ['chat=', 'Expected OPERATION=ID, such as chat=gpt-4o.'],
    ['chatt=x', 'Did you mean "chat"?'],
    ['embeddings=x', 'Expected chat, responses, messages or generate.'],
    ['streamGenerate=x', 'streamGenerate uses the model of generate. Use --model generate=ID.'],
    ['chat=${NONE}', 'NONE, which is unset or empty. Set the variable, or remove the flag.'],
  ])('rejects %s with a remedy', (flag, says) => {
    expect(() => readModelFlags([flag], {})).toThrow(says);
  });

  test('rejects two models of one operation', () => {
    expect(() => readModelFlags(['chat=a', 'chat=b'], {})).toThrow('--model chat is set more than once.');
  });
});
