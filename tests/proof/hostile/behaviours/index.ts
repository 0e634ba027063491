import type { Behaviour } from '../behaviour.ts';
import { bodies } from './bodies.ts';
import { framing } from './framing.ts';
import { headers } from './headers.ts';
import { silence } from './silence.ts';
import { texts } from './texts.ts';

/** All behaviours, in the order of the table. */
export const behaviours: readonly Behaviour[] = [...silence, ...framing, ...headers, ...bodies, ...texts];
