import { errorTypes } from '../../contract/specification.ts';
import type { Facts } from '../catalog/condition.ts';
import { countsAsNone } from '../catalog/operations.ts';
import { reportsError } from '../judge/events.ts';
import { textAt } from '../judge/locate.ts';
import { type Answer, isSuccess } from '../transport/exchange.ts';

const refusing = ['unlisted', 'unsupported', 'mismatched'];

/** What an answer can say of the request beside its status. */
const told: Readonly<Record<string, Facts>> = {
  [errorTypes.insufficientBalance]: { key: 'depleted' },
  [errorTypes.modelNotAvailable]: { model: 'unlisted' },
  [errorTypes.modelNotSupported]: { model: 'unsupported' },
};

/** What is looked at of an answer. */
export interface Said {
  /** 0 where none came. */
  readonly status: number;
  /** The type of its error. */
  readonly type: string;
  /** Whether it is a 2xx that tells of an error. */
  readonly tellsOfError: boolean;
}

export function saidBy(answer: Answer | undefined): Said {
  if (!answer) return { status: 0, type: '', tellsOfError: false };
  const { status, text } = answer;
  return {
    status,
    type: textAt(answer, '/error/type') ?? '',
    tellsOfError: isSuccess(status) && reportsError(text),
  };
}

/**
 * What the answer tells of its request, where nothing else does. A 401 tells that the gateway took the key for a bad
 * one, another answer that it took it for a good one; a 2xx that tells of no error, that the model is good and all else
 * right; and a type what the gateway found wrong. An exchange that breaks a requirement by these facts breaks one
 * whatever the facts in truth are.
 */
export function inferFromResponse(known: Facts, said: Said, plain: boolean): Facts {
  const { status, type } = said;
  const isFaulty = known.fault !== undefined && known.fault !== 'none';
  const says = isFaulty ? undefined : told[type];
  const isRefusable = known.header !== undefined && known.accepted === 'false';
  const proves = worked(said, isRefusable) || status === 401 || says?.key !== undefined;
  const model =
    known.model ?? says?.model ?? (proves || (isFaulty && !speaksOfModel(type)) ? 'good' : undefined);
  // A 2xx that tells of an error may tell that the key is bad.
  const isTwofold = isSuccess(status) && !isFaulty && !proves;
  const byAnswer =
    known.key ?? (isTwofold ? undefined : keyByAnswer(known, status, isFaulty || says !== undefined));
  // An account may have run dry since the profile was written, and a key may have been deleted; then, too, a 401 has
  // the type that fits the header.
  const isMisnamed = status === 401 && isKnownGood(known) && !fitsHeader(type, known.header);
  const key = isMisnamed ? 'unknown' : byAnswer === 'good' ? (says?.key ?? byAnswer) : byAnswer;
  const isGood = key === 'good' || key === 'depleted' || key === 'foreign';
  const header = isGood && known.accepted === 'true' ? 'any' : known.header;
  const facts: Record<string, string> = { ...withoutOwner(known) };
  if (key !== undefined) facts.key = key;
  if (model !== undefined) facts.model = model;
  if (header !== undefined) facts.header = header;
  if (isFaulty || refusing.includes(model ?? '') || isBadParameter(facts)) facts.request = 'invalid';
  // A model that nobody told of may cost nothing, and an account without balance may call it.
  else if (known.key === 'depleted' && known.model === undefined && says === undefined) return facts;
  else if (proves || (plain && isComplete(facts))) facts.request = 'valid';
  return facts;
}

function isKnownGood({ key, accepted }: Facts): boolean {
  return accepted === 'true' && (key === 'good' || key === 'depleted' || key === 'foreign');
}

/** Whether a 401 says of the key in a header what there is to say of it; one without a type says nothing. */
function fitsHeader(type: string, header: string | undefined): boolean {
  return (
    type === '' || type === (header === 'bearer' ? errorTypes.invalidBearerToken : errorTypes.invalidApiKey)
  );
}

/**
 * Whether an answer says that the work was done: a 2xx that tells of no error. Without a credential that may be
 * accepted, any 2xx is wrong, and what stands in it is no matter.
 */
function worked({ status, tellsOfError }: Said, isRefusable: boolean): boolean {
  return isSuccess(status) && (isRefusable || !tellsOfError);
}

/** Whose a record is, is known of the keys of the profile; another key may be that of the other account. */
function withoutOwner(known: Facts): Facts {
  const isOwned = known.record === 'own' || known.record === 'foreign';
  if (!isOwned || known.key !== undefined) return known;
  const { record: _, ...rest } = known;
  return rest;
}

/**
 * What a gateway took an unknown key for. That an endpoint or a right is missing says nothing of it, unless it is clear
 * what else is wrong.
 */
function keyByAnswer(known: Facts, status: number, isClear: boolean): string | undefined {
  if (known.header === undefined || status === 0) return undefined;
  // Under another scheme, or in the query, any key is refused.
  if (countsAsNone(known.header)) return 'good';
  if (status === 401) return 'unknown';
  // What stands before a gateway answers so, too, and looks at no key.
  if (status < 200 || (status >= 300 && status < 400)) return undefined;
  return isClear || ![403, 404, 405].includes(status) ? 'good' : undefined;
}

function isBadParameter({ record = 'none', range = 'none' }: Facts): boolean {
  return !['own', 'none'].includes(record) || !['valid', 'none'].includes(range);
}

/** Whether all is known that can be wrong with a request, and nothing is. */
function isComplete({ fault, model, record, range, version = '', contentType = '' }: Facts): boolean {
  const known = [fault, model, record, range].every((fact) => fact !== undefined);
  return known && ['sent', 'none'].includes(version) && ['json', 'none'].includes(contentType);
}

/** Whether an answer says that something is wrong with the model, which then may be the cause of it. */
function speaksOfModel(type: string): boolean {
  return type.startsWith('model_');
}
