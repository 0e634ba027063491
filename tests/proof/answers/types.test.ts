import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../../../common/package-root.ts';
import { startGateway } from './gateway.ts';
import { aboutBoth, greeting, letterSchema, models, placeSchema } from './prompts.ts';

/** A body or an event of a successful response, and the type that an SDK gives it. */
interface Payload {
  readonly name: string;
  readonly type: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface Protocol {
  readonly path: string;
  readonly streamPath?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object;
  /** What the body of a streamed request has as well. */
  readonly stream?: object;
  /** What a request for each kind of answer has as well. */
  readonly kinds: Readonly<Record<'text' | 'calls' | 'structured' | 'reasons' | 'limit' | 'stop', object>>;
  readonly types: readonly [body: string, event: string][];
}

const { url, apiKey } = await startGateway();

const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
const messages = [{ role: 'user', content: greeting }];
const aboutTools = [{ role: 'user', content: aboutBoth }];
const toolSchemas = [
  { name: 'get_weather', schema: placeSchema },
  { name: 'send_mail', schema: letterSchema },
];

const protocols: Readonly<Record<string, Protocol>> = {
  chat: {
    path: '/v1/chat/completions',
    body: { model: models.openai, messages },
    stream: { stream: true, stream_options: { include_usage: true } },
    kinds: {
      text: {},
      calls: {
        messages: aboutTools,
        tools: toolSchemas.map(({ name, schema: parameters }) => ({
          type: 'function',
          function: { name, parameters },
        })),
      },
      structured: { response_format: { type: 'json_schema', json_schema: { name: 'a', schema } } },
      reasons: { reasoning_effort: 'low' },
      limit: { max_completion_tokens: 2 },
      stop: { stop: [' of'] },
    },
    types: [['ChatCompletion', 'ChatCompletionChunk']],
  },
  responses: {
    path: '/v1/responses',
    body: { model: models.openai, input: greeting },
    stream: { stream: true },
    kinds: {
      text: { instructions: 'Be short.', metadata: { a: 'b' } },
      calls: {
        input: aboutBoth,
        tools: toolSchemas.map(({ name, schema: parameters }) => ({ type: 'function', name, parameters })),
      },
      structured: { text: { format: { type: 'json_schema', name: 'a', schema } } },
      reasons: { reasoning: { effort: 'low', summary: 'auto' } },
      limit: { max_output_tokens: 2 },
      stop: {},
    },
    types: [['SentResponse', 'SentEvent']],
  },
  messages: {
    path: '/v1/messages',
    headers: { 'anthropic-version': '2023-06-01' },
    body: { model: models.anthropic, max_tokens: 2000, messages },
    stream: { stream: true },
    kinds: {
      text: {},
      calls: {
        messages: aboutTools,
        tools: toolSchemas.map(({ name, schema: input_schema }) => ({ name, input_schema })),
      },
      structured: { output_config: { format: { type: 'json_schema', schema } } },
      reasons: { thinking: { type: 'enabled', budget_tokens: 1024 } },
      limit: { max_tokens: 2 },
      stop: { stop_sequences: [' of'] },
    },
    types: [
      ['Anthropic.Message', 'Anthropic.RawMessageStreamEvent | Ping'],
      ['Anthropic1.Message', 'Anthropic1.RawMessageStreamEvent | Ping'],
    ],
  },
  generate: {
    path: `/v1beta/models/${models.google}:generateContent`,
    streamPath: `/v1beta/models/${models.google}:streamGenerateContent?alt=sse`,
    body: { contents: [{ role: 'user', parts: [{ text: greeting }] }] },
    kinds: {
      text: {},
      calls: {
        contents: [{ role: 'user', parts: [{ text: aboutBoth }] }],
        tools: [
          {
            functionDeclarations: toolSchemas.map(({ name, schema: parametersJsonSchema }) => ({
              name,
              parametersJsonSchema,
            })),
          },
        ],
      },
      structured: {
        generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema },
      },
      reasons: { generationConfig: { thinkingConfig: { includeThoughts: true } } },
      limit: { generationConfig: { maxOutputTokens: 2 } },
      stop: { generationConfig: { stopSequences: [' of'] } },
    },
    types: [['Plain<GenerateContentResponse>', 'Plain<GenerateContentResponse>']],
  },
};

