import { toMapping } from '../../../common/mapping.ts';
import { matchTemplate } from '../../../common/template.ts';
import { attributesOfPackage, type Container, listPlacesIn } from '../../catalog/attributes.ts';
import type { HeaderLine } from '../recordings/recorded-exchange.ts';

/** A place of a key, as a value of the attribute `header`, and the text of the key. */
export interface FoundKey {
  readonly place: string;
  readonly key: string;
}

/** Returns the place and the text of a key in `Authorization` with a scheme other than `Bearer`. */
export function findKeyAfterScheme(value: string): FoundKey | undefined {
  const schemes = attributesOfPackage().valuesOf('header', 'other-scheme');
  return listPlacesIn('headers')
    .filter(({ place }) => schemes.includes(place))
    .flatMap(({ place, template }) => found(place, matchTemplate(template, value)))[0];
}

/** Returns the keys in headers that the specification does not define, apart from cookies. */
export function findKeysInHeaders(headers: readonly HeaderLine[]): FoundKey[] {
  const unlisted = attributesOfPackage().valuesOf('header', 'unlisted-header');
  return listPlacesIn('headers')
    .filter(({ place }) => unlisted.includes(place))
    .flatMap(({ place, name, template }) =>
      headers
        .filter(([own]) => own === name)
        .flatMap(([, value]) => found(place, matchTemplate(template, value))),
    );
}

/** Returns the texts in cookies in which gateways accept keys. Such a text can also be the session of a browser. */
export function findKeysInCookies(headers: readonly HeaderLine[]): FoundKey[] {
  const cookies = headers
    .filter(([name]) => name === 'cookie')
    .flatMap(([, value]) => value.split(';').map((cookie) => cookie.trim()));
  return listPlacesIn('cookie').flatMap(({ place, name }) =>
    cookies
      .filter((cookie) => cookie.startsWith(`${name}=`))
      .flatMap((cookie) => found(place, cookie.slice(name.length + 1))),
  );
}

function found(place: string, key: string | undefined): FoundKey[] {
  return key ? [{ place, key }] : [];
}

/** The members of a body that may contain a key, by name. */
export type KeyMembers = Readonly<Record<string, string>>;

/** Returns the keys in members of the body. */
export function findKeysInBody(members: KeyMembers): FoundKey[] {
  return [...attributesOfPackage().places].flatMap(([place, { parts = [] }]) =>
    parts.filter((part) => part.in === 'body').flatMap(({ name }) => found(place, members[name])),
  );
}

/**
 * Creates a function that returns the members of a JSON body that have the name of a query parameter, a cookie or a
 * member in which gateways accept keys.
 */
export function createReadKeyMembers(): (body: string | undefined) => KeyMembers {
  const others: readonly Container[] = ['query', 'cookie', 'body'];
  const parts = [...attributesOfPackage().places.values()].flatMap(({ parts: own = [] }) => own);
  const names = new Set(parts.filter((part) => others.includes(part.in)).map(({ name }) => name));
  const pattern = new RegExp(`"(?:${[...names].join('|')})"\\s*:\\s*"`);
  return (body) => {
    if (body === undefined || !pattern.test(body)) return {};
    const found = Object.entries(parseMembers(body)).flatMap(([name, value]) =>
      names.has(name) && typeof value === 'string' ? [[name, value] as const] : [],
    );
    return Object.fromEntries(found);
  };
}

function parseMembers(body: string): Readonly<Record<string, unknown>> {
  try {
    return toMapping(JSON.parse(body));
  } catch {
    return {};
  }
}
