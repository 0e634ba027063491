import type { Attributes } from '../catalog/condition.ts';
import { type AcceptedHeader, isOperationId, type OperationId } from '../catalog/operations.ts';
import type { WireRequest } from '../exchange/exchange.ts';
import type { GeneratedParts } from '../exchange/generation.ts';
import { findModelCollection, findModelOperation, modelRoles, type Profile } from '../profile/profile.ts';
import type { GatewayPromise } from '../profile/promise.ts';
import { addMembers, buildBody } from './body.ts';
import { placeCredential, type RunKeys } from './keys.ts';
import { formatTimeRange } from './times.ts';

/** The data for building the requests of a round, in addition to the attributes of each request. */
export interface BuildContext {
  readonly promise: GatewayPromise;
  readonly keys: RunKeys;
  /** The ID of a model that does not exist. Each round uses a different ID. */
  readonly unlistedModel: string;
  /** Returns the ID of a record that does not exist, for an exchange ID. Each call returns a different record ID. */
  readonly unknownRecord: (exchange: string) => string;
  readonly userAgent: string;
  /**
   * Returns a header in which the valid key was accepted, preferably with this operation; undefined if no such header
   * is known. Returns `x-goog-api-key` only if this operation, or its form without streaming, accepted this header.
   */
  readonly workingHeader: (operation: OperationId) => AcceptedHeader | undefined;
  /** Returns the model ID for an operation and a value of the attribute `model`; undefined if no model is known. */
  readonly model: (operation: OperationId, kind: string) => string | undefined;
}

/** A request that is ready to send. `model` is the ID of the requested model; undefined if no ID is known. */
export interface BuiltRequest {
  readonly request: WireRequest;
  readonly model: string | undefined;
}

export interface BuildOptions {
  /** The ID of the exchange of the request. Default: empty. */
  readonly id?: string;
  readonly generated?: GeneratedParts | undefined;
}

/** Builds the request that the attributes describe. Throws an `Error` for attributes that planning excludes. */
export function buildRequest(
  attributes: Attributes,
  context: BuildContext,
  { id: exchange = '', generated }: BuildOptions = {},
): BuiltRequest {
  const { operation: id = 'none' } = attributes;
  if (!isOperationId(id)) return buildRequestWithoutOperation(attributes, context);
  const { promise } = context;
  const { profile } = promise;
  const operation = promise.operations[id];
  const bound = profile.operations[id];
  if (!bound) throw new Error(`The profile does not state the request of ${id}. Add operations.${id}.`);
  const model = operation.body ? modelOf(id, attributes, context, generated) : undefined;
  // Both ends of a time range use the same reading of the clock. Two readings could differ by a second.
  const now = Date.now();
  const fillIn: PlaceholderValues = (name) =>
    (generated?.kind === 'parameters' ? generated.values[name] : undefined) ??
    placeholder(name, attributes, context, { exchange, model: model ?? '', now });
  const header =
    attributes.header === 'any'
      ? (context.workingHeader(id) ?? operation.headers[0] ?? 'bearer')
      : (attributes.header ?? 'none');
  const key =
    generated?.kind === 'key'
      ? context.keys.edited(generated.edit)
      : context.keys.value(attributes.key ?? 'none');
  const credential = placeCredential(header, key ?? '');
  const path = fillPath(bound.path, fillIn);
  const body = operation.body
    ? buildBody(attributes, { fixtures: promise.fixtures, profile, operation, model: model ?? '', generated })
    : bound.body && JSON.stringify(fillValues(bound.body, fillIn));
  const sendsVersion =
    (operation.family === 'B' || credential.headers['x-api-key'] !== undefined) &&
    attributes.version !== 'missing';
  const { sent, other } = promise.fixtures.versionHeader;
  const isBodiless = attributes.method === 'HEAD' || attributes.method === 'OPTIONS';
  return {
    model,
    request: {
      method: attributes.method === 'documented' || !attributes.method ? bound.method : attributes.method,
      path: credential.query ? `${path}${path.includes('?') ? '&' : '?'}${credential.query}` : path,
      headers: {
        'user-agent': context.userAgent,
        ...acceptHeader(attributes, promise.fixtures.accept),
        ...addedHeaders(attributes, context),
        ...withLowerCaseNames(profile.headers),
        ...(generated?.kind === 'header-name'
          ? withHeaderName(credential.headers, generated.name)
          : credential.headers),
        ...(sendsVersion && { [profile.versionHeader]: attributes.version === 'other' ? other : sent }),
        ...(body !== undefined && contentType(attributes)),
        // Without a body, there is nothing to send in chunks.
        ...(attributes.transfer === 'chunked' && body !== '' && { 'transfer-encoding': 'chunked' }),
      },
      body: isBodiless ? undefined : addMembers(body, credential.members),
    },
  };
}

function buildRequestWithoutOperation(attributes: Attributes, context: BuildContext): BuiltRequest {
  const { fixtures, profile } = context.promise;
  const family = attributes.path === 'model-list' ? 'generate' : 'models';
  const header =
    attributes.header === 'any'
      ? (context.workingHeader(family) ?? 'bearer')
      : (attributes.header ?? 'bearer');
  const credential = placeCredential(header, context.keys.value(attributes.key ?? 'good') ?? '');
  return {
    model: undefined,
    request: {
      method: 'GET',
      path: attributes.path === 'model-list' ? fixtures.familyCModelList : fixtures.unknownPath,
      headers: {
        'user-agent': context.userAgent,
        ...acceptHeader(attributes, fixtures.accept),
        ...withLowerCaseNames(profile.headers),
        ...credential.headers,
        ...(credential.headers['x-api-key'] !== undefined && {
          [profile.versionHeader]: fixtures.versionHeader.sent,
        }),
      },
      body: undefined,
    },
  };
}

