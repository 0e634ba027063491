import { readMember } from '../common/pointer.ts';
import type { Context } from './gateway/context.ts';
import type { Decisions } from './gateway/decisions.ts';
import type { HeaderName } from './gateway/operations.ts';
import type { ApiKey } from './gateway/state.ts';
import type { Change, KeysChange } from './rules/rule.ts';

/** Returns the decisions about keys that `keys` and `skip` change. */
export function createKeyDecisions(changeOf: (ctx: Context) => Change, base: Decisions): Partial<Decisions> {
  const isSkipped = (ctx: Context): boolean => changeOf(ctx).skip?.includes('credential') ?? false;
  return {
    listAcceptedHeaders(ctx) {
      const { from = [], notFrom = [] } = changeOf(ctx).keys ?? {};
      const accepted = base.listAcceptedHeaders(ctx);
      const more = headerNames.filter((name) => from.includes(name) && !accepted.includes(name));
      return [...accepted, ...more].filter((name) => !notFrom.includes(name));
    },
    credentialOf(accepted, ctx) {
      const found = base.credentialOf(accepted, ctx);
      if (found.header !== 'none') return found;
      for (const place of changeOf(ctx).keys?.from ?? []) {
        const value = readPlace(place, ctx);
        if (value) return { header: 'bearer', value };
      }
      const [any] = ctx.state.keys;
      return isSkipped(ctx) && any ? { header: 'bearer', value: any.value } : found;
    },
    findKey(credential, ctx) {
      const { ignore = [], accept = [] }: KeysChange = changeOf(ctx).keys ?? {};
      const isSame = ({ value }: ApiKey): boolean =>
        ignore.some((difference) => differences[difference]?.(credential.value, value) ?? false);
      const found = base.findKey(credential, ctx) ?? ctx.state.keys.find(isSame);
      return found ?? (accept.includes('unknown') || isSkipped(ctx) ? ctx.state.keys[0] : undefined);
    },
    isKeyValid: (key, ctx) =>
      base.isKeyValid(key, ctx) ||
      isSkipped(ctx) ||
      (key.deleted && (changeOf(ctx).keys?.accept?.includes('deleted') ?? false)),
  };
}

const headerNames: readonly HeaderName[] = ['bearer', 'x-api-key', 'x-goog-api-key'];

/** The places of a key other than a header, by the kind before the colon. */
const places: Readonly<Record<string, (name: string, ctx: Context) => unknown>> = {
  query: (name, { request }) => request.query.get(name),
  cookie: (name, { request }) =>
    (request.headers.cookie ?? '')
      .split(/; */)
      .map((pair) => pair.split('='))
      .find(([own]) => own === name)?.[1],
  basic(part, { request }) {
    const [, encoded = ''] = /^basic +(.+)$/i.exec(request.headers.authorization ?? '') ?? [];
    const [user, password] = Buffer.from(encoded, 'base64').toString().split(':');
    return part === 'user' ? user : password;
  },
  body: (pointer, { body }) => readMember(body, pointer),
};

/** Reads a key from a place. In a header, the key is the only word, with or without the scheme `Bearer`. */
function readPlace(place: string, ctx: Context): string | undefined {
  const colon = place.indexOf(':');
  const found =
    colon < 0
      ? /^(?:bearer +)?(\S+)$/i.exec(ctx.request.headers[place.toLowerCase()] ?? '')?.[1]
      : places[place.slice(0, colon)]?.(place.slice(colon + 1), ctx);
  return typeof found === 'string' ? found : undefined;
}

type Comparison = (sent: string, key: string) => boolean;

const ifSameLength =
  (compare: Comparison): Comparison =>
  (sent, key) =>
    sent.length === key.length && compare(sent, key);

/** The differences between a credential and a key that a gateway can ignore. The prefix of a key is `sk-`. */
const differences: Readonly<Record<string, Comparison>> = {
  quotes: (sent, key) => sent.replace(/^"(.*)"$/, '$1') === key,
  case: (sent, key) => sent.toLowerCase() === key.toLowerCase(),
  scheme: (sent, key) => sent.replaceAll('Bearer ', '') === key,
  'non-ascii': (sent, key) => sent.replace(/[\u0080-\uffff]/g, '') === key,
  'after-space': (sent, key) => sent.split(' ')[0] === key,
  'after-comma': (sent, key) => sent.split(',')[0] === key,
  'after-dash': (sent, key) => sent.startsWith(`${key}-`),
  'after-key': (sent, key) => sent.startsWith(key),
  'missing-prefix': (sent, key) => `sk-${sent}` === key,
  'missing-end': (sent, key) => sent.length >= 16 && key.startsWith(sent),
  'missing-half': (sent, key) => sent === key.slice(0, Math.ceil(key.length / 2)),
  'missing-last': (sent, key) => sent === key.slice(0, -1),
  'other-prefix': ifSameLength((sent, key) => sent.slice(3) === key.slice(3)),
  'other-first': ifSameLength(
    (sent, key) => sent.slice(0, 3) + sent.slice(4) === key.slice(0, 3) + key.slice(4),
  ),
  'other-middle': ifSameLength(
    (sent, key) => sent.startsWith(key.slice(0, 7)) && sent.endsWith(key.slice(-4)),
  ),
  'other-last': ifSameLength((sent, key) => sent.slice(0, -1) === key.slice(0, -1)),
};
