import type { Overrides } from '../decisions/index.ts';
import type { Check } from '../decisions/order.ts';
import { isObject } from '../json.ts';
import { deciding, type Variant } from './variant.ts';

/** A gateway whose model calls are checked in that order. */
const ordered =
  (...order: readonly Check[]): Overrides =>
  (base) => ({
    checks: (ctx) => {
      const made = base.checks(ctx);
      return ctx.operation?.does === 'call' || ctx.operation?.does === 'count'
        ? order.filter((check) => made.includes(check))
        : made;
    },
    // What is no object has no model that could be looked for: it is malformed wherever that is seen.
    parseBody: (bytes, ctx) => {
      const parsed = base.parseBody(bytes, ctx);
      if ('failure' in parsed || isObject(parsed.value)) return parsed;
      return { failure: { kind: 'invalid-body', place: 'body', expected: 'an object' } };
    },
  });

/** Which of two faults is found first: section 7 states no order. */
export const orderVariants: readonly Variant[] = [
  {
    id: 'orders/body-before-key',
    about: 'The body is read and checked before the key.',
    setup: deciding(
      ordered('body', 'form', 'credential', 'known-model', 'protocol', 'support', 'images', 'balance'),
    ),
  },
  {
    id: 'orders/json-before-key',
    about: 'Only that the body is JSON is checked before the key.',
    setup: deciding(
      ordered('body', 'credential', 'form', 'known-model', 'protocol', 'support', 'images', 'balance'),
    ),
  },
  {
    id: 'orders/model-before-key',
    about: 'Body and model are looked at before the key, as by a router that chooses an upstream first.',
    setup: deciding(
      ordered('body', 'form', 'known-model', 'credential', 'protocol', 'support', 'images', 'balance'),
    ),
  },
  {
    id: 'orders/balance-before-body',
    about: 'The balance is checked right after the key, before anything is read.',
    setup: deciding(
      ordered('credential', 'balance', 'body', 'form', 'known-model', 'protocol', 'support', 'images'),
    ),
  },
  {
    id: 'orders/balance-before-model',
    about: 'The balance is checked before the model.',
    setup: deciding(
      ordered('credential', 'body', 'form', 'balance', 'known-model', 'protocol', 'support', 'images'),
    ),
  },
  {
    id: 'orders/model-before-form',
    about:
      'The model is looked up before the rest of the body is checked, so that a missing one is not available.',
    setup: deciding(
      ordered('credential', 'body', 'known-model', 'form', 'protocol', 'support', 'images', 'balance'),
    ),
  },
  {
    id: 'orders/images-last',
    about: 'Support, then protocol, then balance, and images last.',
    setup: deciding(
      ordered('credential', 'body', 'form', 'known-model', 'support', 'protocol', 'balance', 'images'),
    ),
  },
];
