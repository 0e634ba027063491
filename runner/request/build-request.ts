import type { Catalog } from '../catalog/catalog.ts';
import type { Attributes } from '../catalog/condition.ts';
import { type AcceptedHeader, isOperationId, type OperationId } from '../catalog/operations.ts';
import type { GeneratedParts } from '../plan/generation.ts';
import { modelOperation, type Profile } from '../profile/profile.ts';
import type { WireRequest } from '../transport/exchange.ts';
import { makeBody } from './body.ts';
import { type Keys, nameOfAnyObject, placeCredential } from './keys.ts';
import { timeRange } from './times.ts';

/** What a run knows when it builds a request. */
export interface BuildContext {
  readonly catalog: Catalog;
  readonly profile: Profile;
  readonly keys: Keys;
  /** A model ID that nobody has, made up anew for each run. */
  readonly unlistedModel: string;
  /** The id of a record that does not exist: a new one for each exchange, and for each call with the same exchange. */
  readonly unknownRecord: (exchange: string) => string;
  readonly userAgent: string;
  /** The accepted header that the control of an operation found to work. */
  readonly workingHeader: (operation: OperationId) => AcceptedHeader | undefined;
  /** The model that a call of these facts asks for; undefined where none is known. */
  readonly model: (operation: OperationId, kind: string) => string | undefined;
}

/** A request that is ready to be sent, and the model that it asks for. */
export interface BuiltRequest {
  readonly request: WireRequest;
  readonly model: string | undefined;
}

/** What distinguishes a request from others of the same facts. */
export interface BuildOptions {
  /** The id of its exchange. */
  readonly id?: string;
  readonly drawing?: GeneratedParts | undefined;
}

/**
 * The request that the facts describe, with what was drawn of it. Throws where they describe none: planning keeps such
 * facts away.
 */
export function buildRequest(
  facts: Attributes,
  context: BuildContext,
  { id: exchange = '', drawing }: BuildOptions = {},
): BuiltRequest {
  const { operation: id = 'none' } = facts;
  if (!isOperationId(id)) return buildUnknown(facts, context);
  const { catalog, profile } = context;
  const operation = catalog.operations[id];
  const bound = profile.operations[id];
  if (!bound) throw new Error(`The operation ${id} is not bound.`);
  const model = operation.body ? modelOf(id, facts, context, drawing) : undefined;
  const fillIn: FillIn = (name) =>
    (drawing?.kind === 'parameters' ? drawing.values[name] : undefined) ??
    placeholder(name, facts, context, { exchange, model: model ?? '' });
  const header =
    facts.header === 'any'
      ? (context.workingHeader(id) ?? operation.headers[0] ?? 'bearer')
      : (facts.header ?? 'none');
  const key =
    drawing?.kind === 'key' ? context.keys.edited(drawing.edit) : context.keys.value(facts.key ?? 'none');
  const credential = placeCredential(header, key ?? '');
  const path = fillPath(bound.path, fillIn);
  const body = operation.body
    ? makeBody(facts, { fixtures: catalog.fixtures, profile, operation, model: model ?? '', drawing })
    : bound.body && JSON.stringify(fillValues(bound.body, fillIn));
  const sendsVersion =
    (operation.family === 'B' || credential.headers['x-api-key'] !== undefined) &&
    facts.version !== 'missing';
  const { sent, other } = catalog.fixtures.versionHeader;
  return {
    model,
    request: {
      method: facts.method === 'documented' || !facts.method ? bound.method : facts.method,
      path: credential.query ? `${path}${path.includes('?') ? '&' : '?'}${credential.query}` : path,
      headers: {
        'user-agent': context.userAgent,
        accept: facts.streamed === 'true' ? 'text/event-stream, application/json' : 'application/json',
        ...lowerCased(profile.headers),
        ...(drawing?.kind === 'header-name' ? renamed(credential.headers, drawing.name) : credential.headers),
        ...(sendsVersion && { [profile.versionHeader]: facts.version === 'other' ? other : sent }),
        ...(body !== undefined && contentType(facts)),
      },
      body: facts.method === 'HEAD' || facts.method === 'OPTIONS' ? undefined : body,
    },
  };
}