/** The types as an SDK receives them. */
const declarations = `
import type OpenAI from 'openai';
import type Anthropic from '@anthropic-ai/sdk';
import type Anthropic1 from 'anthropic-sdk-1';
import type { GenerateContentResponse } from '@google/genai';

type ChatCompletion = OpenAI.Chat.Completions.ChatCompletion;
type ChatCompletionChunk = OpenAI.Chat.Completions.ChatCompletionChunk;
type Response = OpenAI.Responses.Response;

// The SDK itself adds \`output_text\`. Its types lack null, which the API sends for what is absent.
type Sent<T> = T extends { response: Response }
  ? Omit<T, 'response'> & { response: SentResponse }
  : T;
type SentEvent = Sent<OpenAI.Responses.ResponseStreamEvent>;
type Nullable = 'prompt_cache_key' | 'safety_identifier' | 'usage' | 'user';
type SentResponse = Omit<Response, 'output_text' | 'text' | Nullable> & {
  [Name in Nullable]: Exclude<Response[Name], undefined> | null;
} & Unlisted & { text: SentText };
type Format = NonNullable<OpenAI.Responses.ResponseTextConfig['format']>;
type SentText = Omit<OpenAI.Responses.ResponseTextConfig, 'format'> & {
  format: Format extends infer F ? (F extends { schema: unknown } ? Omit<F, 'description'> & { description: string | null } : F) : never;
};
// The schema of the Open Responses specification requires these members.
type Unlisted = {
  max_tool_calls: number | null;
  presence_penalty: number;
  frequency_penalty: number;
  store: boolean;
};

// The SDK leaves out these events.
type Ping = { type: 'ping' };

// The SDK has enumerations for words, and a class with getters for the response.
type Getter =
  | 'text' | 'data' | 'functionCalls' | 'executableCode' | 'codeExecutionResult' | 'initialPromptTokenCount';
type Plain<T> = T extends string
  ? \`\${T}\`
  : T extends readonly (infer Item)[]
    ? Plain<Item>[]
    : T extends GenerateContentResponse
      ? { [Name in keyof T as Exclude<Name, Getter>]: Plain<T[Name]> }
      : T extends object
        ? { [Name in keyof T]: Plain<T[Name]> }
        : T;
`;

const compilerOptions = {
  target: 'es2023',
  module: 'nodenext',
  types: ['node'],
  strict: true,
  skipLibCheck: true,
  noEmit: true,
};

async function post(protocol: Protocol, path: string, ...bodies: (object | undefined)[]): Promise<string> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      ...protocol.headers,
    },
    body: JSON.stringify(Object.assign({}, protocol.body, ...bodies)),
  });
  expect(response.status, path).toBe(200);
  return response.text();
}

/** Returns the payloads of every kind of answer, once for each SDK of the protocol. */
async function collect(id: string, protocol: Protocol): Promise<Payload[]> {
  const payloads: Payload[] = [];
  for (const [kind, body] of Object.entries(protocol.kinds)) {
    const plain = JSON.parse(await post(protocol, protocol.path, body));
    const stream = await post(protocol, protocol.streamPath ?? protocol.path, body, protocol.stream);
    const events = [...stream.matchAll(/^data: (\{.*\})$/gm)].map(([, data = '']) => JSON.parse(data));
    for (const [bodyType, eventType] of protocol.types) {
      payloads.push({ name: `${id} ${kind}`, type: bodyType, value: plain });
      for (const [index, value] of events.entries())
        payloads.push({ name: `${id} ${kind}, event ${index}`, type: eventType, value });
    }
  }
  return payloads;
}

/** Assigns each payload as a literal to its type, and returns what the compiler says about which payload. */
async function compile(payloads: readonly Payload[]): Promise<{ payload: Payload; message: string }[]> {
  const cache = join(packageRoot, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  // The compiler finds the SDKs only from a folder below `node_modules`.
  const folder = mkdtempSync(join(cache, 'payload-types-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const literals = payloads.map(
    ({ type, value }, index) => `export const payload${index}: ${type} = ${JSON.stringify(value)};`,
  );
  writeFileSync(join(folder, 'payloads.ts'), [declarations, ...literals].join('\n'));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['payloads.ts'] }));
  const compiler = join(packageRoot, 'node_modules', 'typescript', 'bin', 'tsc');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [compiler, '--project', folder, '--pretty', 'false'],
    { maxBuffer: 64 * 1024 * 1024 },
  ).catch((error: { stdout: string }) => error);
  const firstLine = declarations.split('\n').length + 1;
  return stdout
    .split(/\n(?! )/)
    .filter((message) => message !== '')
    .map((message) => {
      const [, line] = /payloads\.ts\((\d+),/.exec(message) ?? [];
      const payload = payloads[Number(line) - firstLine];
      if (!payload) throw new Error(message);
      return { payload, message };
    });
}

/** Returns a payload of each type with an unknown member, and one without a required member. */
function breakEach(payloads: readonly Payload[]): Payload[] {
  const firsts = new Map(payloads.toReversed().map((payload) => [payload.type, payload]));
  return [...firsts.values()].flatMap((payload) => {
    const unknown = { ...payload, value: { ...payload.value, unknown_member: 1 } };
    const required = ['id', 'type'].find((name) => name in payload.value);
    return required
      ? [unknown, { ...payload, value: { ...payload.value, [required]: undefined } }]
      : [unknown];
  });
}

test.each(Object.entries(protocols))(
  'the payloads of %s have all members of the types in the SDK, and no other ones',
  async (id, protocol) => {
    const payloads = await collect(id, protocol);
    const broken = breakEach(payloads);
    const found = await compile([...payloads, ...broken]);
    const unexpected = found.filter(({ payload }) => !broken.includes(payload));
    expect(unexpected.map(({ payload, message }) => `${payload.name}, ${payload.type}: ${message}`)).toEqual(
      [],
    );
    expect(new Set(found.map(({ payload }) => payload))).toEqual(new Set(broken));
  },
);
