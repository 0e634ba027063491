import type { Catalog } from '../catalog/catalog.ts';
import type { Facts } from '../catalog/condition.ts';
import { mapping } from '../catalog/mapping.ts';
import type { Operation } from '../catalog/operations.ts';
import { readMember } from '../catalog/pointer.ts';
import { modelOperation, type Profile } from '../profile/profile.ts';
import { defaultVersionHeader } from '../profile/read-profile.ts';
import type { Answer, Exchange } from '../send/exchange.ts';
import { concludeFacts } from './conclude-facts.ts';
import { findSecrets } from './find-secrets.ts';
import { type Match, makeMatchOperation, urlOf } from './match-operation.ts';
import { isJsonType } from './media-type.ts';
import { joinHeaders } from './read-har-entry.ts';
import { type BodySeen, recogniseBody } from './recognise-body.ts';
import { type KindOfKey, recogniseCredential } from './recognise-credential.ts';
import { parameterFacts, recogniseParameters } from './recognise-parameters.ts';
import type { Recorded } from './recorded.ts';

/** An exchange with what could be told of it. */
export interface Recognised {
  readonly exchange: Exchange;
  /** Whether its request has nothing of which the specification does not speak. */
  readonly plain: boolean;
  /** Texts of it that may be keys or passwords of which nobody told. */
  readonly secrets: readonly string[];
  /** How many credentials stand in its headers. */
  readonly credentials: number;
}

export type Recognise = (recorded: Recorded, about: AboutRecording) => Recognised;

/** What a recording says of all of its entries. */
export interface AboutRecording {
  /** Its recorder leaves out headers with credentials. */
  readonly withoutCredentials: boolean;
  /** The base URL of this suite's own requests. */
  readonly ownBase: string | undefined;
}

/** What is the same for all exchanges of a recording. */
export interface RecogniseParts {
  readonly catalog: Catalog;
  readonly profile: Profile;
  readonly kindOf: KindOfKey;
}

/**
 * Tells the facts of recorded exchanges, by the operations, keys and models of the profile and by the request schemas.
 * What can't be told is left out, and then no requirement that asks for it speaks of the exchange.
 */
export function makeRecognise({ catalog, profile, kindOf }: RecogniseParts): Recognise {
  const matchOperation = makeMatchOperation(profile);
  const { sent } = catalog.fixtures.versionHeader;
  return (recorded, { withoutCredentials, ownBase }) => {
    const { request, notes, result } = recorded;
    const headers = joinHeaders(request.headers);
    const parsed = urlOf(request.url);
    const query = parsed?.searchParams.get('key') ?? undefined;
    const credential = recogniseCredential(request.headers, query, kindOf);
    const match = matchOperation({ ...request, parsed }, () => bodyValue(request.body));
    const operation = match && catalog.operations[match.operation];
    // A recorder that leaves out `Authorization` may have left it out here.
    const isHidden = request.headersLost || (withoutCredentials && !('authorization' in headers));
    const { facts, model } = notes ?? {
      facts: { operation: 'none', ...(isHidden ? {} : credential.facts) },
      model: undefined,
    };
    const { plain, ...told } =
      notes || !match || !operation
        ? { facts, model, plain: true }
        : tell({
            match,
            operation,
            facts,
            headers,
            request,
            answer: result.kind === 'answer' ? result.answer : undefined,
          });
    return {
      exchange: {
        id: recorded.id,
        ...told,
        request: {
          method: request.method,
          path: (notes && within(request.url, ownBase)) ?? match?.path ?? request.url,
          headers,
          body: request.body,
        },
        result,
        startedAt: recorded.startedAt,
        durationMs: recorded.durationMs,
        earlier: [],
        controlAfter: notes?.controlAfter,
      },
      plain,
      secrets: findSecrets(request.headers, parsed).filter((text) => kindOf(text) === undefined),
      credentials: credential.count,
    };
  };

  function tell(seen: {
    readonly match: Match;
    readonly operation: Operation;
    readonly facts: Facts;
    readonly headers: Readonly<Record<string, string>>;
    readonly request: Recorded['request'];
    readonly answer: Answer | undefined;
  }): { readonly facts: Facts; readonly model: string | undefined; readonly plain: boolean } {
    const { match, operation, headers, request, answer } = seen;
    const body = bodyOf(operation, request);
    const model = operation.body ? (match.values.model ?? modelIn(body?.value)) : undefined;
    const role = modelFact(operation, model, body);
    const header = seen.facts.header;
    const accepted = header === undefined ? undefined : operation.headers.some((own) => own === header);
    const known: Facts = {
      ...seen.facts,
      operation: operation.id,
      surface: operation.surface,
      family: operation.family,
      ...(accepted !== undefined && { accepted: String(accepted) }),
      ...(body?.facts.fault === 'image' && role.model !== 'text-only' ? {} : body?.facts),
      ...role,
      ...streamedFact(operation, request.body, body),
      ...parameterFacts(operation.id, recogniseParameters(match.values, profile, match.inPath)),
      method: 'documented',
      path: 'documented',
      version: versionOf(operation, header, headers),
      contentType: contentTypeOf(request, headers['content-type']),
      repeated: 'false',
      burst: 'false',
    };
    const plain = (body?.plain ?? true) && match.extra.every((name) => name === 'key');
    return { facts: concludeFacts(known, answer, plain), model, plain };
  }

  function bodyOf(operation: Operation, request: Recorded['request']): BodySeen | undefined {
    if (!operation.body) return { facts: noFault, value: undefined, plain: true };
    if (request.bodyLost) return undefined;
    return recogniseBody(request.body, operation.body, catalog.schemas, profile.streamParameter);
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

  function versionOf(
    operation: Operation,
    header: string | undefined,
    headers: Readonly<Record<string, string>>,
  ): string {
    const given = headers[profile.versionHeader] ?? ofOtherVendor(headers);
    if (given === undefined) return operation.family === 'B' || header === 'x-api-key' ? 'missing' : 'none';
    return given === sent ? 'sent' : 'other';
  }

  /** Without a profile that says so, the vendor in the name of the version header is not known. */
  function ofOtherVendor(headers: Readonly<Record<string, string>>): string | undefined {
    if (profile.versionHeader !== defaultVersionHeader) return undefined;
    return Object.entries(headers).find(([name, value]) => name.endsWith('-version') && value === sent)?.[1];
  }
}

/** What an address has behind its base URL; undefined where it is under another. */
function within(url: string, base: string | undefined): string | undefined {
  return base !== undefined && url.startsWith(base) ? url.slice(base.length) : undefined;
}

const noFault: Facts = { fault: 'none', member: 'none', place: 'none', given: 'none' };

function bodyValue(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function modelIn(body: unknown): string | undefined {
  const model = readMember(body, '/model');
  return typeof model === 'string' && model !== '' ? model : undefined;
}

function contentTypeOf({ body }: Recorded['request'], type: string | undefined): string {
  if (body === undefined) return 'none';
  if (type === undefined) return 'missing';
  return isJsonType(type) ? 'json' : 'text';
}
