import { join } from 'node:path';
import { packageRoot } from '../common/package-root.ts';
import { listProviderLines, listRoleKeys, listShellLines, type ProviderLines } from './connect.ts';
import { consolePath } from './console/serve-console.ts';
import type { ReferenceServer } from './create-reference-server.ts';
import type { PartialProfile } from './gateway/profile.ts';

const profileFile = join(packageRoot, 'fixtures', 'profiles', 'reference.yaml');

/** Formats the text that `serve` prints at the start: the URLs, the keys, and how to call the server. */
export function formatStartText(
  gateway: Pick<ReferenceServer<PartialProfile>, 'url' | 'profile'>,
  hasConsole = false,
): string {
  const { url, profile } = gateway;
  const keys = listRoleKeys(profile).map(
    ({ role, key, meaning }) => `  ${role.padEnd(8)}  ${key}  (${meaning})\n`,
  );
  const shell = listShellLines(gateway).map((line) => `  ${line}\n`);
  const console = hasConsole ? `Console: ${url}${consolePath} (keys, balances, requests, situations)\n` : '';
  return `Reference gateway: ${url}
${console}
Keys (valid on this server only)
${keys.join('')}
Shell (the TypeScript and Python SDKs of OpenAI and Anthropic read these variables)
${shell.join('')}${listProviderLines(gateway).map(formatProvider).join('')}conformance run
  npx conformance run ${url} --profile ${profileFile}

Press Ctrl+C to stop the server.
`;
}

function formatProvider({ provider, model, lines }: ProviderLines): string {
  const formatted = lines.flatMap(({ language, package: name, line, hint }) => [
    `  ${(language === 'Python' ? `${name} (Python)` : name).padEnd(21)}  ${line}\n`,
    ...(hint === undefined ? [] : [`${' '.repeat(25)}${hint.when}: ${hint.options}\n`]),
  ]);
  return `${provider}${model === undefined ? '' : ` (model ${model})`}\n${formatted.join('')}`;
}
