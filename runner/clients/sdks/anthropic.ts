import type * as Anthropic from '@anthropic-ai/sdk';
import { protocolVersion } from '../../../common/specification.ts';
import {
  type Access,
  describeThrown,
  filterTexts,
  type ModelCall,
  prompt,
  readErrorBody,
  type SdkDriver,
} from '../sdk.ts';

const name = '@anthropic-ai/sdk';
const version = { 'anthropic-version': protocolVersion };
const classes: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  401: 'AuthenticationError',
  402: 'PaymentRequiredError',
};

/** The driver of `@anthropic-ai/sdk`. Version 1 sends the headers of the specification only if set by the driver. */
export const anthropic: SdkDriver = {
  id: 'anthropic',
  packages: { [name]: { from: '0.50', to: 1 } },
  operations: ['messages'],
  lists: 'models',
  takesExtra: true,
  load: (loadPackage, versions) => {
    const sdk: typeof Anthropic = loadPackage(name);
    const isVersion0 = versions[name]?.startsWith('0.') ?? false;
    const connect = ({ url, key, headers }: Access): Anthropic.Anthropic =>
      new sdk.Anthropic({
        baseURL: url,
        logLevel: 'off',
        ...(isVersion0
          ? { apiKey: key, authToken: null, defaultHeaders: headers }
          : { apiKey: null, defaultHeaders: { ...version, ...headers, 'x-api-key': key } }),
      });
    const bodyOf = ({ model, extra }: ModelCall): Anthropic.Anthropic.MessageCreateParamsNonStreaming => ({
      model,
      max_tokens: 16,
      messages: [{ role: 'user', content: prompt }],
      ...extra,
    });
    return {
      plain: async (call) => {
        const answer = await connect(call).messages.create(bodyOf(call), { signal: call.signal });
        return Array.isArray(answer.content) ? undefined : 'content';
      },
      streamed: async (call) => {
        const stream = connect(call).messages.stream(bodyOf(call), { signal: call.signal });
        const message = await stream.finalMessage();
        return typeof message.stop_reason === 'string' ? undefined : 'stop_reason';
      },
      models: async (access) => {
        const found: string[] = [];
        for await (const model of connect(access).models.list({}, { signal: access.signal })) {
          found.push(model.id);
        }
        return found;
      },
      describe: (error) => {
        const { class: own, text } = describeThrown(error);
        const api = error instanceof sdk.APIError ? error : undefined;
        const body = readErrorBody(api?.error);
        return {
          class: own,
          text,
          messages: [text, ...body.messages],
          types: body.types,
          traces: [...filterTexts([api?.headers?.get('x-trace-id')]), ...body.traces],
        };
      },
      classOf: (status) => {
        // Version 1 has classes for more statuses than version 0.
        const named = classes[status];
        return named !== undefined && named in sdk ? named : 'APIError';
      },
    };
  },
};
