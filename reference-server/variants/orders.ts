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
    about: 'Validates the body before it checks the key.',
    setup: deciding(
      ordered('body', 'form', 'credential', 'known-model', 'protocol', 'support', 'images', 'balance'),
    ),
  },
  {
    id: 'orders/json-before-key',
    about: 'Parses the body before it checks the key, and validates it afterwards.',
    setup: deciding(
      ordered('body', 'credential', 'form', 'known-model', 'protocol', 'support', 'images', 'balance'),
    ),
  },
  {
    id: 'orders/model-before-key',
    about:
      'Validates the body and looks up the model before it checks the key, as a router does that chooses a provider first.',
    setup: deciding(
      ordered('body', 'form', 'known-model', 'credential', 'protocol', 'support', 'images', 'balance'),
    ),
  },
  {
    id: 'orders/balance-before-body',
    about: 'Checks the balance directly after the key, before it reads the body.',
    setup: deciding(
      ordered('credential', 'balance', 'body', 'form', 'known-model', 'protocol', 'support', 'images'),
    ),
  },
  {
    id: 'orders/balance-before-model',
    about: 'Checks the balance before the model.',
    setup: deciding(
      ordered('credential', 'body', 'form', 'balance', 'known-model', 'protocol', 'support', 'images'),
    ),
  },
  {
    id: 'orders/model-before-form',
    about:
      'Looks up the model before it validates the body, so that a missing model is reported as not available.',
    setup: deciding(
      ordered('credential', 'body', 'known-model', 'form', 'protocol', 'support', 'images', 'balance'),
    ),
  },
  {
    id: 'orders/images-last',
    about: 'Checks support, then protocol, then balance, and images last.',
    setup: deciding(
      ordered('credential', 'body', 'form', 'known-model', 'support', 'protocol', 'balance', 'images'),
    ),
  },
];
