import type { HeaderLine } from './recorded.ts';

/** Headers and parameters whose values are for nobody else. */
const secretNames = /auth|key|token|secret|passw|cookie|session|signature|credential|^sig$/i;
/** Roles that stand in the place of keys are none. */
const role = /^\{\{keys\.[a-z:-]+\}\}$/;

/** Every text of a request that may be a key or a password of which nobody told. */
export function findSecrets(headers: readonly HeaderLine[], url: URL | undefined): readonly string[] {
  const inHeaders = headers.flatMap(([name, value]) => {
    if (!secretNames.test(name)) return [];
    if (/cookie/.test(name)) return value.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1));
    const [, scheme = '', rest = ''] = /^\s*(\S*)\s*(.*?)\s*$/s.exec(value) ?? [];
    if (rest === '') return [scheme];
    return /^basic$/i.test(scheme) ? [rest, ...passwordIn(rest)] : [rest];
  });
  const { searchParams, username, password } = url ?? {};
  const inQuery = [...(searchParams ?? [])].flatMap(([name, value]) =>
    secretNames.test(name) ? [value] : [],
  );
  return [...inHeaders, ...inQuery, decoded(username), decoded(password)]
    .map((text) => text.trim())
    .filter((text) => text !== '' && !role.test(text));
}

function passwordIn(basic: string): string[] {
  const text = Buffer.from(basic, 'base64').toString('utf8');
  return text.includes(':') ? [text, text.slice(text.indexOf(':') + 1)] : [];
}

function decoded(text = ''): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
