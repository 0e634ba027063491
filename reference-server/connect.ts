// How clients reach this gateway: what `serve` prints at the start, and the page Connect of the console shows.
import type { KeyRole } from '../common/profile-values.ts';
import { protocolVersion } from '../common/specification.ts';
import type { PartialProfile } from './gateway/profile.ts';

/** A key of the start state, and what requests with it meet. */
export type RoleKey = { readonly role: KeyRole; readonly key: string; readonly meaning: string };

/** The SDKs of one provider, with a model to call and the lines that create a client. */
export type ProviderLines = {
  readonly provider: string;
  readonly model: string | undefined;
  readonly lines: readonly {
    readonly language: 'TypeScript' | 'Python';
    readonly package: string;
    readonly line: string;
    /** When the client needs other or more options, and which. */
    readonly hint?: { readonly when: string; readonly options: string };
  }[];
};

const meanings: readonly (readonly [KeyRole, string])[] = [
  ['valid', 'an account with a balance'],
  ['depleted', 'an account without a balance'],
  ['foreign', 'another account'],
  ['deleted', 'refused'],
];

export function listRoleKeys({ keys }: Pick<PartialProfile, 'keys'>): readonly RoleKey[] {
  return meanings.flatMap(([role, meaning]) => {
    const key = keys[role];
    return key === undefined ? [] : [{ role, key, meaning }];
  });
}

type Gateway = { readonly url: string; readonly profile: PartialProfile };

/** Returns the variables in which the SDKs of OpenAI, Anthropic and Google look for a gateway and its key. */
export function listSdkVariables(url: string, key: string): Readonly<Record<SdkVariable, string>> {
  return {
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_BASE: `${url}/v1`,
    OPENAI_API_KEY: key,
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: key,
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_API_KEY: key,
    GOOGLE_API_KEY: key,
  };
}

type SdkVariable =
  | 'OPENAI_BASE_URL'
  | 'OPENAI_API_BASE'
  | 'OPENAI_API_KEY'
  | 'ANTHROPIC_BASE_URL'
  | 'ANTHROPIC_API_KEY'
  | 'GOOGLE_GEMINI_BASE_URL'
  | 'GEMINI_API_KEY'
  | 'GOOGLE_API_KEY';

/** Returns shell lines: the variables that the SDKs of OpenAI and Anthropic read, and a call with them. */
export function listShellLines({ url, profile: { keys, models } }: Gateway): readonly string[] {
  const body = JSON.stringify({ model: models.chat?.good, messages: [{ role: 'user', content: 'Hello' }] });
  const variables = listSdkVariables(url, keys.valid);
  const assign = (...names: SdkVariable[]): string =>
    `export ${names.map((name) => `${name}=${variables[name]}`).join(' ')}`;
  return [
    assign('OPENAI_BASE_URL', 'OPENAI_API_KEY'),
    assign('ANTHROPIC_BASE_URL', 'ANTHROPIC_API_KEY'),
    `curl "$OPENAI_BASE_URL/chat/completions" -H "authorization: Bearer $OPENAI_API_KEY" -H 'content-type: application/json' --data '${body}'`,
  ];
}

export function listProviderLines({
  url,
  profile: { keys, models, versionHeader },
}: Gateway): readonly ProviderLines[] {
  const key = `'${keys.valid}'`;
  const version = `'${versionHeader}': '${protocolVersion}'`;
  return [
    {
      provider: 'OpenAI',
      model: models.chat?.good,
      lines: [
        {
          language: 'TypeScript',
          package: 'openai',
          line: `new OpenAI({ apiKey: ${key}, baseURL: '${url}/v1' })`,
        },
        {
          language: 'Python',
          package: 'openai',
          line: `OpenAI(api_key=${key}, base_url='${url}/v1')`,
        },
      ],
    },
    {
      provider: 'Anthropic',
      model: models.messages?.good,
      lines: [
        {
          language: 'TypeScript',
          package: '@anthropic-ai/sdk',
          line: `new Anthropic({ apiKey: ${key}, baseURL: '${url}' })`,
          hint: {
            when: 'Version 1.0 and later',
            options: `apiKey: null, defaultHeaders: { 'x-api-key': ${key}, ${version} }`,
          },
        },
        {
          language: 'Python',
          package: 'anthropic',
          line: `Anthropic(api_key=${key}, base_url='${url}', default_headers={${version}})`,
        },
      ],
    },
    {
      provider: 'Gemini',
      model: models.generate?.good,
      lines: [
        {
          language: 'TypeScript',
          package: '@google/genai',
          line: `new GoogleGenAI({ apiKey: ${key}, httpOptions: { baseUrl: '${url}' } })`,
          hint: { when: 'Version 3.0 and later, inside httpOptions', options: "apiVersion: 'v1beta'" },
        },
        {
          language: 'Python',
          package: 'google-genai',
          line: `genai.Client(api_key=${key}, http_options={'base_url': '${url}', 'api_version': 'v1beta'})`,
        },
      ],
    },
  ];
}
