import { readMember } from '../../common/pointer.ts';
import type { Attributes } from '../catalog/condition.ts';
import { errorKinds, statusesOf } from '../catalog/errors.ts';
import type { Answer } from '../exchange/exchange.ts';
import type { Deviations } from '../profile/deviations.ts';
import type { GatewayPromise } from '../profile/promise.ts';

/** The places of the names of errors. A streamed response that is a JSON array may have its error in the first item. */
const places = { types: ['/error/type', '/0/error/type'], codes: ['/error/code'] } as const;

/** A response in which a name of the gateway is replaced by one for which it stands. */
export interface NameReading {
  readonly answer: Answer;
  /** Returns a value of the reading as it is in the response. */
  readonly restore: (value: unknown) => unknown;
  /** The ID of the declared part; undefined if the name stands for itself. */
  readonly part: string | undefined;
}

/**
 * Returns a response as it reads in the names of the specification, once for each name that its own name can stand for;
 * undefined for a response without a declared name.
 */
export function readNames(
  answer: Answer,
  attributes: Attributes,
  { deviations: { readings }, errors }: Pick<GatewayPromise, 'deviations' | 'errors'>,
): readonly NameReading[] | undefined {
  const { content } = answer;
  if (content.kind !== 'json') return undefined;
  for (const kind of errorKinds)
    for (const place of places[kind]) {
      const own = readMember(content.value, place);
      const meanings = typeof own === 'string' ? readings[kind].get(own) : undefined;
      if (!meanings) continue;
      return meanings.map(({ name, status }) => {
        const row = errors[kind].get(name);
        const hasOwnStatus = status !== undefined && status === answer.status;
        const [specified = answer.status] =
          hasOwnStatus && row ? statusesOf(row, attributes.family) : [answer.status];
        const named = replaceMember(content.value, place, name);
        // The code of an error repeats the status.
        const value =
          hasOwnStatus && readMember(named, '/error/code') === status
            ? replaceMember(named, '/error/code', specified)
            : named;
        return {
          answer: { ...answer, status: specified, content: { ...content, value } },
          restore: (read) => (read === name ? own : read === specified ? answer.status : read),
          part: name === own && !hasOwnStatus ? undefined : `${kind}.${name}`,
        };
      });
    }
  return undefined;
}

/** Whether a type of an error is known only since the profile declares it. */
export const isOwnName = (type: string, { readings }: Deviations): boolean =>
  readings.types.get(type)?.every(({ name }) => name !== type) === true;

/** Returns a copy of a value with another value at a pointer that leads to a value. */
function replaceMember(value: unknown, pointer: string, replacement: unknown): unknown {
  const copy: unknown = structuredClone(value);
  const end = pointer.lastIndexOf('/');
  const parent = readMember(copy, pointer.slice(0, end));
  if (typeof parent === 'object' && parent !== null)
    Object.assign(parent, { [pointer.slice(end + 1)]: replacement });
  return copy;
}
