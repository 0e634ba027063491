import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { loadKnownNames } from '../../../runner/cli/completion/known-names.ts';
import { listKnownNames } from '../../../runner/cli/completion/list-known-names.ts';
import { createScratchFolder, program } from '../../support/command.ts';
import { runInProcess } from '../../support/in-process-command.ts';

const execute = promisify(execFile);
const folder = createScratchFolder();
mkdirSync(join(folder, 'bin'));
symlinkSync(program, join(folder, 'bin', 'conformance'));
for (const name of ['conformance.yaml', 'a file.har']) writeFileSync(join(folder, name), '');

/** Returns what bash offers at the end of a line, with `␣` where it would insert a space. */
async function completeInBash(line: string): Promise<string[]> {
  const script = `
    source <(conformance completion bash)
    compopt() { [[ $2 == nospace ]] && space=; }
    COMP_LINE=$1 COMP_POINT=\${#1} COMPREPLY=() space=␣
    _conformance
    for text in "\${COMPREPLY[@]}"; do printf '%s%s\\n' "$text" "$space"; done`;
  const env = { PATH: `${join(folder, 'bin')}:${process.env.PATH}` };
  const { stdout } = await execute('bash', ['-c', script, 'bash', line], { cwd: folder, env });
  return stdout.split('\n').slice(0, -1);
}

test.each([
  ['conformance ru', ['run␣']],
  ['conformance completion ', ['bash␣', 'zsh␣', 'fish␣']],
  ['conformance run --only pooled', ['pooled/']],
  // Bash breaks the words of the line at = and replaces only what is after it.
  ['conformance run --only auth/good-key/operation=mod', ['models/']],
  ['conformance run --suite=bal', ['balance␣']],
  ['conformance run --reporter junit', ['junit', 'junit=']],
  ['conformance run --profile conf', ['conformance.yaml␣']],
  ['conformance run --reporter html=conf', ['conformance.yaml␣']],
  ['conformance check a', ['a file.har␣']],
  ['conformance rum ', []],
])('bash completes %j', async (line, texts) => {
  expect(await completeInBash(line)).toEqual(texts);
});

test('the names of the build are those of the data', async () => {
  expect(await loadKnownNames()).toEqual(await listKnownNames());
});

test.each(['bash', 'zsh', 'fish'])('the script for %s calls `complete`', async (shell) => {
  const { code, stdout } = await runInProcess(['completion', shell]);
  expect([code, stdout]).toEqual([0, expect.stringContaining(' complete -- ')]);
});
