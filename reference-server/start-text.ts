import { join } from 'node:path';
import { packageRoot } from '../common/package-root.ts';
import { protocolVersion } from '../common/specification.ts';
import { consolePath } from './console/serve-console.ts';
import type { ReferenceServer } from './create-reference-server.ts';
import type { PartialProfile } from './gateway/profile.ts';

const profileFile = join(packageRoot, 'fixtures', 'profiles', 'reference.yaml');

const otherRoles = [
  { role: 'depleted', meaning: '(account without a balance)' },
  { role: 'foreign', meaning: '(another account)' },
  { role: 'deleted', meaning: '(refused)' },
] as const;

/** Formats the text that `serve` prints at the start: the URLs, the keys, and how to call the server. */
export function formatStartText(
  { url, profile }: Pick<ReferenceServer<PartialProfile>, 'url' | 'profile'>,
  hasConsole = false,
): string {
  const { keys, models } = profile;
  const otherKeys = otherRoles.flatMap(({ role, meaning }) => {
    const key = keys[role];
    return key === undefined ? [] : [`  ${role.padEnd(8)}  ${key}  ${meaning}\n`];
  });
  const console = hasConsole ? `Console: ${url}${consolePath} (keys, balances, requests, situations)\n` : '';
  return `Reference gateway: ${url}
${console}
Keys (valid on this server only)
  valid     ${keys.valid}
${otherKeys.join('')}
shell (the TypeScript and Python SDKs of OpenAI and Anthropic read these variables)
  export OPENAI_BASE_URL=${url}/v1 OPENAI_API_KEY=${keys.valid}
  export ANTHROPIC_BASE_URL=${url} ANTHROPIC_API_KEY=${keys.valid}
  curl "$OPENAI_BASE_URL/chat/completions" -H "authorization: Bearer $OPENAI_API_KEY" -H 'content-type: application/json' --data '{"model":"${models.chat?.good}","messages":[{"role":"user","content":"Hello"}]}'
openai
  new OpenAI({ apiKey: '${keys.valid}', baseURL: '${url}/v1' })
  Model: ${models.chat?.good}
@anthropic-ai/sdk
  new Anthropic({ apiKey: '${keys.valid}', baseURL: '${url}' })
  Model: ${models.messages?.good}
  Version 1.0 and later: apiKey: null, defaultHeaders: { 'x-api-key': '${keys.valid}', '${profile.versionHeader}': '${protocolVersion}' }
@google/genai
  new GoogleGenAI({ apiKey: '${keys.valid}', httpOptions: { baseUrl: '${url}' } })
  Model: ${models.generate?.good}
  Version 3.0 and later: add apiVersion: 'v1beta'
  Python: genai.Client(api_key='${keys.valid}', http_options={'base_url': '${url}', 'api_version': 'v1beta'})
conformance run
  npx conformance run ${url} --profile ${profileFile}

Press Ctrl+C to stop the server.
`;
}
