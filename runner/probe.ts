import type { Catalog } from './catalog/catalog.ts';
import { type AcceptedHeader, type OperationId, operationIds } from './catalog/operations.ts';
import { plan } from './plan/plan.ts';
import { modelOperation, type Profile } from './profile/profile.ts';
import { diagnose } from './report/diagnose.ts';
import { makeRedact } from './report/redact.ts';
import { buildContext } from './send/build-context.ts';
import { type Control, keyAccepted, makeControls } from './send/controls.ts';
import { answerOf } from './send/exchange.ts';
import { execute } from './send/execute.ts';
import { type Limits, openTransport } from './send/http.ts';
import { makeKeys } from './send/keys.ts';
import { defaultPatience, makePace } from './send/pace.ts';
import type { Reach } from './send/reach.ts';
import { makeStopSwitch } from './send/stop.ts';

/** What good calls alone showed of a gateway. */
export interface Probed {
  /** Whether the key was taken anywhere. */
  readonly accepted: boolean;
  readonly operations: Readonly<Record<OperationId, ProbedOperation>>;
  /** What kept the gateway, or an operation, from being seen; keys are redacted. */
  readonly complaints: readonly string[];
}

export interface ProbedOperation {
  readonly kind: Control['kind'];
  /** The status of a call that did not succeed. */
  readonly status: number | undefined;
  /** The headers in which the good key was taken. */
  readonly headers: readonly AcceptedHeader[];
  /** The model that was called with success, unless its name has a key in it. */
  readonly model: string | undefined;
  readonly streams: boolean;
}

/** Sends good calls only, as a run does first, and tells which operations answered, in which headers, with which models. */
export async function probe(
  catalog: Catalog,
  profile: Profile,
  {
    limits,
    reach,
    signal,
  }: {
    readonly limits: Limits;
    readonly reach?: Reach;
    readonly signal: AbortSignal;
  },
): Promise<Probed> {
  const cases = plan(catalog, profile).cases.filter(({ phase }) => phase === 'controls');
  const keys = makeKeys(profile.keys);
  const controls = makeControls();
  const stop = makeStopSwitch(signal, undefined);
  const concurrency = 4;
  const transport = openTransport(profile.baseUrl, {
    connections: concurrency,
    limits,
    reach,
    signal: stop.signal,
  });
  const sender = {
    transport,
    stop,
    pace: makePace(defaultPatience, { atOnce: concurrency, signal: stop.signal }),
    budget: undefined,
    onExchange: () => {},
    context: buildContext(catalog, profile, keys, controls),
  };
  try {
    const execution = await execute(cases, sender, controls, {
      concurrency,
      isDue: () => false,
      onCase: undefined,
    });
    const redact = makeRedact(keys.secrets);
    const seen = (id: OperationId): ProbedOperation => {
      const control: Control = controls.plain.get(id) ?? { kind: 'not-offered' };
      const calls = modelOperation(id);
      const model = calls && control.kind === 'succeeded' ? controls.models.get(calls) : undefined;
      return {
        kind: control.kind,
        status: 'exchange' in control ? answerOf(control.exchange)?.status : undefined,
        headers: catalog.operations[id].headers.filter((header) => controls.headers.has(`${id} ${header}`)),
        model: model !== undefined && redact(model) === model ? model : undefined,
        streams: controls.streamed.get(id)?.kind === 'succeeded',
      };
    };
    return {
      accepted: keyAccepted(controls),
      operations: {
        chat: seen('chat'),
        responses: seen('responses'),
        models: seen('models'),
        messages: seen('messages'),
        generate: seen('generate'),
        streamGenerate: seen('streamGenerate'),
        balance: seen('balance'),
        usage: seen('usage'),
        record: seen('record'),
        internalError: seen('internalError'),
      },
      complaints: diagnose(execution, { baseUrl: profile.baseUrl, redact }).map(({ message }) =>
        redact(message),
      ),
    };
  } finally {
    stop.release();
    await transport.close();
  }
}

/** The operations that answered a good call with success. */
export function answered({ operations }: Probed): OperationId[] {
  return operationIds.filter((id) => operations[id].kind === 'succeeded');
}
