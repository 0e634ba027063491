import type { Attributes } from '../../catalog/condition.ts';
import type { Operation } from '../../catalog/operations.ts';
import type { Exchange, Result } from '../../exchange/exchange.ts';
import type { GatewayPromise } from '../../profile/promise.ts';
import { defaultVersionHeader } from '../../profile/read-profile.ts';
import { joinHeaders } from '../recordings/read-har-entry.ts';
import type { RecordedExchange } from '../recordings/recorded-exchange.ts';
import { createReadKeyMembers } from './find-place.ts';
import { type ClassifyKey, createInferSender, findKeyHeader } from './infer-credential.ts';
import { createInferFromBody } from './infer-from-body.ts';
import { inferFromResponse, summarizeResponse } from './infer-from-response.ts';
import { createInferFromUrl, type UrlInference } from './infer-from-url.ts';
import type { OperationMatch } from './match-operation.ts';
import { createMemo } from './memo.ts';

export interface InferredExchange {
  readonly exchange: Exchange;
  /** Whether a gateway has no reason to refuse the request except its known invalid parts. See `ParsedBody`. */
  readonly isPlain: boolean;
  /** Texts in the request that may be keys or passwords, except texts whose kind is stated (`ClassifiedKey`). */
  readonly secrets: readonly string[];
  readonly credentialCount: number;
}

export type InferAttributes = (recorded: RecordedExchange, recording: RecordingInfo) => InferredExchange;

/** The properties that all exchanges of a recording share. */
export interface RecordingInfo {
  /** Whether the recorder may have removed credentials. */
  readonly withoutCredentials: boolean;
  /** Whether the recorder probably keeps credentials. */
  readonly keepsCredentials: boolean;
  /** The base URL of the run that wrote the recording; undefined in recordings of other tools. */
  readonly ownBase: string | undefined;
}

export interface InferenceParts {
  readonly promise: GatewayPromise;
  /** Whether the traffic shows that this model works, and the profile does not state the model. */
  readonly isLearnedModel: (id: string) => boolean;
  readonly classifyKey: ClassifyKey;
}

interface InferredRequest {
  readonly attributes: Attributes;
  readonly model: string | undefined;
  readonly isPlain: boolean;
}

interface SenderAttributes {
  readonly attributes: Attributes;
  readonly isLearned: boolean;
  readonly id: number;
}

const unknownSender: SenderAttributes = { attributes: {}, isLearned: false, id: 0 };

/**
 * Creates a function that infers the attributes of a recorded exchange from its request and response, the profile and
 * the request schemas. The attributes of a request of a run come from its notes. Attributes that cannot be inferred
 * are omitted, so that no requirement that depends on these attributes applies. Equal sets of attributes are usually
 * the same object, so that callers can use this object as a cache key.
 */
