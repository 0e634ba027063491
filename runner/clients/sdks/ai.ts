import type * as AiAnthropic from '@ai-sdk/anthropic';
import type * as AiGoogle from '@ai-sdk/google';
import type * as AiOpenAi from '@ai-sdk/openai';
import type * as Ai from 'ai';
import {
  describeThrown,
  filterTexts,
  type LoadPackage,
  type ModelCall,
  prompt,
  readErrorBody,
  readErrorText,
  type SdkDriver,
} from '../sdk.ts';

type MakeModel = (call: ModelCall) => Ai.LanguageModel;

function createAiDriver(
  { id, provider, operations }: Pick<SdkDriver, 'id' | 'operations'> & { readonly provider: string },
  prepare: (loadPackage: LoadPackage) => MakeModel,
): SdkDriver {
  return {
    id,
    packages: { ai: { from: '6.0', to: 7 }, [provider]: { from: '3.0', to: 4 } },
    operations,
    lists: 'none',
    takesExtra: false,
    load: (loadPackage) => {
      const sdk: typeof Ai = loadPackage('ai');
      const model = prepare(loadPackage);
      const requestOf = (call: ModelCall): Parameters<typeof Ai.generateText>[0] => ({
        model: model(call),
        prompt,
        maxOutputTokens: 16,
        abortSignal: call.signal,
      });
      return {
        plain: async (call) => {
          const { text } = await sdk.generateText(requestOf(call));
          return typeof text === 'string' ? undefined : 'text';
        },
        streamed: async (call) => {
          // By default, the SDK logs errors.
          const { fullStream } = sdk.streamText({ ...requestOf(call), onError: () => {} });
          let isFinished = false;
          for await (const part of fullStream) {
            if (part.type === 'error') throw part.error;
            // If a stream has no final event, the SDK reports the finish reason `other` and no raw finish reason.
            if (part.type === 'finish')
              isFinished = part.finishReason !== 'other' || part.rawFinishReason !== undefined;
          }
          return isFinished ? undefined : 'finishReason';
        },
        models: async () => [],
        describe: (error) => {
          const cause = sdk.RetryError.isInstance(error) ? error.lastError : error;
          const named = describeThrown(cause);
          if (!sdk.APICallError.isInstance(cause))
            return { ...named, messages: [named.text], types: [], traces: [] };
          const body = readErrorText(cause.responseBody ?? '');
          const data = readErrorBody(cause.data);
          return {
            class: 'APICallError',
            text: cause.message,
            messages: [cause.message, ...body.messages],
            types: [...data.types, ...body.types],
            traces: [...filterTexts([cause.responseHeaders?.['x-trace-id']]), ...body.traces],
          };
        },
        classOf: () => 'APICallError',
      };
    },
  };
}

export const aiOpenai = createAiDriver(
  { id: 'ai-openai', provider: '@ai-sdk/openai', operations: ['chat', 'responses'] },
  (loadPackage) => {
    const sdk: typeof AiOpenAi = loadPackage('@ai-sdk/openai');
    return ({ operation, url, key, headers, model }) => {
      const provider = sdk.createOpenAI({ apiKey: key, baseURL: `${url}/v1`, headers });
      return operation === 'chat' ? provider.chat(model) : provider.responses(model);
    };
  },
);

export const aiAnthropic = createAiDriver(
  { id: 'ai-anthropic', provider: '@ai-sdk/anthropic', operations: ['messages'] },
  (loadPackage) => {
    const sdk: typeof AiAnthropic = loadPackage('@ai-sdk/anthropic');
    return ({ url, key, headers, model }) =>
      sdk.createAnthropic({ apiKey: key, baseURL: `${url}/v1`, headers })(model);
  },
);

export const aiGoogle = createAiDriver(
  { id: 'ai-google', provider: '@ai-sdk/google', operations: ['generate'] },
  (loadPackage) => {
    const sdk: typeof AiGoogle = loadPackage('@ai-sdk/google');
    return ({ url, key, headers, model }) =>
      sdk.createGoogleGenerativeAI({ apiKey: key, baseURL: `${url}/v1beta`, headers })(model);
  },
);
