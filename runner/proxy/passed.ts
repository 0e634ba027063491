import type { Recorded } from '../traffic/recorded.ts';

/** An exchange that passed by. */
export interface Passed extends Recorded {
  /** Why the body of the request is not in `request.body` as it was sent; undefined where it is. */
  readonly requestUnreadable: string | undefined;
  readonly ended: Ending;
}

/** How an exchange ended: with all of the answer, or cut by one of the three. */
export type Ending = 'whole' | 'cut-by-client' | 'cut-by-gateway' | 'cut-by-proxy';
