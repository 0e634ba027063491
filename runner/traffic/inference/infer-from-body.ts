import { toMapping } from '../../../common/mapping.ts';
import { readMember } from '../../../common/pointer.ts';
import type { Attributes } from '../../catalog/condition.ts';
import type { Operation } from '../../catalog/operations.ts';
import { findModelOperation } from '../../profile/profile.ts';
import type { GatewayPromise } from '../../profile/promise.ts';
import type { RecordedExchange } from '../recordings/recorded-exchange.ts';
import { inferBodyFault, noFault, type ParsedBody } from './infer-body-fault.ts';
import { createMemo, createNumbering } from './memo.ts';

export interface BodyInference {
  /** The invalid part of the body, the role of its model, and whether a stream is requested, as far as known. */
  readonly attributes: Attributes;
  readonly model: string | undefined;
  /**
   * Whether a gateway has no reason to refuse the request except the invalid part of its body. See `ParsedBody`. False
   * if the header `accept` does not allow the documented response.
   */
  readonly isPlain: boolean;
  /** Whether the traffic shows that the model works, and the profile does not state the model. */
  readonly isLearnedModel: boolean;
  /** A number that identifies the operation, `attributes`, `isPlain` and `isLearnedModel` in cache keys. */
  readonly id: number;
}

/** A body, and the header `accept`; undefined if the request has no such header. */
type RecordedBody = Pick<RecordedExchange['request'], 'body' | 'bodyLost'> & {
  readonly accept: string | undefined;
};

/** Infers attributes from a body. `modelInPath` is the model in the path; undefined if the path contains no model. */
export type InferFromBody = (
  operation: Operation,
  request: RecordedBody,
  modelInPath: string | undefined,
) => BodyInference;

/** Creates a function that infers attributes from bodies. Results for short bodies are cached. */
export function createInferFromBody(
  { schemas, profile }: Pick<GatewayPromise, 'schemas' | 'profile'>,
  isLearned: (model: string) => boolean,
): InferFromBody {
  const memo = createMemo<BodyInference>();
  const numberOf = createNumbering();

  return (operation, { body, bodyLost, accept }, modelInPath) => {
    const key = `${operation.id} ${bodyLost} ${accept?.length} ${accept} ${modelInPath?.length} ${modelInPath}`;
    const create = (): BodyInference => infer(operation, { body, bodyLost, accept }, modelInPath);
    return body === undefined ? memo(key, create) : memo(`${key} ${body}`, create);
  };

  function infer(...[operation, request, modelInPath]: Parameters<InferFromBody>): BodyInference {
    const body = parseBody(operation, request);
    const model = operation.body ? (modelInPath ?? readModel(body?.value)) : undefined;
    const role = inferModelRole(operation, model, body);
    const isAllowedImage = body?.attributes.fault === 'image' && role.model !== 'text-only';
    const attributes: Attributes = {
      ...(isAllowedImage ? {} : body?.attributes),
      ...role,
      ...inferStreamed(operation, request, body),
    };
    // A gateway may refuse a body without the members that the profile adds to every body.
    const added = Object.keys(profile.bodies[operation.id] ?? {});
    const isPlain =
      (body?.isPlain ?? true) &&
      added.every((name) => name in toMapping(body?.value)) &&
      allowsResponse(request.accept, attributes.streamed);
    const isLearnedModel = model !== undefined && isLearned(model);
    const id = numberOf(JSON.stringify([operation.id, attributes, isPlain, isLearnedModel]));
    return { attributes, model, isPlain, isLearnedModel, id };
  }

  function parseBody(operation: Operation, { body, bodyLost }: RecordedBody): ParsedBody | undefined {
    if (!operation.body) return { attributes: noFault, value: undefined, isPlain: true };
    if (bodyLost) return undefined;
    return inferBodyFault(body, operation.body, schemas, profile.streamParameter);
  }

  /**
   * Infers the role of the model in the profile. The role is `good` if a body that may be invalid has no model ID.
   */
  function inferModelRole(
    operation: Operation,
    model: string | undefined,
    body: ParsedBody | undefined,
  ): Attributes {
    if (!operation.body) return { model: 'none' };
    const calls = findModelOperation(operation.id);
    if (model === undefined) return body && body.attributes.fault !== 'none' ? { model: 'good' } : {};
    const roles = calls
      ? [
          ...Object.entries(profile.models[calls]),
          ...Object.entries(profile.modelLists[calls]).flatMap(([role, ids]) =>
            ids.map((id) => [role, id] as const),
          ),
        ]
      : [];
    const isMismatched =
      operation.id === 'responses' && /claude/i.test(model) && model === profile.models.messages.good;
    const role = isMismatched ? 'mismatched' : roles.find(([, id]) => id === model)?.[0];
    return role === undefined ? {} : { model: role === 'textOnly' ? 'text-only' : role };
  }

  function inferStreamed(
    operation: Operation,
    { body: text, accept }: RecordedBody,
    body: ParsedBody | undefined,
  ): Attributes {
    if (operation.streams !== 'parameter') return { streamed: String(operation.streams === 'always') };
    if (!body) return {};
    if (body.value !== undefined) {
      const streamed = toMapping(body.value)[profile.streamParameter] ?? false;
      return typeof streamed === 'boolean' ? { streamed: String(streamed) } : {};
    }
    // A gateway may find the parameter even in a body that is not valid JSON.
    const stated = [...(text ?? '').matchAll(/"(\w+)"\s*:\s*(true|false)/g)].filter(
      ([, name]) => name === profile.streamParameter,
    );
    if (stated.length === 1) return { streamed: stated[0]?.[2] ?? 'false' };
    // Some gateways send a stream to every client that accepts server-sent events.
    const mayStream = accept?.includes('text/event-stream') || text?.includes(profile.streamParameter);
    return mayStream ? {} : { streamed: 'false' };
  }
}

/** Whether an `accept` header allows the documented response. An empty or missing header allows every response. */
function allowsResponse(accept = '', streamed: string | undefined): boolean {
  const ranges = accept.split(',').filter((range) => !/;\s*q=0(\.0*)?\s*(;|$)/i.test(range));
  return (
    accept.trim() === '' ||
    ranges.some((range) => /^\s*(\*|application\/(\*|[\w.+-]*json))/i.test(range)) ||
    (streamed !== 'false' && ranges.some((range) => /^\s*text\/(\*|event-stream)/i.test(range)))
  );
}

function readModel(body: unknown): string | undefined {
  const model = readMember(body, '/model');
  return typeof model === 'string' && model !== '' ? model : undefined;
}
