import { toMapping } from '../../../common/mapping.ts';
import { protocolVersion } from '../../../common/specification.ts';
import { classifyStream } from '../../exchange/events.ts';
import { answerOf, type Exchange, isSuccess } from '../../exchange/exchange.ts';
import { findModelOperation, type ModelOperation, type Profile } from '../../profile/profile.ts';
import type { GatewayPromise } from '../../profile/promise.ts';
import { defaultVersionHeader } from '../../profile/read-profile.ts';
import type { LearnedProperty } from '../../report/report.ts';
import { type ClassifyKey, findKeyHeader, placeholder } from '../inference/infer-credential.ts';
import {
  classifyKeyText,
  classifyMistake,
  describeChange,
  isSimilarKey,
  type KnownKey,
} from './classify-key.ts';
import { createBillingLearner } from './learn-billing.ts';

/** Learns properties of the gateway that the traffic shows and the profile does not state. */
export interface TrafficLearner {
  /** Returns the profile with the learned models, operations, stream parameter and time format. */
  readonly profile: () => Profile;
  readonly classifyKey: ClassifyKey;
  readonly isLearnedModel: (id: string) => boolean;
  /** Learns from an exchange with this URL. Returns whether the attributes of exchanges may change as a result. */
  readonly observe: (exchange: Exchange, url: string) => boolean;
  /** Returns the IDs of exchanges with an accepted key that is similar to another valid key. Both keys may be valid. */
  readonly similarKeys: () => readonly string[];
  /** Whether a successful call contained a key that no recorder had replaced. */
  readonly hasSeenKey: () => boolean;
  /** Returns the learned properties of the profile, each with its evidence. */
  readonly properties: () => readonly LearnedProperty[];
}

const [maxKeys, maxSuccesses, maxModels, maxModelLength] = [100, 1_000, 200, 200];
const minKeyLength = 8;

/**
 * Creates the learner of gateway properties. `kinds` contains the kinds of the keys of the profile, and of the texts
 * that replace these keys.
 */
