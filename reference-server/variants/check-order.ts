import { withDecisions } from '../combine-setups.ts';
import type { CheckName, Overrides } from '../gateway/decisions.ts';
import { isObject } from '../json.ts';
import { findUnknownMember } from './requests.ts';
import type { Variant } from './variant.ts';

const checkInOrder =
  (...order: readonly CheckName[]): Overrides =>
  (base) => ({
    listChecks: (ctx) => {
      const checks = base.listChecks(ctx);
      return ctx.operation?.kind === 'call' || ctx.operation?.kind === 'count'
        ? order.filter((check) => checks.includes(check))
        : checks;
    },
    // JSON that is not an object has no model. The parser therefore refuses such a body, whatever the order of the
    // checks.
    parseBody: (bytes, ctx) => {
      const parsed = base.parseBody(bytes, ctx);
      if ('failure' in parsed || isObject(parsed.value)) return parsed;
      return { failure: { kind: 'invalid-body', place: 'body', expected: 'an object' } };
    },
  });

const bodyBeforeKey = checkInOrder(
  'body',
  'form',
  'credential',
  'known-model',
  'protocol',
  'support',
  'images',
  'balance',
);

/** Variants of the order of the checks, which section 7 leaves open. The order determines which problem is reported. */
export const checkOrderVariants: readonly Variant[] = [
  {
    id: 'orders/body-before-key',
    about: 'Validates the body before checking the key.',
    setup: withDecisions(bodyBeforeKey),
  },
  {
    id: 'orders/strict-body-before-key',
    about: 'Validates the body and rejects its unknown members before checking the key.',
    setup: withDecisions((base) => ({
      ...bodyBeforeKey(base),
      findBodyProblem: (body, ctx) => base.findBodyProblem(body, ctx) ?? findUnknownMember(body, ctx),
    })),
  },
  {
    id: 'orders/json-before-key',
    about: 'Parses the body before the key is checked, and validates the body afterwards.',
    setup: withDecisions(
      checkInOrder('body', 'credential', 'form', 'known-model', 'protocol', 'support', 'images', 'balance'),
    ),
  },
  {
    id: 'orders/model-before-key',
    about:
      'Validates the body and looks up the model before checking the key, like a router that first chooses a provider.',
    setup: withDecisions(
      checkInOrder('body', 'form', 'known-model', 'credential', 'protocol', 'support', 'images', 'balance'),
    ),
  },
  {
    id: 'orders/balance-before-body',
    about: 'Checks the balance directly after the key, before reading the body.',
    setup: withDecisions(
      checkInOrder('credential', 'balance', 'body', 'form', 'known-model', 'protocol', 'support', 'images'),
    ),
  },
  {
    id: 'orders/balance-before-model',
    about: 'Checks the balance before the model.',
    setup: withDecisions(
      checkInOrder('credential', 'body', 'form', 'balance', 'known-model', 'protocol', 'support', 'images'),
    ),
  },
  {
    id: 'orders/model-before-form',
    about:
      'Looks up the model before validating the body, so that a missing model is reported as not available.',
    setup: withDecisions(
      checkInOrder('credential', 'body', 'known-model', 'form', 'protocol', 'support', 'images', 'balance'),
    ),
  },
  {
    id: 'orders/images-last',
    about: 'Checks the support of the model, its protocol, the balance and images, in this order.',
    setup: withDecisions(
      checkInOrder('credential', 'body', 'form', 'known-model', 'support', 'protocol', 'balance', 'images'),
    ),
  },
];
