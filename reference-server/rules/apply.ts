import { setTimeout as sleep } from 'node:timers/promises';
import { readDuration } from '../../common/duration.ts';
import { isObject } from '../json.ts';
import { encodeReply, plainEncoder } from '../wire/encode.ts';
import type { ServerRequest } from '../wire/request.ts';
import type { Reply, WireResponse } from '../wire/response.ts';
import type { CallerFacts, Facts, SentFacts } from './facts.ts';
import { changeReply, createAnswer } from './reply.ts';
import { type Change, type Match, phases, type Rule } from './rule.ts';
import type { Rules } from './rules.ts';
import { changeWire } from './wire.ts';

/** The largest body that is read for a rule, in bytes. */
const bodyLimit = 4 * 1024 * 1024;

/**
 * Returns a handler that applies rules to a server without a gateway, such as a provider or a proxy. The server
 * refuses a request if its status is 400 or more; it has no names for reasons. Throws an error if a rule has a word
 * that only a gateway knows.
 */
export function applyRules(
  rules: Rules,
  handle: (request: ServerRequest) => Reply | Promise<Reply>,
  now: () => number = Date.now,
): (request: ServerRequest) => Promise<WireResponse> {
  for (const { rule } of rules.list()) {
    const [word] = findGatewayWords(rule);
    if (word !== undefined)
      throw new Error(`\`${word}\` needs the gateway, which this server doesn't have. Remove \`${word}\`.`);
  }
  return async (request) => {
    const head: Facts = { request, now: now(), operation: undefined, family: undefined, surface: undefined };
    const ruled = rules.begin(head);
    if (!ruled) return encodeReply(await handle(request), plainEncoder);
    try {
      const read: Facts = ruled.needsReading
        ? { ...head, sent: await readSent(request), caller: readCaller(request) }
        : head;
      const { hold, ...arrived } = ruled.arrive(read);
      if (hold !== undefined) await sleep(readDuration(hold) ?? 0);
      const { answer } = hold === undefined ? arrived : ruled.arrive(read);
      const reply = answer ? createAnswer(answer, []) : await handle(request);
      const change = ruled.reply({ ...read, refused: !answer && reply.status >= 400 });
      const encoded = encodeReply(changeReply(reply, change), plainEncoder);
      return changeWire(encoded, change, { createErrorEvent: () => undefined, released: rules.released });
    } finally {
      ruled.end();
    }
  };
}

async function readSent(request: ServerRequest): Promise<SentFacts> {
  const read = await request.readBody(bodyLimit);
  const text = read.kind === 'read' ? Buffer.from(read.bytes).toString() : '';
  const body = parse(text);
  const { model, stream } = isObject(body) ? body : {};
  return {
    text: () => text,
    body,
    model: typeof model === 'string' ? model : undefined,
    streamed: stream === true,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readCaller({ headers }: ServerRequest): CallerFacts {
  const [, bearer] = /^bearer +(.*)$/i.exec(headers.authorization ?? '') ?? [];
  if (bearer !== undefined) return { place: 'bearer', credential: bearer, key: undefined };
  for (const place of ['x-api-key', 'x-goog-api-key']) {
    const credential = headers[place];
    if (credential !== undefined) return { place, credential, key: undefined };
  }
  return { place: 'none', credential: '', key: undefined };
}

const gatewayFacts: readonly (keyof Match)[] = ['operation', 'family', 'surface', 'key', 'invalid'];
const gatewayChanges: readonly (keyof Change)[] = [...phases.read, ...phases.decide, 'error'];

/** Returns the words of a rule that only a gateway knows. */
function findGatewayWords({ match = {}, change }: Rule): readonly string[] {
  const matched = [match, match.not ?? {}, ...(match.anyOf ?? []), match.during ?? {}];
  const changes: readonly Change[] = [change].flat();
  return [
    ...gatewayFacts.filter((name) => matched.some((one) => one[name] !== undefined)),
    ...(matched.some(({ refused }) => refused !== undefined && typeof refused !== 'boolean')
      ? ['refused']
      : []),
    ...gatewayChanges.filter((name) => changes.some((one) => one[name] !== undefined)),
  ];
}
