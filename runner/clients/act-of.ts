import type { ClientCase } from './plan-clients.ts';
import type { Access, Call, Missing, OpenSdk } from './sdk.ts';

/** What an act needs beside the way to the gateway. */
export interface ActContext {
  readonly sdk: OpenSdk;
  /** The model that is asked for; of a list, the one that should be in it. */
  readonly model: string | undefined;
  readonly extra: Call['extra'];
}

/** What a case lets its SDK do. */
export function actOf(
  { act, operation, given }: ClientCase,
  { sdk, model, extra }: ActContext,
): (access: Access) => Promise<Missing> {
  if (act === 'list') return async (access) => missingModel(await sdk.models(access), model);
  const send = act === 'streamed' || given.streamed === 'true' ? sdk.streamed : sdk.plain;
  const lacksContent = given.fault === 'missing';
  return (access) => send({ ...access, operation, model: model ?? '', extra, lacksContent });
}

/** A list may write a model with something before it, such as `models/`. */
function missingModel(listed: readonly string[], model: string | undefined): Missing {
  if (model === undefined) return listed.length > 0 ? undefined : 'a model';
  return listed.some((id) => id === model || id.endsWith(`/${model}`)) ? undefined : 'the called model';
}
