// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the variables of a flag
import { describe, expect, test } from 'vitest';
import { modelIds, readModelFlags } from './shared-flags.ts';

describe('--model', () => {
  test('takes an operation and the ID of a model', () => {
    const models = readModelFlags(['chat=gpt-4o', 'messages=a=b', 'generate=${GEMINI}'], { GEMINI: 'g1' });
    expect(modelIds(models)).toEqual({ chat: 'gpt-4o', messages: 'a=b', generate: 'g1' });
    expect(models.map(({ text }) => text)).toEqual(['gpt-4o', 'a=b', '${GEMINI}']);
  });

  test.each([
    ['gpt-4o', 'is not OPERATION=ID, such as chat=gpt-4o.'],
    ['chat=', 'is not OPERATION=ID'],
    ['chatt=x', 'Did you mean "chat"?'],
    ['embeddings=x', 'Use chat, responses, messages, generate.'],
    ['streamGenerate=x', 'It calls the model of generate.'],
    ['chat=${NONE}', 'needs the environment variable NONE'],
  ])('%s is refused with the remedy', (flag, says) => {
    expect(() => readModelFlags([flag], {})).toThrow(says);
  });

  test('is refused if an operation is given twice', () => {
    expect(() => readModelFlags(['chat=a', 'chat=b'], {})).toThrow('--model chat=… is given twice.');
  });
});
