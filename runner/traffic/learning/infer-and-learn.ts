import type { GatewayPromise } from '../../profile/promise.ts';
import type { TrafficSource } from '../hide-keys.ts';
import {
  createInferAttributes,
  type InferredExchange,
  type RecordingInfo,
} from '../inference/infer-attributes.ts';
import type { RecordedExchange } from '../recordings/recorded-exchange.ts';
import { createTrafficLearner, type TrafficLearner } from './learn-traffic.ts';

/** Infers the attributes of exchanges from the profile and from other exchanges. */
export interface LearningInference extends Pick<TrafficLearner, 'profile' | 'properties' | 'similarKeys'> {
  /**
   * Learns from an exchange that `infer` receives later, so that the learned values also apply to earlier exchanges.
   */
  readonly learn: (recorded: RecordedExchange, recording: RecordingStart) => void;
  /** Infers the attributes of an exchange, and learns from the exchange. */
  readonly infer: (recorded: RecordedExchange, recording: RecordingStart) => InferredExchange;
}

/** The properties that a recording states about itself. */
export type RecordingStart = Omit<RecordingInfo, 'keepsCredentials'>;

/** Creates an inference that learns from each exchange. `kinds` is the result of `classifyKeys`. */
export function createLearningInference(
  promise: GatewayPromise,
  kinds: ReadonlyMap<string, string>,
  source: TrafficSource,
): LearningInference {
  const learner = createTrafficLearner(promise, kinds);
  const create = (): ReturnType<typeof createInferAttributes> =>
    createInferAttributes({
      promise: { ...promise, profile: learner.profile() },
      classifyKey: learner.classifyKey,
      isLearnedModel: learner.isLearnedModel,
    });
  let inferAttributes = create();

  // If a recorder kept one key, the recorder probably keeps all keys.
  const complete = (recording: RecordingStart): RecordingInfo => ({
    ...recording,
    keepsCredentials: source === 'live' || learner.hasSeenKey(),
  });

  function observe(recorded: RecordedExchange, start: RecordingStart): InferredExchange {
    const recording = complete(start);
    const inferred = inferAttributes(recorded, recording);
    // The notes of a run already contain the attributes.
    if (recorded.notes || !learner.observe(inferred.exchange, recorded.request.url)) return inferred;
    inferAttributes = create();
    return inferAttributes(recorded, recording);
  }
  return {
    ...learner,
    learn: observe,
    infer: observe,
  };
}
