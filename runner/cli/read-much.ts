import { setFlagsFromString } from 'node:v8';

/** Later releases than that of Node 20 are left as they are, as in `bin/conformance.js`. */
const isKnown = process.versions.v8.startsWith('11.');

function set(...flags: readonly string[]): void {
  if (isKnown) for (const flag of flags) setFlagsFromString(flag);
}

/**
 * Makes V8 fit for what reads much, beside what `bin/conformance.js` sets for short runs; gives what ends the preparation.
 *
 * Most of what is made of an exchange is of no use with the next one. With four times the room for what is new, V8 looks
 * for the rest a quarter as often. It only takes that room once enough has stayed alive, as what is loaded at the start
 * does; with more of it, memory would grow without end in sight. And where the same is done ten thousand times, it pays
 * to optimise it soon.
 */
export function prepareToReadMuch(): () => void {
  set('--semi-space-growth-factor=4');
  return () => set('--semi-space-growth-factor=1', '--interrupt-budget=100000');
}
