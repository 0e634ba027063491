import type { Facts } from '../catalog/condition.ts';
import type { Result } from '../transport/exchange.ts';

/** A header as it was sent, one pair for each line; names in lower case. */
export type HeaderLine = readonly [name: string, value: string];

/** One exchange of somebody else's traffic, as it was recorded or passed by. */
export interface Recorded {
  /** What points to it, such as `capture.har entry 3`. */
  readonly id: string;
  readonly request: {
    readonly method: string;
    /** Absolute, or a path with its query. */
    readonly url: string;
    readonly headers: readonly HeaderLine[];
    /** Set where the recording has no headers of it. */
    readonly headersLost?: true;
    /** Undefined where none was sent. */
    readonly body: string | undefined;
    /** Set where a body was sent of which this is not the whole. */
    readonly bodyLost?: true;
  };
  readonly result: Result;
  /** Start, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** What this suite wrote into its own recording; undefined in that of another tool. */
  readonly notes: RecordedNotes | undefined;
}

/** What a recording of this suite's own requests tells of one of them. */
export interface RecordedNotes {
  /** The case that it judges; undefined for what was sent beside the cases, or only so that others can be judged. */
  readonly case: string | undefined;
  readonly facts: Facts;
  readonly model: string | undefined;
  readonly controlAfter: 'succeeded' | 'failed' | undefined;
}

/** Gives what was made for a name before, or makes it. */
export type Remember<Value> = (name: string, make: () => Value) => Value;

/** So many are remembered; when there are more, all are forgotten. */
const most = 1_000;
/** What is made for a longer name is not remembered. */
const longest = 1_000;

/** Gives each name a number of its own, so that what hangs on several names is found by a short one. */
export function makeNumbers(): (name: string) => number {
  const remember = makeRemember<number>();
  let last = 0;
  return (name) =>
    remember(name, () => {
      last += 1;
      return last;
    });
}

/** Remembers what is the same for many exchanges, in bounded memory; what is made must depend on its name alone. */
export function makeRemember<Value>(): Remember<Value> {
  const known = new Map<string, Value>();
  return (name, make) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const made = make();
    if (name.length > longest) return made;
    if (known.size >= most) known.clear();
    known.set(name, made);
    return made;
  };
}
