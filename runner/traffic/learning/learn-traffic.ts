import { mapping } from '../../../contract/mapping.ts';
import { protocolVersion } from '../../../contract/specification.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { classifyStream } from '../../judge/events.ts';
import { type ModelOperation, modelOperation, type Profile } from '../../profile/profile.ts';
import { defaultVersionHeader } from '../../profile/read-profile.ts';
import type { LearnedMember } from '../../report/report.ts';
import { answerOf, type Exchange, isSuccess } from '../../transport/exchange.ts';
import { type ClassifyKey, placeholder } from '../inference/infer-credential.ts';
import { findKeyHeader } from '../traffic-case.ts';
import {
  classifyKeyText,
  describeChange,
  isSimilarKey,
  type KnownKey,
  mistakenTexts,
} from './classify-key.ts';
import { createBillingLearner } from './learn-billing.ts';

/** What the traffic shows about the gateway, in addition to the profile. */
export interface TrafficLearner {
  /** The profile with the models, operations and settings that were learned. */
  readonly profile: () => Profile;
  readonly classifyKey: ClassifyKey;
  readonly isLearnedModel: (id: string) => boolean;
  /**
   * Learns from an exchange with this URL; returns whether this may change the attributes of other exchanges.
   */
  readonly observe: (exchange: Exchange, url: string) => boolean;
  /** The exchanges in which a key was accepted that is similar to another valid one, but may be valid too. */
  readonly similarKeys: () => readonly string[];
  /** Whether a request with a key was observed, which no recorder had replaced. */
  readonly hasSeenKey: () => boolean;
  /** The learned members of the profile, each with its evidence. */
  readonly members: () => readonly LearnedMember[];
}

const [maxKeys, maxModels, maxModelLength] = [100, 200, 200];
/** A shorter text is no key of a gateway. */
const minKeyLength = 8;

/** Creates the learner. `kinds` are the keys of the profile, and the texts that replace them in recordings. */
export function createTrafficLearner(
  { fixtures: { errorWords } }: Pick<Catalog, 'fixtures'>,
  stated: Profile,
  kinds: ReadonlyMap<string, string>,
): TrafficLearner {
  const accepted = new Map<string, { successes: number; readonly example: string }>();
  const learned: LearnedMember[] = [];
  const learnedModels = new Set<string>();
  const billing = createBillingLearner();
  const similarKeys: string[] = [];
  let profile = stated;
  let hasSeenKey = false;

  const statedKeys: readonly KnownKey[] = [...kinds].flatMap(([text, kind]) =>
    kind === 'good' && !placeholder.test(text)
      ? [{ text, kind, successes: Number.POSITIVE_INFINITY, isStated: true }]
      : [],
  );
  const knownKeys = (): readonly KnownKey[] => [
    ...statedKeys,
    ...[...accepted].map(([text, { successes }]) => ({ text, kind: 'good', successes, isStated: false })),
  ];
  const learn = (path: string, value: string, because: string, changed: Profile): true => {
    learned.push({ path, value, because });
    profile = changed;
    return true;
  };

  /** Only for a profile that is written: other hosts may lead to the same gateway. */
  function learnBaseUrl({ id, request: { path } }: Exchange, url: string): void {
    const isKnown = stated.baseUrl !== '' || learned.some((member) => member.path === 'baseUrl');
    if (isKnown || !/^https?:/.test(url) || !url.endsWith(path)) return;
    learned.push({ path: 'baseUrl', value: url.slice(0, -path.length), because: `A call succeeded: ${id}.` });
  }

  function learnKey(exchange: Exchange): boolean {
    const { headers } = exchange.request;
    const text = (headers[findKeyHeader(headers) ?? ''] ?? '').replace(/^Bearer +/i, '').trim();
    if (text.length < minKeyLength || placeholder.test(text)) return false;
    hasSeenKey = true;
    if (kinds.has(text)) return false;
    const known = accepted.get(text);
    const similar = known ? undefined : knownKeys().find((key) => isSimilarKey(text, key.text));
    if (similar && describeChange(text, similar) === undefined) similarKeys.push(exchange.id);
    if (known) known.successes += 1;
    else if (accepted.size < maxKeys) accepted.set(text, { successes: 1, example: exchange.id });
    return !known;
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

  function learnVersionHeader({ id: example, attributes, request: { headers } }: Exchange): boolean {
    if (profile.versionHeader !== defaultVersionHeader || defaultVersionHeader in headers) return false;
    const name = Object.keys(headers).find(
      (own) => own.endsWith('-version') && headers[own] === protocolVersion,
    );
    if (name === undefined || attributes.operation !== 'messages') return false;
    return learn('versionHeader', name, `Sent with its value: ${example}.`, {
      ...profile,
      versionHeader: name,
    });
  }

  function learnStreamParameter(
    { id: example, attributes, request: { body = '' } }: Exchange,
    type: string,
  ): boolean {
    const isDefault = profile.streamParameter === 'stream' && attributes.operation !== 'streamGenerate';
    if (!isDefault || !type.includes('event-stream') || /"stream"\s*:/.test(body)) return false;
    const name = Object.entries(parseMembers(body)).find(
      ([own, value]) => value === true && /stream/i.test(own),
    )?.[0];
    if (name === undefined) return false;
    return learn('stream.parameter', name, `A stream followed: ${example}.`, {
      ...profile,
      streamParameter: name,
    });
  }

  function learnOperation(exchange: Exchange): boolean {
    const found = billing.observe(exchange, profile);
    if (!found) return false;
    const { id, bound, timeFormat = profile.timeFormat, example } = found;
    const operations = { ...profile.operations, [id]: bound };
    if (timeFormat !== profile.timeFormat)
      learned.push({ path: 'timeFormat', value: timeFormat, because: `The format in ${bound.path}.` });
    const because = `An error with a code of section 7.2: ${example}.`;
    return learn(`operations.${id}`, `${bound.method} ${bound.path}`, because, {
      ...profile,
      operations,
      timeFormat,
    });
  }

  /** Reports never show a key. */
  function describeKeys(): readonly LearnedMember[] {
    const [first] = accepted.values();
    if (!first) return [];
    const value = accepted.size === 1 ? 'one key' : `${accepted.size} keys`;
    return [{ path: 'keys.valid', value, because: `A call succeeded: ${first.example}.` }];
  }

  return {
    profile: () => profile,
    classifyKey(text) {
      const kind = kinds.get(text) ?? mistakenTexts.get(text);
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
      const hasVersion = learnVersionHeader(exchange);
      const isFailure = !isSuccess(answer.status) || classifyStream(answer.text, errorWords) === 'error';
      // A model list may be public.
      if (isFailure || isAccepted !== 'true' || surface === 'list') return hasVersion;
      learnBaseUrl(exchange, url);
      const calls = modelOperation(operation);
      const isNewKey = learnKey(exchange);
      const isNewModel = calls !== undefined && learnModel(exchange, calls);
      const isNewParameter = learnStreamParameter(exchange, answer.headers['content-type'] ?? '');
      return hasVersion || isNewKey || isNewModel || isNewParameter;
    },
    similarKeys: () => similarKeys,
    hasSeenKey: () => hasSeenKey,
    members: () => [...describeKeys(), ...learned],
  };
}

function parseMembers(body: string): Readonly<Record<string, unknown>> {
  try {
    return mapping(JSON.parse(body));
  } catch {
    return {};
  }
}
