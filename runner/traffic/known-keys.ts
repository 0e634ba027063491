import { makeRedact, type Redact } from '../report/redact.ts';

/** What is derived of a valid key that nobody told of is no key. */
const shortest = 4;
/** So many texts that may be keys are remembered with what finds them. */
const rememberedKeys = 100;

/** The kind of each key that the profile tells of, and of each role that stands in the place of one in a recording. */
export function kindsOf(secrets: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const kindOf = (role: string): string => {
    const kind = role.split(':')[1] ?? role.replace('keys.', '');
    return kind === 'valid' ? 'good' : kind;
  };
  const roles = ['keys.valid', 'keys.deleted', 'keys.depleted', 'keys.foreign', ...secrets.values()];
  return new Map([
    ...[...secrets].flatMap(([key, role]) => (key.length < shortest ? [] : [[key, kindOf(role)] as const])),
    ...roles.map((role) => [`{{${role}}}`, kindOf(role)] as const),
  ]);
}

/** The redaction of an exchange: of the profile's keys, and of what stands in it where a key does. */
export function makeRedactFor(secrets: ReadonlyMap<string, string>): (found: readonly string[]) => Redact {
  const made = new Map<string, Redact>();
  return (found) => {
    const key = JSON.stringify(found);
    const known = made.get(key);
    if (known) return known;
    const [oldest] = made.keys();
    if (made.size >= rememberedKeys && oldest !== undefined) made.delete(oldest);
    const redact = makeRedact(new Map([...found.map((text) => [text, 'keys.client'] as const), ...secrets]));
    made.set(key, redact);
    return redact;
  };
}
