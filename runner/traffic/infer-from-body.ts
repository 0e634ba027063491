import { mapping } from '../../contract/mapping.ts';
import { readMember } from '../../contract/pointer.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Facts } from '../catalog/condition.ts';
import type { Operation } from '../catalog/operations.ts';
import { modelOperation, type Profile } from '../profile/profile.ts';
import { makeNumbers, makeRemember, type Recorded } from '../recordings/recorded-exchange.ts';
import { type BodySeen, inferBody } from './infer-body-fault.ts';

/** What a request asks of its operation. */
export interface Asked {
  /** What is at fault in its body, the role of its model, and whether a stream is asked for, as far as they are known. */
  readonly facts: Facts;
  readonly model: string | undefined;
  /** Whether its body has nothing of which the specification does not speak. */
  readonly plain: boolean;
  /** The same for all whose operation, facts and plainness are the same, as long as it is remembered. */
  readonly number: number;
}

/** `modelInPath` is what stands in the address in the place of a model. */
export type RecogniseAsked = (
  operation: Operation,
  request: Pick<Recorded['request'], 'body' | 'bodyLost'>,
  modelInPath: string | undefined,
) => Asked;

const noFault: Facts = { fault: 'none', member: 'none', place: 'none', given: 'none' };

/** Reads each of the short bodies that come again and again once. */
export function makeInferAsked(catalog: Catalog, profile: Profile): RecogniseAsked {
  const remember = makeRemember<Asked>();
  const numberOf = makeNumbers();

  return (operation, { body, bodyLost }, modelInPath) => {
    const kind = `${operation.id} ${bodyLost} ${modelInPath?.length} ${modelInPath}`;
    const read = (): Asked => recognise(operation, { body, bodyLost }, modelInPath);
    return body === undefined ? remember(kind, read) : remember(`${kind} ${body}`, read);
  };

  function recognise(...[operation, request, modelInPath]: Parameters<RecogniseAsked>): Asked {
    const body = bodyOf(operation, request);
    const model = operation.body ? (modelInPath ?? modelIn(body?.value)) : undefined;
    const role = modelFact(operation, model, body);
    const isImage = body?.facts.fault === 'image' && role.model !== 'text-only';
    const facts = {
      ...(isImage ? {} : body?.facts),
      ...role,
      ...streamedFact(operation, request.body, body),
    };
    const plain = body?.plain ?? true;
    return { facts, model, plain, number: numberOf(JSON.stringify([operation.id, facts, plain])) };
  }

  function bodyOf(
    operation: Operation,
    { body, bodyLost }: Pick<Recorded['request'], 'body' | 'bodyLost'>,
  ): BodySeen | undefined {
    if (!operation.body) return { facts: noFault, value: undefined, plain: true };
    if (bodyLost) return undefined;
    return inferBody(body, operation.body, catalog.schemas, profile.streamParameter);
  }

  /** The role of the model in the profile; of a body without one, the fault is all that is wrong. */
  function modelFact(operation: Operation, model: string | undefined, body: BodySeen | undefined): Facts {
    if (!operation.body) return { model: 'none' };
    const calls = modelOperation(operation.id);
    if (model === undefined) return body && body.facts.fault !== 'none' ? { model: 'good' } : {};
    const roles = Object.entries(calls ? profile.models[calls] : {});
    const isOther =
      operation.id === 'responses' && /claude/i.test(model) && model === profile.models.messages.good;
    const role = isOther ? 'mismatched' : roles.find(([, id]) => id === model)?.[0];
    return role === undefined ? {} : { model: role === 'textOnly' ? 'text-only' : role };
  }

  function streamedFact(operation: Operation, text: string | undefined, body: BodySeen | undefined): Facts {
    if (operation.streams !== 'parameter') return { streamed: String(operation.streams === 'always') };
    if (!body) return {};
    if (body.value !== undefined) {
      const asked = mapping(body.value)[profile.streamParameter] ?? false;
      return typeof asked === 'boolean' ? { streamed: String(asked) } : {};
    }
    return text?.includes(profile.streamParameter) ? {} : { streamed: 'false' };
  }
}

function modelIn(body: unknown): string | undefined {
  const model = readMember(body, '/model');
  return typeof model === 'string' && model !== '' ? model : undefined;
}