function modelOf(
  id: OperationId,
  attributes: Attributes,
  context: BuildContext,
  generated: GeneratedParts | undefined,
): string | undefined {
  if (generated?.kind === 'model') return generated.id;
  const { model = 'good', given = 'none' } = attributes;
  if (model === 'alias') return given;
  if (model !== 'unlisted')
    return listedModel(id, attributes, context.promise.profile) ?? context.model(id, model);
  const template = context.promise.fixtures.unlistedModels[given];
  const good = context.model(id, 'good');
  const collection = findModelCollection(good, context.promise.profile.operations[id]?.path);
  if (template === undefined || (good === undefined && template.includes('{good}')))
    return collection + context.unlistedModel;
  // Only the end of the unlisted ID is used, because a gateway may limit the length of model IDs.
  const rest = getUnlistedModelSuffix(context.unlistedModel);
  const name = good?.slice(collection.length) ?? '';
  return collection + template.replace('{rest}', rest).replace('{good}', () => name);
}

function listedModel(id: OperationId, attributes: Attributes, { modelLists }: Profile): string | undefined {
  const { model = '', modelNumber = 'none' } = attributes;
  const [calls, role] = [findModelOperation(id), modelRoles[model]];
  return calls && role && modelLists[calls][role]?.[Number(modelNumber) - 1];
}

/** Returns the last 12 hexadecimal digits of the unlisted model ID. Variations of a valid ID contain these digits. */
export function getUnlistedModelSuffix(unlistedModel: string): string {
  return unlistedModel.slice(-12);
}

function acceptHeader(
  { accept = 'json', streamed }: Attributes,
  values: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const value = values[streamed === 'true' && accept === 'json' ? 'stream' : accept];
  return value === undefined ? {} : { accept: value };
}

function addedHeaders(
  { added = 'none' }: Attributes,
  { promise: { fixtures, profile } }: BuildContext,
): Readonly<Record<string, string>> {
  const headers = Object.entries(fixtures.addedHeaders[added] ?? {});
  if (headers.length === 0) return {};
  const { origin } = new URL(profile.baseUrl);
  return Object.fromEntries(headers.map(([name, value]) => [name, value.replaceAll('{origin}', origin)]));
}

function contentType(attributes: Attributes): Readonly<Record<string, string>> {
  if (attributes.contentType === 'missing') return {};
  return { 'content-type': attributes.contentType === 'text' ? 'text/plain' : 'application/json' };
}

type PlaceholderValues = (name: string) => string | undefined;

function placeholder(
  name: string,
  attributes: Attributes,
  context: BuildContext,
  { exchange, model, now }: { readonly exchange: string; readonly model: string; readonly now: number },
): string | undefined {
  const { profile, fixtures } = context.promise;
  switch (name) {
    case 'model':
      return model;
    case 'request_id':
      return requestId(attributes, context, exchange);
    case 'start':
    case 'end':
      return formatTimeRange(attributes.range ?? 'valid', profile.timeFormat, now, fixtures)[name];
    default:
      return undefined;
  }
}

function requestId(
  attributes: Attributes,
  { promise: { profile, fixtures }, unknownRecord }: BuildContext,
  exchange: string,
): string {
  const { record = 'none' } = attributes;
  if (record === 'own' && profile.records.own) return profile.records.own;
  if (record === 'upper-case' && profile.records.own) return profile.records.own.toUpperCase();
  if (record === 'foreign' && profile.records.foreign) return profile.records.foreign;
  return fixtures.records[record] ?? unknownRecord(exchange);
}

/** Replaces `{name}` with the percent-encoded value, and `{+name}` with the plain value. Keeps unknown names. */
export function fillPath(path: string, fillIn: PlaceholderValues): string {
  return path.replace(/\{(\+?)(\w+)\}/g, (whole, plus: string, name: string) => {
    const value = fillIn(name);
    if (value === undefined) return whole;
    return plus ? value : encodeURIComponent(value);
  });
}

/**
 * Replaces `{name}` in all strings of a JSON value. A string that consists of `{+name}` becomes a number if the value
 * has 1 to 15 digits and no other characters. Keeps unknown names.
 */
export function fillValues(value: unknown, fillIn: PlaceholderValues): unknown {
  const bare = typeof value === 'string' ? /^\{\+(\w+)\}$/.exec(value)?.[1] : undefined;
  if (bare !== undefined) {
    const text = fillIn(bare) ?? value;
    return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : text;
  }
  if (typeof value === 'string')
    return value.replace(/\{(\w+)\}/g, (whole, name: string) => fillIn(name) ?? whole);
  if (Array.isArray(value)) return value.map((item) => fillValues(item, fillIn));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillValues(item, fillIn)]));
}

export function withLowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function withHeaderName(headers: Readonly<Record<string, string>>, written: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name === written.toLowerCase() ? written : name, value]),
  );
}
