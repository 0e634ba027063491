// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the variables of a flag
import { describe, expect, test } from 'vitest';
import { readModelFlags, replaceModels, resolveModelIds } from './model-flags.ts';

describe('--model', () => {
  test('reads operations and model IDs', () => {
    const models = readModelFlags(['chat=gpt-4o', 'messages=a=b', 'generate=${GEMINI}'], { GEMINI: 'g1' });
    expect(resolveModelIds(models)).toEqual({
      chat: { good: ['gpt-4o'] },
      messages: { good: ['a=b'] },
      generate: { good: ['g1'] },
    });
    expect(models.map(({ text }) => text)).toEqual(['gpt-4o', 'a=b', '${GEMINI}']);
  });

  test('reads models of the roles of a profile, which replace those of the same role', () => {
    const models = readModelFlags(['chat.mismatched=${A}', 'chat.mismatched=b', 'chat.textOnly=v1.5'], {
      A: 'a',
    });
    expect(resolveModelIds(models)).toEqual({ chat: { mismatched: ['a', 'b'], textOnly: ['v1.5'] } });
    const existing = { chat: 'gpt-4o', messages: { good: 'claude' } };
    expect(replaceModels(existing, models)).toEqual({
      chat: { good: 'gpt-4o', mismatched: ['${A}', 'b'], textOnly: 'v1.5' },
      messages: { good: 'claude' },
    });
  });

  test.each([
    ['gpt-4o', 'Expected OPERATION=ID, such as chat=gpt-4o.'],
    ['chat=', 'Expected OPERATION=ID, such as chat=gpt-4o.'],
    ['chatt=x', 'Did you mean "chat"?'],
    ['chat.textonly=x', 'Did you mean "textOnly"?'],
    ['chat.default=x', 'Expected good, textOnly,'],
    ['chta.textOnly=x', 'Did you mean "chat"?'],
    ['embeddings=x', 'Expected chat, responses, messages or generate.'],
    ['streamGenerate=x', 'streamGenerate uses the model of generate. Use --model generate=ID.'],
    ['chat=${NONE}', 'NONE, which is unset or empty. Set the variable, or remove the flag.'],
  ])('rejects %s with a remedy', (flag, says) => {
    expect(() => readModelFlags([flag], {})).toThrow(says);
  });

  test('rejects two good models of one operation, and a model that is given twice', () => {
    expect(() => readModelFlags(['chat.textOnly=a', 'chat.textOnly=a'], {})).toThrow(
      'chat.textOnly=a is set',
    );
    expect(() => readModelFlags(['chat=a', 'chat=b'], {})).toThrow('--model chat is set more than once.');
  });
});