/** A request to a path that is no operation's. */
function buildUnknown(facts: Attributes, context: BuildContext): BuiltRequest {
  const { fixtures } = context.catalog;
  const family = facts.path === 'model-list' ? 'generate' : 'models';
  const header =
    facts.header === 'any' ? (context.workingHeader(family) ?? 'bearer') : (facts.header ?? 'bearer');
  const credential = placeCredential(header, context.keys.value(facts.key ?? 'good') ?? '');
  return {
    model: undefined,
    request: {
      method: 'GET',
      path: facts.path === 'model-list' ? fixtures.familyCModelList : fixtures.unknownPath,
      headers: {
        'user-agent': context.userAgent,
        accept: 'application/json',
        ...lowerCased(context.profile.headers),
        ...credential.headers,
        ...(credential.headers['x-api-key'] !== undefined && {
          [context.profile.versionHeader]: fixtures.versionHeader.sent,
        }),
      },
      body: undefined,
    },
  };
}

function modelOf(
  id: OperationId,
  facts: Attributes,
  context: BuildContext,
  drawing: GeneratedParts | undefined,
): string | undefined {
  if (drawing?.kind === 'model') return drawing.id;
  const { model = 'good' } = facts;
  if (model !== 'unlisted') return context.model(id, model);
  if (facts.given === 'word') return nameOfAnyObject;
  const good = context.model(id, 'good');
  // No longer than needed, since a gateway may limit how long an ID is.
  const rest = unlistedPart(context.unlistedModel);
  if (good !== undefined && facts.given === 'alike') return `${good}-${rest}`;
  if (good !== undefined && facts.given === 'behind') return `${rest}-${good}`;
  return context.unlistedModel;
}

/** What every ID that was made up of an unlisted model has in it. */
export function unlistedPart(unlistedModel: string): string {
  return unlistedModel.slice(-12);
}

function contentType(facts: Attributes): Readonly<Record<string, string>> {
  if (facts.contentType === 'missing') return {};
  return { 'content-type': facts.contentType === 'text' ? 'text/plain' : 'application/json' };
}

/** What stands for a placeholder, made when it is asked for: most requests have none. */
type FillIn = (name: string) => string | undefined;

function placeholder(
  name: string,
  facts: Attributes,
  context: BuildContext,
  { exchange, model }: { readonly exchange: string; readonly model: string },
): string | undefined {
  const { profile, catalog } = context;
  switch (name) {
    case 'model':
      return model;
    case 'request_id':
      return requestId(facts, context, exchange);
    case 'start':
    case 'end': {
      const { unparseableTime } = catalog.fixtures;
      return timeRange(facts.range ?? 'valid', profile.timeFormat, Date.now(), unparseableTime)[name];
    }
    default:
      return undefined;
  }
}

function requestId(
  facts: Attributes,
  { profile, catalog, unknownRecord }: BuildContext,
  exchange: string,
): string {
  const { record = 'none' } = facts;
  if (record === 'own' && profile.records.own) return profile.records.own;
  if (record === 'foreign' && profile.records.foreign) return profile.records.foreign;
  return catalog.fixtures.records[record] ?? unknownRecord(exchange);
}

/** Fills `{name}` percent-encoded and `{+name}` as it is. */
export function fillPath(path: string, fillIn: FillIn): string {
  return path.replace(/\{(\+?)([a-z_]+)\}/g, (whole, plus: string, name: string) => {
    const value = fillIn(name);
    if (value === undefined) return whole;
    return plus ? value : encodeURIComponent(value);
  });
}

/** Fills `{name}` as text; a text that is `{+name}` and nothing else becomes a number where the value is one. */
function fillValues(value: unknown, fillIn: FillIn): unknown {
  const bare = typeof value === 'string' ? /^\{\+([a-z_]+)\}$/.exec(value)?.[1] : undefined;
  if (bare !== undefined) {
    const text = fillIn(bare) ?? value;
    return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : text;
  }
  if (typeof value === 'string')
    return value.replace(/\{([a-z_]+)\}/g, (whole, name: string) => fillIn(name) ?? whole);
  if (Array.isArray(value)) return value.map((item) => fillValues(item, fillIn));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillValues(item, fillIn)]));
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** The headers with those of the same name, whatever its letters, written so. */
function renamed(headers: Readonly<Record<string, string>>, written: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name === written.toLowerCase() ? written : name, value]),
  );
}

/** The model that the profile names for a call; models of streamGenerate are those of generate. */
export function profileModel(profile: Profile, operation: OperationId, kind: string): string | undefined {
  const calls = modelOperation(operation);
  if (!calls) return undefined;
  const models = profile.models[calls];
  switch (kind) {
    case 'unsupported':
      return models.unsupported;
    case 'mismatched':
      return models.mismatched;
    case 'text-only':
      return models.textOnly;
    default:
      return models.good;
  }
}
