import { yamlLine } from '../../../contract/data-file.ts';
import { operationIds } from '../../catalog/operations.ts';
import type { Draft } from '../../init/create-draft.ts';
import { describeOperation } from '../../init/format-draft.ts';
import type { StatedMember } from '../../init/optional-members.ts';
import { listWorkingOperations, type ProbeResult } from '../../run/probe.ts';
import { oneLine } from '../../text/printable.ts';
import { hang } from '../../text/wrap.ts';
import { defaultProfile } from '../io/target.ts';
import { stdoutWidth } from '../io/terminal.ts';
import type { InitFlags } from './init-start.ts';

/** Formats the outcome of each operation, wrapped to a width. */
export function formatOperations(probed: ProbeResult, width: number): string[] {
  return operationIds.flatMap((id) => {
    const operation = probed.operations[id];
    const outcome = describeOperation(id, operation);
    if (outcome === undefined) return [];
    const sign =
      operation.kind === 'succeeded' ? '✓' : ['presumed', 'no-model'].includes(operation.kind) ? '–' : '✗';
    const model = operation.model === undefined ? '' : `; model ${yamlLine(operation.model)}`;
    return hang({ width }, `  ${sign} ${id.padEnd(14)}  `, oneLine(`${outcome}${model}`));
  });
}

/** Formats the findings, the written file and the commands to run next. */
export function summarizeInit(
  flags: InitFlags,
  { judged, whole }: Draft,
  { probed, stated }: { readonly probed: ProbeResult; readonly stated: readonly StatedMember[] },
): string {
  const [cases, all] = [judged.cases.size, whole.cases.size];
  const width = stdoutWidth();
  const amount =
    listWorkingOperations(probed).length === 0
      ? 'No valid request succeeded, so nothing can be tested yet.'
      : `${cases} of ${all} cases can be tested with this profile.${cases < all ? ' The file shows what to add for the others.' : ''}`;
  return [
    `Wrote ${flags.output}.`,
    '',
    ...formatOperations(probed, width),
    '',
    ...hang({ width }, '', amount),
    '',
    'Next:',
    ...unsetVariables(stated, flags).map((name) => `  export ${name}=…`),
    `  ${formatRunCommand(flags)}`,
    '',
  ].join('\n');
}

function unsetVariables(stated: readonly StatedMember[], { keyFile }: InitFlags): string[] {
  const texts = stated
    .filter(({ path }) => keyFile === undefined || path.join('.') !== 'keys.valid')
    .map(({ value }) => JSON.stringify(value));
  const names = texts.flatMap((text) => [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name));
  return [...new Set(names)].filter((name) => !process.env[name]);
}

function formatRunCommand({ output, keyFile, ca, insecure }: InitFlags): string {
  return [
    'npx conformance run',
    ...(output === defaultProfile ? [] : ['--profile', quote(output)]),
    ...(keyFile === undefined ? [] : ['--key-file', quote(keyFile)]),
    ...(ca === undefined ? [] : ['--ca', quote(ca)]),
    ...(insecure ? ['--insecure'] : []),
  ].join(' ');
}

function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
