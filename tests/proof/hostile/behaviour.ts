import type { Socket } from 'node:net';
import type { Outcome } from '../../../runner/judge/outcome.ts';

/** The behaviour of a server instead of a response to a request. */
export type Misbehave = (socket: Socket, request: string) => void;

/** An invalid or unusual reaction of a gateway to a request without a key, and the expected result. */
export interface Behaviour {
  readonly id: string;
  readonly misbehave: Misbehave;
  /** The outcome of the case, which expects 401 `missing_auth_credential`. */
  readonly outcome: Outcome;
  /** A pattern for the case in the report. */
  readonly reported: RegExp;
}

/** Creates behaviours with the same outcome. */
export function createBehaviours(
  outcome: Outcome,
  rows: Readonly<Record<string, readonly [Misbehave, RegExp?]>>,
): readonly Behaviour[] {
  return Object.entries(rows).map(([id, [misbehave, reported = /./]]) => ({
    id,
    misbehave,
    outcome,
    reported,
  }));
}
