import { formatYamlLine } from '../../common/data-file.ts';
import { pluralize } from '../../common/lists.ts';
import { isOperationId, type OperationId } from '../catalog/operations.ts';
import { explainCaseNotApplicable } from '../plan/applicability.ts';
import { hasChecks, type Plan } from '../plan/plan.ts';
import { findModelOperation, type Profile } from '../profile/profile.ts';
import type { LearnedProperty } from '../report/report.ts';
import type { ProbedOperationResult, ProbeResult } from '../run/probe.ts';

/** One property of the draft: an active property, or an example in a comment. */
export interface DraftLine {
  /** The path of the property: `['keys', 'valid']`. */
  readonly path: readonly string[];
  readonly value: unknown;
  /** Whether the property is active, not an example. */
  readonly inForce: boolean;
  readonly comment: string;
}

/** A group of properties, with the comment above the group. */
export interface DraftSection {
  readonly about: readonly string[];
  readonly lines: readonly DraftLine[];
}

/**
 * Formats a profile with comments. The line of a mapping, such as `keys:`, is a comment unless at least one property of
 * the mapping is active. Values are escaped, and quoted if YAML requires quotes.
 */
export function formatDraft(head: readonly string[], sections: readonly DraftSection[]): string {
  const texts = sections.map(({ about, lines }) =>
    [...about.map(formatComment), ...formatLines(lines)].map((line) => `${line}\n`).join(''),
  );
  return [head.map((line) => `${formatComment(line)}\n`).join(''), ...texts].join('\n');
}

interface Row {
  readonly text: string;
  readonly comment: string;
}

function formatLines(lines: readonly DraftLine[]): string[] {
  const rows = lines.flatMap((line, index) => [
    ...parents(line, lines.slice(0, index), lines),
    row(line.path, ` ${formatYamlLine(line.value)}`, line),
  ]);
  const commentedRows = rows.filter(({ comment }) => comment !== '');
  const width = Math.min(80, Math.max(0, ...commentedRows.map(({ text }) => text.length)));
  return rows.map(({ text, comment }) =>
    comment === '' ? text : `${text.padEnd(width)}  ${formatComment(comment)}`,
  );
}

/** Returns the rows of the mappings that contain a property, except the mappings that are already written. */
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
  const text = `${'  '.repeat(path.length - 1)}${formatYamlLine(path.at(-1))}:${value}`;
  return { text: inForce ? text : `# ${text}`, comment };
}

/** Formats a comment on one line of printable ASCII. */
function formatComment(text: string): string {
  return text === '' ? '#' : `# ${text.replace(/[^\x20-\x7e]/g, '?')}`;
}

/**
 * Describes the outcome of the valid requests to an operation, on one line; undefined if the operation is not offered
 * and no request failed.
 */
export function describeOperation(id: OperationId, operation: ProbedOperationResult): string | undefined {
  const { kind, failure } = operation;
  const summary = failure?.summary ?? 'no response';
  const model = failure?.model === undefined ? '' : `; requested model ${JSON.stringify(failure.model)}`;
  switch (kind) {
    case 'succeeded':
      return describeSuccess(operation);
    case 'presumed':
      return 'not tried: the profile lacks a value that a valid request needs';
    case 'no-model':
      return `not tried: ${describeUnknownModel(operation)}; add \`--model ${id}=ID\``;
    case 'not-offered':
      return failure && `not offered: ${summary}${model}`;
    case 'absent':
      return `not found: ${summary}${model}`;
    case 'web-page':
      return `returned a web page: ${summary}`;
    case 'unknown-model':
      return `unknown model: ${summary}${model}; name another model with \`--model ${findModelOperation(id)}=ID\``;
    case 'refused':
      return `the key is rejected: ${summary}`;
    case 'failed':
      return `failed: ${summary}${model}`;
  }
}

function describeUnknownModel({ pattern }: ProbedOperationResult): string {
  return pattern === undefined
    ? 'no model is known'
    : `the model list has patterns such as ${JSON.stringify(pattern)}, but no model`;
}

/** Describes the headers in which the gateway accepted the key, and the result of a streamed request. */
export function describeSuccess({ headers, streams, streamFailure }: ProbedOperationResult): string {
  const stream = streamFailure ? `; streaming failed: ${streamFailure.summary}` : streams ? '; streams' : '';
  return `key accepted in ${headers.join(', ')}${stream}`;
}

/** Describes the outcome of the valid requests for a comment in a profile, without the gateway's message. */
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
      return 'returned a web page';
    case 'unknown-model':
      return `unknown model${status}`;
    case 'refused':
      return `the key was rejected${status}`;
  }
}

/** The IDs of the cases and requirements that a run with a profile can test. */
export interface TestableIds {
  readonly cases: ReadonlySet<string>;
  readonly requirements: ReadonlySet<string>;
}

/**
 * Lists the cases of a plan that a run with a profile can test, and their requirements. Omits the cases of
 * operations that cannot be called.
 */
export function findTestable(
  plan: Plan,
  profile: Profile,
  isCallable: (operation: OperationId) => boolean = () => true,
): TestableIds {
  const cases = plan.cases.filter((item) => {
    const { operation = 'none' } = item.attributes;
    return (
      hasChecks(item) &&
      (!isOperationId(operation) || isCallable(operation)) &&
      !explainCaseNotApplicable(item, profile)
    );
  });
  return {
    cases: new Set(cases.map(({ id }) => id)),
    requirements: new Set(cases.flatMap(({ checks }) => checks.map(({ requirement }) => requirement.id))),
  };
}

export function countMissing(all: ReadonlySet<string>, some: ReadonlySet<string>): number {
  return [...all].filter((id) => !some.has(id)).length;
}

/** The sections of a profile that is written from traffic, in order. */
const sections: readonly { readonly about: readonly string[]; readonly has: (path: string) => boolean }[] = [
  { about: [], has: (path) => path === 'baseUrl' },
  {
    about: ['This file contains no key. Set the variable to the key of the recorded calls.'],
    has: (path) => path.startsWith('keys.'),
  },
  { about: ['Models of successful calls.'], has: (path) => path.startsWith('models.') },
  {
    about: ['Billing-type endpoints.'],
    has: (path) => path.startsWith('operations.') || path === 'timeFormat',
  },
  { about: ['Settings.'], has: (path) => path === 'versionHeader' || path.startsWith('stream.') },
];

/**
 * Formats a profile with the values that were learned from `exchanges` exchanges. The profile contains the first
 * value of each property, and no key.
 */
export function formatDraftFromTraffic(properties: readonly LearnedProperty[], exchanges: number): string {
  const head = [
    `This profile was written from ${pluralize(exchanges, 'exchange')}. Check the values before you use the profile.`,
  ];
  const seen = new Set<string>();
  const lines = properties.flatMap(({ path, value, because }): DraftLine[] => {
    if (seen.has(path)) return [];
    seen.add(path);
    const stated = path === 'keys.valid' ? '${GATEWAY_API_KEY}' : value;
    return [{ path: path.split('.'), value: stated, inForce: true, comment: because }];
  });
  const groups = sections.flatMap(({ about, has }) => {
    const own = lines.filter(({ path }) => has(path.join('.')));
    return own.length > 0 ? [{ about, lines: own }] : [];
  });
  return formatDraft(head, groups);
}
