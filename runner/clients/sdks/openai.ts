import type * as OpenAi from 'openai';
import {
  type Access,
  describeThrown,
  filterTexts,
  hasMembers,
  type ModelCall,
  prompt,
  readErrorBody,
  type SdkDriver,
} from '../sdk.ts';

const classes: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  401: 'AuthenticationError',
};

/** The driver of `openai`. This SDK sends the key as a bearer token. */
export const openai: SdkDriver = {
  id: 'openai',
  packages: { openai: { from: '5.0', to: 7 } },
  operations: ['chat', 'responses'],
  lists: 'models',
  takesExtra: true,
  load: (loadPackage) => {
    const sdk: typeof OpenAi = loadPackage('openai');
    const connect = ({ url, key, headers }: Access): OpenAi.OpenAI =>
      new sdk.OpenAI({
        apiKey: key,
        baseURL: `${url}/v1`,
        // With null, the SDK ignores the environment variables of these options.
        organization: null,
        project: null,
        defaultHeaders: headers,
        logLevel: 'off',
      });
    const chatBody = ({ model, lacksContent, extra }: ModelCall): ChatBody => {
      const message = { role: 'user' as const, content: prompt };
      // The types of the SDK do not allow an invalid message.
      const messages: ChatBody['messages'] = lacksContent ? JSON.parse('[{"role":"user"}]') : [message];
      return { model, messages, ...extra };
    };
    return {
      plain: async (call) => {
        const client = connect(call);
        const { signal, model, extra } = call;
        if (call.operation === 'responses') {
          const answer = await client.responses.create({ model, input: prompt, ...extra }, { signal });
          return typeof answer.output_text === 'string' ? undefined : 'output_text';
        }
        const answer = await client.chat.completions.create(chatBody(call), { signal });
        return hasMembers(answer.choices?.[0]?.message) ? undefined : 'choices[0].message';
      },
      streamed: async (call) => {
        const client = connect(call);
        const { signal, model, extra } = call;
        if (call.operation === 'responses') {
          const stream = await client.responses.create(
            { model, input: prompt, ...extra, stream: true },
            { signal },
          );
          let end: string | undefined;
          for await (const event of stream) {
            if (event.type === 'response.failed' || event.type === 'error') throw new StreamError(event.type);
            if (event.type === 'response.completed' || event.type === 'response.incomplete') end = event.type;
          }
          return end === undefined ? 'the event response.completed' : undefined;
        }
        const stream = await client.chat.completions.create({ ...chatBody(call), stream: true }, { signal });
        let isFinished = false;
        for await (const chunk of stream)
          isFinished ||= typeof chunk.choices?.[0]?.finish_reason === 'string';
        return isFinished ? undefined : 'a chunk with finish_reason';
      },
      models: async (access) => {
        const found: string[] = [];
        for await (const model of connect(access).models.list({ signal: access.signal })) {
          found.push(model.id);
        }
        return found;
      },
      describe: (error) => {
        const { class: name, text } = describeThrown(error);
        const api = error instanceof sdk.APIError ? error : undefined;
        return {
          class: name,
          text,
          messages: [text],
          types: filterTexts([api?.type]),
          traces: [...filterTexts([api?.headers?.get('x-trace-id')]), ...readErrorBody(api?.error).traces],
        };
      },
      classOf: (status) => classes[status] ?? 'APIError',
    };
  },
};

type ChatBody = OpenAi.OpenAI.ChatCompletionCreateParamsNonStreaming;

class StreamError extends Error {
  override readonly name = 'StreamError';
}
