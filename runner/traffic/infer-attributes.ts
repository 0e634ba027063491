import type { Catalog } from '../catalog/catalog.ts';
import type { Facts } from '../catalog/condition.ts';
import type { Operation } from '../catalog/operations.ts';
import type { Profile } from '../profile/profile.ts';
import { defaultVersionHeader } from '../profile/read-profile.ts';
import { joinHeaders } from '../recordings/read-har-entry.ts';
import { makeRemember, type Recorded } from '../recordings/recorded-exchange.ts';
import type { Answer, Exchange } from '../transport/exchange.ts';
import { type Address, makeReadAddress } from './infer-from-url.ts';
import { makeInferAsked } from './infer-from-body.ts';
import { type KindOfKey, makeInferSender, type Sender } from './infer-credential.ts';
import { inferFromResponse, saidBy } from './infer-from-response.ts';
import type { Match } from './match-operation.ts';

/** An exchange with what could be told of it. */
export interface InferredExchange {
  readonly exchange: Exchange;
  /** Whether its request has nothing of which the specification does not speak. */
  readonly plain: boolean;
  /** Texts of it that may be keys or passwords of which nobody told. */
  readonly secrets: readonly string[];
  /** How many credentials stand in its headers. */
  readonly credentials: number;
}

export type Recognise = (recorded: Recorded, about: AboutRecording) => InferredExchange;

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
 * What can't be told is left out, and then no requirement that asks for it speaks of the exchange. Facts that are alike are
 * mostly the same object.
 */
export function makeInfer({ catalog, profile, kindOf }: RecogniseParts): Recognise {
  const readAddress = makeReadAddress(profile);
  const { sent } = catalog.fixtures.versionHeader;
  const sameFacts = makeRemember<Facts>();
  const recogniseSender = makeInferSender(kindOf);
  const recogniseAsked = makeInferAsked(catalog, profile);
  return (recorded, { withoutCredentials, ownBase }) => {
    const { request, notes, result } = recorded;
    const headers = joinHeaders(request.headers);
    const address = readAddress(request, () => bodyValue(request.body));
    const { credential, secrets, number } = recogniseSender(request.headers, address);
    const { match } = address;
    const operation = match && catalog.operations[match.operation];
    // A recorder that leaves out `Authorization` may have left it out here.
    const isHidden = request.headersLost || (withoutCredentials && !('authorization' in headers));
    const sender = isHidden ? nobody : { facts: credential.facts, number };
    const { facts, model, plain } = notes
      ? { facts: sameFacts(JSON.stringify(notes.facts), () => notes.facts), model: notes.model, plain: true }
      : match && operation
        ? tell({
            match,
            operation,
            address,
            sender,
            headers,
            request,
            answer: result.kind === 'answer' ? result.answer : undefined,
          })
        : {
            facts: sameFacts(`none ${sender.number}`, () => ({ operation: 'none', ...sender.facts })),
            model: undefined,
            plain: true,
          };
    return {
      exchange: {
        id: recorded.id,
        facts,
        model,
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
      secrets,
      credentials: credential.count,
    };
  };

  function tell(seen: {
    readonly match: Match;
    readonly operation: Operation;
    readonly address: Address;
    readonly sender: Pick<Sender, 'number'> & { readonly facts: Facts };
    readonly headers: Readonly<Record<string, string>>;
    readonly request: Recorded['request'];
    readonly answer: Answer | undefined;
  }): { readonly facts: Facts; readonly model: string | undefined; readonly plain: boolean } {
    const { match, operation, address, sender, headers, request, answer } = seen;
    const asked = recogniseAsked(operation, request, match.values.model);
    const { header } = sender.facts;
    const version = versionOf(operation, header, headers);
    const contentType = contentTypeOf(request, headers['content-type']);
    const plain = asked.plain && address.plain;
    const said = saidBy(answer);
    const ofRequest = `${asked.number} ${sender.number} ${address.number} ${version} ${contentType}`;
    const name = `${ofRequest} ${said.status} ${said.tellsOfError} ${said.type}`;
    const facts = sameFacts(name, () => {
      const accepted = header === undefined ? undefined : operation.headers.some((own) => own === header);
      const known = {
        operation: operation.id,
        ...sender.facts,
        surface: operation.surface,
        family: operation.family,
        ...(accepted !== undefined && { accepted: String(accepted) }),
        ...asked.facts,
        ...address.parameters,
        method: 'documented',
        path: 'documented',
        version,
        contentType,
        repeated: 'false',
        burst: 'false',
      };
      return inferFromResponse(known, said, plain);
    });
    return { facts, model: asked.model, plain };
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
    const isSent = Object.keys(headers).some((name) => headers[name] === sent && name.endsWith('-version'));
    return isSent ? sent : undefined;
  }
}

/** What an address has behind its base URL; undefined where it is under another. */
function within(url: string, base: string | undefined): string | undefined {
  return base !== undefined && url.startsWith(base) ? url.slice(base.length) : undefined;
}

/** Who sent what has no headers in the recording. */
const nobody = { facts: {}, number: 0 };

function bodyValue(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function contentTypeOf({ body }: Recorded['request'], type: string | undefined): string {
  if (body === undefined) return 'none';
  if (type === undefined) return 'missing';
  return isJsonType(type) ? 'json' : 'text';
}

/** Whether a content type is one of JSON, whatever its parameters. */
export function isJsonType(type: string): boolean {
  return /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type);
}
