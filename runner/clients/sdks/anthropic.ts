import type * as Anthropic from '@anthropic-ai/sdk';
import { protocolVersion } from '../../../contract/specification.ts';
import { type Access, type Call, nameOf, prompt, readErrorBody, type Sdk, textsAmong } from '../sdk.ts';

const name = '@anthropic-ai/sdk';
const version = { 'anthropic-version': protocolVersion };
const classes: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  401: 'AuthenticationError',
  402: 'PaymentRequiredError',
};

/** The SDK `@anthropic-ai/sdk`; 1.x sends the version and the header of the specification only where it is told to. */
export const anthropic: Sdk = {
  id: 'anthropic',
  packages: { [name]: [0, 1] },
  operations: ['messages'],
  lists: 'models',
  takesExtra: true,
  open: (enter, versions) => {
    const sdk: typeof Anthropic = enter(name);
    const isFirst = versions[name]?.startsWith('0.') ?? false;
    const connect = ({ url, key, headers }: Access): Anthropic.Anthropic =>
      new sdk.Anthropic({
        baseURL: url,
        logLevel: 'off',
        ...(isFirst
          ? { apiKey: key, authToken: null, defaultHeaders: headers }
          : { apiKey: null, defaultHeaders: { ...version, ...headers, 'x-api-key': key } }),
      });
    const bodyOf = ({ model, extra }: Call): Anthropic.Anthropic.MessageCreateParamsNonStreaming => ({
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
        const { class: own, text } = nameOf(error);
        const api = error instanceof sdk.APIError ? error : undefined;
        const body = readErrorBody(api?.error);
        return {
          class: own,
          text,
          messages: [text, ...body.messages],
          types: body.types,
          traces: [...textsAmong([api?.headers?.get('x-trace-id')]), ...body.traces],
        };
      },
      classOf: (status) => {
        // 1.x has classes for more statuses.
        const named = classes[status];
        return named !== undefined && named in sdk ? named : 'APIError';
      },
    };
  },
};
