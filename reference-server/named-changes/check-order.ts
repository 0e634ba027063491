import { isObject } from '../json.ts';
import type { NamedChanges } from './named-change.ts';

/** Changes of the order of checks. */
export const checkOrderChanges: NamedChanges = {
  'only-objects-parsed': {
    about: 'the parser refuses JSON that is not an object, before any check that needs a member of the body',
    decisions: (base) => ({
      parseBody: (bytes, ctx) => {
        const parsed = base.parseBody(bytes, ctx);
        if ('failure' in parsed || isObject(parsed.value)) return parsed;
        return { failure: { kind: 'invalid-body', place: 'body', expected: 'an object' } };
      },
    }),
  },
};
