#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';

// What suits a run on Node 20. Later releases are left as they are: their flags and defaults differ.
const flags = [
  // Most runs are over before what V8 optimises early pays: with a larger budget, it takes a quarter less processor time
  // for a run, and no more for a long one.
  '--interrupt-budget=1500000',
  // Little stays alive of what is judged, but V8 lets its heap grow to several times of that while there is much to do.
  // With a small one it collects more often, and that costs less where no threads are woken for it.
  '--semi-space-growth-factor=1',
  '--heap-growing-percent=30',
  '--no-parallel-scavenge',
];
if (process.versions.v8.startsWith('11.')) {
  for (const flag of flags) setFlagsFromString(flag);
}
await import('../dist/command/main.js');
