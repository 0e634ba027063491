import type { Socket } from 'node:net';
import type { Outcome } from '../../../runner/judge/outcome.ts';

/** What is done to a request in the place of an answer. */
export type Misbehave = (socket: Socket, request: string) => void;

/** Something that no gateway should do, done to a request without a key, and what is to be said of it. */
export interface Behaviour {
  readonly id: string;
  readonly misbehave: Misbehave;
  /** The outcome of the case, whose due is 401 `missing_auth_credential`. */
  readonly outcome: Outcome;
  /** What the report tells of it. */
  readonly told: RegExp;
}

/** Rows of a table of behaviours that have one outcome. */
export function all(
  outcome: Outcome,
  rows: Readonly<Record<string, readonly [Misbehave, RegExp?]>>,
): readonly Behaviour[] {
  return Object.entries(rows).map(([id, [misbehave, told = /./]]) => ({ id, misbehave, outcome, told }));
}
