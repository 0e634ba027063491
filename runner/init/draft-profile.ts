import { yamlLine } from '../../contract/data-file.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { isOperationId, type OperationId } from '../catalog/operations.ts';
import { plan } from '../plan/plan.ts';
import { modelOperation, type Profile } from '../profile/profile.ts';
import type { ProbedOperationResult, ProbeResult } from '../run/probe.ts';

/** One member of a drafted profile: in force, or an example that is commented out. */
export interface DraftLine {
  /** Where it stands: `['keys', 'valid']`. */
  readonly path: readonly string[];
  readonly value: unknown;
  readonly inForce: boolean;
  readonly comment: string;
}

/** A group of members under a sentence. */
export interface DraftSection {
  readonly about: readonly string[];
  readonly lines: readonly DraftLine[];
}

/** The text of a profile with comments; a member is in force where anything below it is. Texts are cleaned and quoted. */
export function draftProfile(head: readonly string[], sections: readonly DraftSection[]): string {
  const texts = sections.map(({ about, lines }) =>
    [...about.map(commented), ...layOut(lines)].map((line) => `${line}\n`).join(''),
  );
  return [head.map((line) => `${commented(line)}\n`).join(''), ...texts].join('\n');
}

interface Row {
  readonly text: string;
  readonly comment: string;
}

function layOut(lines: readonly DraftLine[]): string[] {
  const rows = lines.flatMap((line, index) => [
    ...parents(line, lines.slice(0, index), lines),
    row(line.path, ` ${yamlLine(line.value)}`, line),
  ]);
  const commentedRows = rows.filter(({ comment }) => comment !== '');
  const width = Math.min(80, Math.max(0, ...commentedRows.map(({ text }) => text.length)));
  return rows.map(({ text, comment }) =>
    comment === '' ? text : `${text.padEnd(width)}  ${commented(comment)}`,
  );
}

/** The members above one that no line before it has brought. */
function parents(line: DraftLine, before: readonly DraftLine[], all: readonly DraftLine[]): Row[] {
  return line.path.slice(0, -1).flatMap((_, depth) => {
    const path = line.path.slice(0, depth + 1);
    if (before.some((other) => isBelow(other, path))) return [];
    const inForce = all.some((other) => other.inForce && isBelow(other, path));
    return [row(path, '', { inForce, comment: '' })];
  });
}

function isBelow({ path }: DraftLine, above: readonly string[]): boolean {
  return path.length > above.length && above.every((name, index) => path[index] === name);
}

function row(
  path: readonly string[],
  value: string,
  { inForce, comment }: Pick<DraftLine, 'inForce' | 'comment'>,
): Row {
  const text = `${'  '.repeat(path.length - 1)}${yamlLine(path.at(-1))}:${value}`;
  return { text: inForce ? text : `# ${text}`, comment };
}

/** A comment of printable ASCII on one line, whatever stands in the text. */
function commented(text: string): string {
  return text === '' ? '#' : `# ${text.replace(/[^\x20-\x7e]/g, '?')}`;
}

/** The outcome of the valid requests to an operation, in a line; undefined where there was nothing to report. */
export function describeOperation(id: OperationId, operation: ProbedOperationResult): string | undefined {
  const { kind, failure } = operation;
  const summary = failure?.summary ?? 'no answer';
  const model =
    failure?.model === undefined ? '' : `; it asked for the model ${JSON.stringify(failure.model)}`;
  switch (kind) {
    case 'succeeded':
      return describeSuccess(operation);
    case 'presumed':
      return 'not tried: the profile does not state what a request of it needs';
    case 'no-model':
      return `not tried: no model is known; add \`--model ${id}=ID\``;
    case 'not-offered':
      return failure && `not offered: ${summary}${model}`;
    case 'absent':
      return `not found: ${summary}${model}`;
    case 'web-page':
      return `a web page answers: ${summary}`;
    case 'unknown-model':
      return `unknown model: ${summary}${model}; name another with \`--model ${modelOperation(id)}=ID\``;
    case 'refused':
      return `the key is refused: ${summary}`;
    case 'failed':
      return `failed: ${summary}${model}`;
  }
}

/** The headers in which the key was accepted, and whether the operation streams. */
export function describeSuccess({ headers, streams, streamFailure }: ProbedOperationResult): string {
  const stream = streamFailure ? `; streaming failed: ${streamFailure.summary}` : streams ? '; streams' : '';
  return `key accepted in ${headers.join(', ')}${stream}`;
}

/** The same for a comment in a profile: statuses without the words of the gateway. */
export function describeBriefly({ operations }: ProbeResult, id: OperationId): string {
  const { kind, failure, headers } = operations[id];
  const status = failure?.status === undefined ? '' : ` (${failure.status})`;
  switch (kind) {
    case 'succeeded':
      return `found; key accepted in ${headers.join(', ')}`;
    case 'presumed':
      return 'not tried';
    case 'no-model':
      return 'not tried: no model is known';
    case 'not-offered':
    case 'failed':
      return failure ? `a valid request failed${status}` : 'not tried';
    case 'absent':
      return `not found${status}`;
    case 'web-page':
      return 'a web page answers';
    case 'unknown-model':
      return `the gateway does not know the model${status}`;
    case 'refused':
      return `the key was refused${status}`;
  }
}

/** What a run with a profile judges, as far as can be told before anything is sent. */
export interface Judged {
  readonly cases: ReadonlySet<string>;
  readonly requirements: ReadonlySet<string>;
}

/** The ids of the cases that a profile lets be judged, of the operations that can be called, and of their requirements. */
export function judgedWith(
  catalog: Catalog,
  profile: Profile,
  isCallable: (operation: OperationId) => boolean = () => true,
): Judged {
  const cases = plan(catalog, profile).cases.filter(
    ({ notApplicable, attributes: facts, checks: obligations }) => {
      const { operation = 'none' } = facts;
      return !notApplicable && obligations.length > 0 && (!isOperationId(operation) || isCallable(operation));
    },
  );
  return {
    cases: new Set(cases.map(({ id }) => id)),
    requirements: new Set(
      cases.flatMap(({ checks: obligations }) => obligations.map(({ requirement }) => requirement.id)),
    ),
  };
}

/** How many members of a set another lacks. */
export function countMissing(all: ReadonlySet<string>, some: ReadonlySet<string>): number {
  return [...all].filter((id) => !some.has(id)).length;
}
