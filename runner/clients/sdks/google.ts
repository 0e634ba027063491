import type * as Google from '@google/genai';
import {
  type Access,
  describeThrown,
  hasMembers,
  type ModelCall,
  prompt,
  readErrorText,
  type SdkDriver,
} from '../sdk.ts';

const name = '@google/genai';

/** The driver of `@google/genai`. The errors of this SDK contain the body as text, and no headers. */
export const google: SdkDriver = {
  id: 'google',
  packages: { [name]: { from: '1.6', to: 3 } },
  operations: ['generate'],
  lists: 'own',
  takesExtra: true,
  load: (loadPackage) => {
    const sdk: typeof Google = loadPackage(name);
    const connect = ({ url, key, headers }: Access): Google.Models =>
      new sdk.GoogleGenAI({
        apiKey: key,
        vertexai: false,
        // Without this option, version 3 of the SDK calls /v1.
        apiVersion: 'v1beta',
        httpOptions: { baseUrl: url, headers },
      }).models;
    const bodyOf = ({ model, extra, signal }: ModelCall): Google.GenerateContentParameters => ({
      model,
      contents: prompt,
      config: { abortSignal: signal, httpOptions: { extraBody: { ...extra } } },
    });
    return {
      plain: async (call) => {
        const answer = await connect(call).generateContent(bodyOf(call));
        return hasMembers(answer.candidates?.[0]) ? undefined : 'candidates[0]';
      },
      streamed: async (call) => {
        let isFinished = false;
        for await (const chunk of await connect(call).generateContentStream(bodyOf(call))) {
          isFinished ||= typeof chunk.candidates?.[0]?.finishReason === 'string';
        }
        return isFinished ? undefined : 'a chunk with finishReason';
      },
      models: async (access) => {
        const found: string[] = [];
        for await (const model of await connect(access).list({ config: { abortSignal: access.signal } })) {
          if (model.name !== undefined) found.push(model.name);
        }
        return found;
      },
      describe: (error) => {
        const named = describeThrown(error);
        return { ...named, ...readErrorText(named.text) };
      },
      classOf: () => 'ApiError',
    };
  },
};
