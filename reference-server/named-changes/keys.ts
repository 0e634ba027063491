import type { Context } from '../gateway/context.ts';
import type { Overrides } from '../gateway/decisions.ts';
import { alsoReadKey, compareKeys, crash } from '../overrides.ts';
import type { NamedChanges } from './named-change.ts';

const crashIf =
  (isBad: (credential: string) => boolean): Overrides =>
  (base) => ({
    findKey(credential, ctx) {
      if (isBad(credential.value)) throw new Error('a defect');
      return base.findKey(credential, ctx);
    },
  });

const authorization = ({ request }: Context): string => request.headers.authorization ?? '';
const sumBytes = (text: string): number => Buffer.from(text).reduce((sum, byte) => sum + byte, 0);

/** Changes of how keys are read, compared and refused. */
export const keyChanges: NamedChanges = {
  crash: {
    about: 'a defect throws an error before the first check',
    decisions: crash,
  },
  'crash-on-long-key': {
    about: 'a key of more than 191 characters causes an internal error, as in a column that is too narrow',
    decisions: crashIf((credential) => credential.length > 191),
  },
  'crash-on-non-ascii-key': {
    about: 'a key with a letter beyond ASCII causes an internal error',
    decisions: crashIf((credential) => /[\u0080-\uffff]/.test(credential)),
  },
  'key-after-seven-characters': {
    about: 'the key is what follows seven characters, the length of `Bearer `, in Authorization',
    decisions: alsoReadKey((ctx) => /^.{6} (.*)/.exec(authorization(ctx))?.[1]),
  },
  'key-in-aws-signature': {
    about: 'a key is also read from the credential of an AWS signature in Authorization',
    decisions: alsoReadKey((ctx) => /^AWS4-HMAC-SHA256 Credential=([^/\s,]+)/.exec(authorization(ctx))?.[1]),
  },
  'key-in-websocket-protocol': {
    about: 'a key is also read from Sec-WebSocket-Protocol, after openai-insecure-api-key.',
    decisions: alsoReadKey(
      ({ request }) => request.headers['sec-websocket-protocol']?.split('openai-insecure-api-key.')[1],
    ),
  },
  'key-is-second-word': {
    about: 'the key is the second word of Authorization, whatever the scheme',
    decisions: alsoReadKey((ctx) => authorization(ctx).split(' ')[1]),
  },
  'keys-by-sum': {
    about: 'keys are compared by their length and the sum of their bytes',
    decisions: compareKeys((sent, key) => sent.length === key.length && sumBytes(sent) === sumBytes(key)),
  },
  'keys-in-plain-object': {
    about: 'keys are looked up in a plain object, so names of inherited members are accepted',
    decisions: compareKeys((sent) => sent in {}),
  },
  'unprocessable-parameters': {
    about: 'an error of a billing-type endpoint has the status 422 if a parameter is unusable as well',
    decisions: (base) => ({
      errorStatusOf: (failure, ctx) => (hasUnusableParameter(ctx) ? 422 : base.errorStatusOf(failure, ctx)),
    }),
  },
};

function hasUnusableParameter({ request: { query }, state }: Context): boolean {
  const [id, start, end] = ['request_id', 'start_time', 'end_time'].map(
    (name) => query.get(name) ?? undefined,
  );
  const isUnknown = id !== undefined && !state.records.some((record) => record.id === id);
  return isUnknown || !(Number(start ?? 0) <= Number(end ?? 0));
}
