import { formatList } from '../../common/lists.ts';

/**
 * A set of HTTP statuses. `members` lists statuses such as `401` and classes such as `4xx`. If `negated` is true, the
 * set contains all statuses except those of `members`.
 */
export interface StatusSet {
  readonly members: readonly string[];
  readonly negated: boolean;
}

/**
 * Parses a status such as `401`, a class such as `2xx`, a list of statuses and classes, or one of these forms in
 * `{ not: … }`. Returns undefined for any other value.
 */
export function parseStatusSet(value: unknown): StatusSet | undefined {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const inner = 'not' in value && Object.keys(value).length === 1 ? parseStatusSet(value.not) : undefined;
    return inner && !inner.negated ? { members: inner.members, negated: true } : undefined;
  }
  const members = (Array.isArray(value) ? value : [value]).map(String);
  return members.every((member) => /^[1-5](\d\d|xx)$/.test(member)) ? { members, negated: false } : undefined;
}

export function isInStatusSet(set: StatusSet, status: number): boolean {
  const { members, negated } = set;
  const isMember = members.includes(String(status)) || members.includes(`${Math.floor(status / 100)}xx`);
  return isMember !== negated;
}

/**
 * Formats the set in words: `400 or 402`, `any status except 2xx`. If the set excludes several classes, the result
 * lists the remaining classes without 1xx: `4xx or 3xx`, or `another 4xx or 3xx` if the set also excludes single
 * statuses of these classes.
 */
export function formatStatusSet({ members, negated }: StatusSet): string {
  if (!negated) return members.join(' or ');
  const classes = members.filter((member) => member.endsWith('xx'));
  const single = members.filter((member) => !member.endsWith('xx'));
  const left = ['4xx', '3xx', '5xx', '2xx'].filter((member) => !classes.includes(member));
  const isFewLeft = classes.length > 1 && single.every((member) => left.includes(`${member[0]}xx`));
  if (!isFewLeft) return `any status except ${formatList(members)}`;
  return `${single.length > 0 ? 'another ' : ''}${left.join(' or ')}`;
}
