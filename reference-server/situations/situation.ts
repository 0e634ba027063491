import { isObject } from '../../common/mapping.ts';
import { billingCodes } from '../../common/specification.ts';
import { faults } from '../faults/index.ts';
import { AdminError } from '../gateway/keys.ts';
import { type GatewayOperationId, operations } from '../gateway/operations.ts';
import { validateWithSchema } from '../gateway/schemas.ts';
import type { ScriptError } from '../script/rule.ts';
import { variants } from '../variants/index.ts';

/**
 * A deviation of the gateway. A situation applies to the next `times` requests to which the situation can apply. By
 * default, a situation applies until the situation is switched off. `retryAfter` is in seconds and has an effect only
 * for the error `rate_limit_exceeded`. The default of `retryAfter` and `afterChunks` is 1.
 */
export type Situation = { readonly times?: number } & (
  | ({ readonly operation?: GatewayOperationId } & (
      | { readonly error: ScriptError; readonly retryAfter?: number }
      /** A pause before each response, such as `500ms`. */
      | { readonly latency: string }
      /** The number of chunks after which the connection of a stream breaks. */
      | { readonly breakStream: number }
      | { readonly streamError: ScriptError; readonly afterChunks?: number }
    ))
  | { readonly fault: string }
  | { readonly variant: string }
);

/** A situation that is switched on. `used` is the number of requests to which the situation has applied. */
export type ActiveSituation = { readonly id: number; readonly situation: Situation; readonly used: number };

/** The situations of a running gateway. The IDs of situations are numbered from 1. */
export type Situations = {
  readonly list: () => readonly ActiveSituation[];
  /** Switches a situation on. Throws an `AdminError` that describes the problem if the situation is invalid. */
  readonly add: (situation: Situation) => ActiveSituation;
  /** Switches the situation with this ID off. Throws an `AdminError` if no situation has the ID. */
  readonly remove: (id: number) => void;
  /**
   * Replaces all situations. An empty list switches all situations off. If one of the new situations is invalid,
   * throws an `AdminError` and changes nothing.
   */
  readonly set: (situations: readonly Situation[]) => void;
};

/** Validates and returns a situation. Throws an `AdminError` that describes the problem of an invalid situation. */
export function readSituation(value: unknown): Situation {
  const situation = validate(value);
  for (const [kind, known] of [
    ['fault', faults],
    ['variant', variants],
  ] as const) {
    const id = kind in situation ? Reflect.get(situation, kind) : undefined;
    if (id !== undefined && !known.some((item) => item.id === id))
      throw new AdminError(
        'invalid',
        `\`${kind}\`: no ${kind} has the ID "${id}". \`conformance list ${kind}s\` lists the IDs.`,
      );
  }
  assertPossible(situation);
  return situation;
}

/** Throws an `AdminError` if the operation of a situation never returns the error of the situation. */
function assertPossible(situation: Situation): void {
  if (!('error' in situation) || situation.operation === undefined) return;
  const { error, operation } = situation;
  const isBilling = operations[operation].surface === 'billing';
  if (isBillingCode(error) === isBilling) return;
  const kind = isBilling ? 'a type of model endpoints' : 'a code of billing-type endpoints';
  throw new AdminError(
    'invalid',
    `\`operation\`: "${error}" is ${kind}, which \`${operation}\` never returns. Remove \`operation\`, choose another error, or use a script, which can return any error.`,
  );
}

/** Whether an error is a code of section 7.2, which only billing-type endpoints return. */
export function isBillingCode(error: ScriptError): boolean {
  return Object.values<string>(billingCodes).includes(error);
}

const kinds = ['error', 'latency', 'breakStream', 'streamError', 'fault', 'variant'];

function validate(value: unknown): Situation {
  if (kinds.filter((kind) => isObject(value) && value[kind] !== undefined).length !== 1)
    throw new AdminError('invalid', `A situation must have exactly one of ${kinds.join(', ')}.`);
  try {
    return validateWithSchema('situation', 'situation', value);
  } catch (error) {
    throw new AdminError('invalid', error instanceof Error ? error.message : String(error));
  }
}