export function createInferAttributes({
  promise,
  classifyKey,
  isLearnedModel,
}: InferenceParts): InferAttributes {
  const { profile } = promise;
  const inferFromUrl = createInferFromUrl(profile);
  const { sent: sentVersion } = promise.fixtures.versionHeader;
  const attributesMemo = createMemo<Attributes>();
  const ownHeaders = Object.keys(profile.headers).map((name) => name.toLowerCase());
  const inferSender = createInferSender(classifyKey, ownHeaders);
  const readKeyMembers = createReadKeyMembers();
  const inferFromBody = createInferFromBody(promise, isLearnedModel);
  return (recorded, { withoutCredentials, keepsCredentials, ownBase }) => {
    const { request, notes, result } = recorded;
    const headers = joinHeaders(request.headers);
    const url = inferFromUrl(request, () => parseJson(request.body));
    // Only a request without a key in a header is searched for keys in its body.
    const members = findKeyHeader(headers) === undefined ? readKeyMembers(request.body) : {};
    const { credential, secrets, isLearned, id } = inferSender(
      request.headers,
      url,
      members,
      keepsCredentials,
    );
    const { match } = url;
    const operation = match && promise.operations[match.operation];
    const isCredentialLost = request.headersLost || (withoutCredentials && !('authorization' in headers));
    const sender = isCredentialLost ? unknownSender : { attributes: credential.attributes, isLearned, id };
    const { attributes, model, isPlain } = notes
      ? readNotes(notes)
      : match && operation
        ? infer({
            match,
            operation,
            url,
            sender,
            headers,
            request,
            result,
          })
        : inferWithoutOperation(sender);
    return {
      exchange: {
        id: recorded.id,
        attributes,
        model,
        request: {
          method: request.method,
          path: (notes && readPathBelow(request.url, ownBase)) ?? match?.path ?? request.url,
          headers,
          body: request.body,
        },
        result,
        startedAt: recorded.startedAt,
        durationMs: recorded.durationMs,
        earlier: [],
        controlAfter: notes?.controlAfter,
      },
      isPlain,
      secrets,
      credentialCount: credential.count,
    };
  };

  function readNotes(notes: NonNullable<RecordedExchange['notes']>): InferredRequest {
    // Recordings of earlier versions do not contain the attribute `accept`, whose value was always `json`.
    const attributes = attributesMemo(JSON.stringify(notes.attributes), () => ({
      accept: 'json',
      ...notes.attributes,
    }));
    return { attributes, model: notes.model, isPlain: true };
  }

  function inferWithoutOperation({ attributes, id }: SenderAttributes): InferredRequest {
    const all = attributesMemo(`none ${id}`, () => ({ operation: 'none', ...attributes }));
    return { attributes: all, model: undefined, isPlain: true };
  }

  function infer({
    match,
    operation,
    url,
    sender,
    headers,
    request,
    result,
  }: {
    readonly match: OperationMatch;
    readonly operation: Operation;
    readonly url: UrlInference;
    readonly sender: SenderAttributes;
    readonly headers: Readonly<Record<string, string>>;
    readonly request: RecordedExchange['request'];
    readonly result: Result;
  }): InferredRequest {
    const body = inferFromBody(operation, { ...request, accept: headers.accept }, match.values.model);
    const { header } = sender.attributes;
    const version = inferVersion(operation, header, headers);
    const contentType = inferContentType(request, headers['content-type']);
    const transfer = inferTransfer(request.body, headers['transfer-encoding']);
    const accept = inferAccept(headers.accept);
    const isPlain = body.isPlain && url.isPlain;
    const response = summarizeResponse(
      { attributes: { operation: operation.id, surface: operation.surface }, result },
      promise.errors,
    );
    const requestKey = `${body.id} ${sender.id} ${url.id} ${version} ${contentType} ${transfer} ${accept}`;
    const key = `${requestKey} ${response.status} ${response.isErrorIn2xx} ${response.namesModel} ${response.hasType} ${response.error?.name}`;
    const attributes = attributesMemo(key, () => {
      const accepted = header === undefined ? undefined : operation.headers.some((own) => own === header);
      // A learned model may be free of charge. An account without a balance can then call the model.
      const isFreePossible = body.isLearnedModel && sender.attributes.key === 'depleted';
      // The profile states the owner of a record only in relation to its own keys, so the owner is unknown for a
      // learned key.
      const isOwned = url.attributes.record === 'own' || url.attributes.record === 'foreign';
      const known: Attributes = {
        operation: operation.id,
        ...sender.attributes,
        surface: operation.surface,
        family: operation.family,
        ...(accepted !== undefined && { accepted: String(accepted) }),
        ...(isFreePossible ? omit(body.attributes, 'model') : body.attributes),
        ...(sender.isLearned && isOwned ? omit(url.attributes, 'record') : url.attributes),
        method: 'documented',
        path: 'documented',
        version,
        contentType,
        transfer,
        body: 'none',
        accept,
        repeated: 'false',
        overlapping: 'false',
        lifecycle: 'none',
        burst: 'false',
      };
      return inferFromResponse(known, response, isPlain);
    });
    return { attributes, model: body.model, isPlain };
  }

  function inferVersion(
    operation: Operation,
    header: string | undefined,
    headers: Readonly<Record<string, string>>,
  ): string {
    const given = headers[profile.versionHeader] ?? readOtherVendorVersion(headers);
    if (given === undefined) return operation.family === 'B' || header === 'x-api-key' ? 'missing' : 'none';
    return given === sentVersion ? 'sent' : 'other';
  }

  /**
   * Returns the required value of the version header if any header `*-version` has this value; undefined otherwise.
   * Also returns undefined if the profile names another header than the default. The vendor in the default name may
   * be wrong for the gateway.
   */
  function readOtherVendorVersion(headers: Readonly<Record<string, string>>): string | undefined {
    if (profile.versionHeader !== defaultVersionHeader) return undefined;
    const isSent = Object.keys(headers).some(
      (name) => headers[name] === sentVersion && name.endsWith('-version'),
    );
    return isSent ? sentVersion : undefined;
  }
}

function omit(attributes: Attributes, name: string): Attributes {
  const { [name]: _, ...rest } = attributes;
  return rest;
}

function readPathBelow(url: string, base: string | undefined): string | undefined {
  return base !== undefined && url.startsWith(base) ? url.slice(base.length) : undefined;
}

function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function inferContentType({ body }: RecordedExchange['request'], type: string | undefined): string {
  if (body === undefined) return 'none';
  if (type === undefined) return body === '' ? 'none' : 'missing';
  return isJsonType(type) ? 'json' : 'text';
}

function inferTransfer(body: string | undefined, encoding: string | undefined): string {
  if (body === undefined) return 'none';
  return encoding === undefined ? 'length' : 'chunked';
}

function inferAccept(value: string | undefined): string {
  if (value === undefined) return 'absent';
  if (/\btext\/html\b/i.test(value)) return 'browser';
  return /\b(json|event-stream)\b/i.test(value) ? 'json' : 'any';
}

function isJsonType(type: string): boolean {
  return /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type);
}
