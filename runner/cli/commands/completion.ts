import { formatSuggestionOrList } from '../../../common/nearest.ts';
import { UsageError } from '../../profile/profile.ts';
import { complete, formatCandidates } from '../completion/complete.ts';
import { loadKnownNames } from '../completion/known-names.ts';
import { completionScripts } from '../completion/scripts.ts';

/** Returns the script that completes in a shell. Throws a `UsageError` for an unknown shell. */
export function completionCommand(shell: string): string {
  const scripts = new Map<string, string>(Object.entries(completionScripts));
  const script = scripts.get(shell);
  if (script !== undefined) return script;
  const known = [...scripts.keys()];
  throw new UsageError(`Unknown shell "${shell}".${formatSuggestionOrList(shell, known)}`);
}

/** Returns what can be the last of the words, in the form that the scripts read. */
export async function completeCommand(words: readonly string[]): Promise<string> {
  return formatCandidates(await complete(words, loadKnownNames));
}
