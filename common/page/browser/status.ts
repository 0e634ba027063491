import { make } from './dom.ts';

/** Returns the status of a response in the colour of its kind. */
export function makeStatus(status: number): HTMLElement {
  const tone = status < 400 ? 'conforms' : status < 500 ? 'warns' : 'violates';
  return make('span', String(status), `status ${tone}`);
}