export function createTrafficLearner(
  { errors, fixtures: { errorWords }, profile: stated }: GatewayPromise,
  kinds: ReadonlyMap<string, string>,
): TrafficLearner {
  /**
   * The IDs of the successful calls with each key. IDs prevent double counts: `check` reads the first exchanges twice.
   */
  const accepted = new Map<string, Set<string>>();
  const learned: LearnedProperty[] = [];
  const learnedModels = new Set<string>();
  const billing = createBillingLearner(errors);
  /** The texts of accepted keys that are similar to another valid key, by the ID of an exchange. */
  const similarKeys = new Map<string, string>();
  let profile = stated;
  let hasSeenKey = false;
  /** Whether a request with the documented stream parameter got a stream. */
  let startsByName = false;

  const statedKeys: readonly KnownKey[] = [...kinds].flatMap(([text, kind]) =>
    kind === 'good' && !placeholder.test(text)
      ? [{ text, kind, successes: Number.POSITIVE_INFINITY, isStated: true }]
      : [],
  );
  const knownKeys = (): readonly KnownKey[] => [
    ...statedKeys,
    ...[...accepted].map(([text, { size }]) => ({
      text,
      kind: 'good',
      successes: size,
      isStated: false,
    })),
  ];
  const learn = (path: string, value: string, because: string, changed: Profile): true => {
    learned.push({ path, value, because });
    profile = changed;
    return true;
  };

  const isLearned = (path: string): boolean => learned.some((member) => member.path === path);

  /**
   * Learns the base URL for the report and for `learnOperation`. The profile does not get this URL, because another
   * host may belong to the same gateway.
   */
  function learnBaseUrl({ id, request: { path } }: Exchange, url: string): void {
    const isKnown = stated.baseUrl !== '' || isLearned('baseUrl');
    if (isKnown || !/^https?:/.test(url) || !url.endsWith(path)) return;
    learned.push({ path: 'baseUrl', value: url.slice(0, -path.length), because: `A call succeeded: ${id}.` });
  }

  function learnKey(exchange: Exchange): boolean {
    const text = readKey(exchange);
    if (text.length < minKeyLength || placeholder.test(text)) return false;
    hasSeenKey = true;
    if (kinds.has(text)) return false;
    const known = accepted.get(text);
    if (known && known.size < maxSuccesses) known.add(exchange.id);
    if (known || accepted.size >= maxKeys) return false;
    const similar = knownKeys().find((key) => isSimilarKey(text, key.text));
    if (similar && describeChange(text, similar) === undefined) similarKeys.set(exchange.id, text);
    accepted.set(text, new Set([exchange.id]));
    return true;
  }

  function learnModel({ model: id, id: example }: Exchange, calls: ModelOperation): boolean {
    const { [calls]: lists } = profile.modelLists;
    const roles = [...Object.values(profile.models[calls]), ...Object.values(lists).flat()];
    const isKnown = id === undefined || id.length > maxModelLength || roles.includes(id);
    if (isKnown || (lists.good ?? []).length >= maxModels) return false;
    learnedModels.add(id);
    const modelLists = { ...profile.modelLists, [calls]: { ...lists, good: [...(lists.good ?? []), id] } };
    const models = { ...profile.models, [calls]: { good: id, ...profile.models[calls] } };
    return learn(`models.${calls}.good`, id, `A call succeeded: ${example}.`, {
      ...profile,
      modelLists,
      models,
    });
  }

  /**
   * Learns the version header for the report. If the profile does not name the header, the inference accepts any header
   * `*-version` that has the required value.
   */
  function learnVersionHeader({ id, attributes, request: { headers } }: Exchange): void {
    if (attributes.operation !== 'messages' || defaultVersionHeader in headers) return;
    if (stated.versionHeader !== defaultVersionHeader || isLearned('versionHeader')) return;
    const name = Object.keys(headers).find(
      (own) => own.endsWith('-version') && headers[own] === protocolVersion,
    );
    if (name !== undefined)
      learned.push({
        path: 'versionHeader',
        value: name,
        because: `A call with the header succeeded: ${id}.`,
      });
  }

  function learnStreamParameter(
    { id: example, attributes, request: { headers, body = '' } }: Exchange,
    type: string,
  ): boolean {
    if (!type.includes('event-stream') || attributes.operation === 'streamGenerate') return false;
    // If `stream` or the header `accept` may be the reason for the stream, no other parameter can be learned.
    startsByName ||= /"stream"\s*:\s*true/.test(body);
    const mayBeAsked = /"stream"\s*:/.test(body) || headers.accept?.includes('event-stream');
    if (profile.streamParameter !== 'stream' || startsByName || mayBeAsked) return false;
    const name = Object.entries(parseMembers(body)).find(
      ([own, value]) => value === true && /^stream|_stream|[a-z]Stream/.test(own),
    )?.[0];
    if (name === undefined) return false;
    return learn('stream.parameter', name, `A call with the parameter got a stream: ${example}.`, {
      ...profile,
      streamParameter: name,
    });
  }

  function learnOperation(exchange: Exchange): boolean {
    const baseUrl = stated.baseUrl || learned.find(({ path }) => path === 'baseUrl')?.value;
    if (baseUrl === undefined) return false;
    const key = readKey(exchange);
    const found = billing.observe(exchange, baseUrl, kinds.get(key) === 'good' || accepted.has(key));
    if (!found || profile.operations[found.id] || stated.notOffered.includes(found.id)) return false;
    const { id, bound, timeFormat = profile.timeFormat, example } = found;
    // If a profile exists, its time format is known: the stated format or the default.
    if (timeFormat !== profile.timeFormat && stated.baseUrl !== '') return false;
    if (timeFormat !== profile.timeFormat)
      learned.push({
        path: 'timeFormat',
        value: timeFormat,
        because: `The format of the times in ${bound.path}.`,
      });
    const operations = { ...profile.operations, [id]: bound };
    const because = `The response was an error of section 7.2: ${example}.`;
    const request = `${bound.method} ${bound.path}`;
    return learn(`operations.${id}`, request, because, { ...profile, operations, timeFormat });
  }

  /** Describes the learned keys without their values, since reports never show a key. */
  function describeKeys(): readonly LearnedProperty[] {
    const [[first] = []] = accepted.values();
    if (first === undefined) return [];
    const value = accepted.size === 1 ? 'one key' : `${accepted.size} keys`;
    return [{ path: 'keys.valid', value, because: `A call succeeded: ${first}.` }];
  }

  return {
    profile: () => profile,
    classifyKey(text) {
      const kind = kinds.get(text) ?? classifyMistake(text);
      if (kind !== undefined) return { kind, isStated: true };
      const learnedKind = classifyKeyText(text, knownKeys());
      return learnedKind === undefined ? undefined : { kind: learnedKind, isStated: false };
    },
    isLearnedModel: (id) => learnedModels.has(id),
    observe(exchange, url) {
      const answer = answerOf(exchange);
      const { operation = 'none', accepted: isAccepted, surface } = exchange.attributes;
      if (!answer) return false;
      if (operation === 'none') return learnOperation(exchange);
      const isFailure = !isSuccess(answer.status) || classifyStream(answer, errorWords) === 'error';
      // A model list may be public.
      if (isFailure || isAccepted !== 'true' || surface === 'list') return false;
      learnBaseUrl(exchange, url);
      learnVersionHeader(exchange);
      const calls = findModelOperation(operation);
      const isNewKey = learnKey(exchange);
      const isNewModel = calls !== undefined && learnModel(exchange, calls);
      const isNewParameter = learnStreamParameter(exchange, answer.headers['content-type'] ?? '');
      return isNewKey || isNewModel || isNewParameter;
    },
    // A key that became known later may show that the key is wrong, which is a violation.
    similarKeys: () =>
      [...similarKeys].flatMap(([id, text]) => (classifyKeyText(text, knownKeys()) === 'good' ? [id] : [])),
    hasSeenKey: () => hasSeenKey,
    properties: () => [...describeKeys(), ...learned],
  };
}

function readKey({ request: { headers } }: Exchange): string {
  return (headers[findKeyHeader(headers) ?? ''] ?? '').replace(/^Bearer +/i, '').trim();
}

function parseMembers(body: string): Readonly<Record<string, unknown>> {
  try {
    return toMapping(JSON.parse(body));
  } catch {
    return {};
  }
}
