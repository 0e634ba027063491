import type { Behaviour } from '../behaviour.ts';
import { bodies } from './bodies.ts';
import { framing } from './framing.ts';
import { headers } from './headers.ts';
import { cutOff, silence } from './silence.ts';
import { texts } from './texts.ts';

/** All behaviours, in the order of the table. */
export const behaviours: readonly Behaviour[] = [
  ...silence,
  ...cutOff,
  ...framing,
  ...headers,
  ...bodies,
  ...texts,
];
