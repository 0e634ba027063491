/** The start that reports state for a recording without times. */
const unknownStart = new Date(0).toISOString();

/** Returns the start of an exchange or a run; undefined if the recording does not contain the time. */
export function knownStartOf({ startedAt }: { readonly startedAt: string }): string | undefined {
  return startedAt === unknownStart ? undefined : startedAt;
}
