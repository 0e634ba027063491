/** A set of HTTP statuses: single ones and classes such as `4xx`, or all but these. */
export interface StatusSet {
  readonly members: readonly string[];
  readonly negated: boolean;
}

/** Reads `401`, `2xx`, a list of such, or `{ not: … }`; undefined where it is none of these. */
export function parseStatusSet(value: unknown): StatusSet | undefined {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const inner = 'not' in value && Object.keys(value).length === 1 ? parseStatusSet(value.not) : undefined;
    return inner && !inner.negated ? { members: inner.members, negated: true } : undefined;
  }
  const members = (Array.isArray(value) ? value : [value]).map(String);
  return members.every((member) => /^[1-5](\d\d|xx)$/.test(member)) ? { members, negated: false } : undefined;
}

/** Whether the status is in the set. */
export function inStatusSet(set: StatusSet, status: number): boolean {
  const { members, negated } = set;
  const isMember = members.includes(String(status)) || members.includes(`${Math.floor(status / 100)}xx`);
  return isMember !== negated;
}

/** The set as a person writes it: `400 or 402`, `other than 2xx`. */
export function showStatusSet(set: StatusSet): string {
  const list = set.members.join(' or ');
  return set.negated ? `other than ${list}` : list;
}
