import { join } from 'node:path';
import { packageRoot } from '../contract/package-root.ts';
import { protocolVersion } from '../contract/specification.ts';
import type { ReferenceServer } from './create-reference-server.ts';
import type { PartialProfile } from './gateway/profile.ts';

const profileFile = join(packageRoot, 'fixtures', 'profiles', 'reference.yaml');

/** What a person needs to know of a server that has just started: its keys, and how clients reach it. */
export function startText({
  url,
  profile,
}: Pick<ReferenceServer<PartialProfile>, 'url' | 'profile'>): string {
  const { keys, models } = profile;
  const others = (['depleted', 'foreign', 'deleted'] as const).filter((role) => keys[role] !== undefined);
  return `Reference gateway at ${url}

Keys (fixtures of this server; they open nothing else)
  valid     ${keys.valid}
${others.map((role) => `  ${role.padEnd(8)}  ${keys[role]}\n`).join('')}
openai
  new OpenAI({ apiKey: '${keys.valid}', baseURL: '${url}/v1' })
  model ${models.chat?.good}
@anthropic-ai/sdk
  new Anthropic({ apiKey: '${keys.valid}', baseURL: '${url}' })
  model ${models.messages?.good}
  from 1.0 on: apiKey: null, and defaultHeaders: { 'x-api-key': '${keys.valid}', '${profile.versionHeader}': '${protocolVersion}' }
@google/genai
  new GoogleGenAI({ apiKey: '${keys.valid}', httpOptions: { baseUrl: '${url}' } })
  model ${models.generate?.good}
  from 3.0 on: also apiVersion: 'v1beta'
conformance run
  conformance run --base-url ${url} --profile ${profileFile}

Ctrl-C stops it.
`;
}
