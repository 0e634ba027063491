import type { Finding } from '../judge/finding.ts';

/** A finding of one thing, not of several ways to be right. */
export type Telling = Exclude<Finding, { kind: 'none-of-several' }>;

type Places = {
  readonly [K in Telling['kind']]: (finding: Extract<Telling, { kind: K }>) => string | undefined;
};

const places: Places = {
  'wrong-status': () => 'status',
  'wrong-type': () => '/error/type',
  'wrong-code': () => '/error/code',
  // A member of what is no JSON is nowhere.
  'not-json': () => 'body',
  missing: ({ place }) => place,
  'wrong-value': ({ place }) => place,
  'breaks-schema': ({ place }) => place,
  'not-equal': ({ place }) => place,
  'wrong-media-type': () => 'header content-type',
  'names-nothing': () => '/error/message',
  'model-not-listed': () => 'body',
  'model-listed': () => 'body',
  'one-part': () => 'body',
  'no-error-event': () => 'body',
  // The profile's, or of the request, or of all answers together.
  'wrong-path': () => undefined,
  'wrong-fact': () => undefined,
  'never-happened': () => undefined,
  happened: () => 'status',
  differs: ({ place }) => place,
  repeats: ({ place }) => place,
};

/** Where in an answer a finding is: a JSON pointer, `status`, `body` or `header NAME`; undefined where it is in none. */
export function placeOf(finding: Telling): string | undefined {
  return placeOfKind(finding, finding.kind);
}

/** Where in an answer a finding is, each place once, whichever way to be right it would have been. */
export function placesOf(finding: Finding): string[] {
  const found =
    finding.kind === 'none-of-several' ? finding.alternatives.flat().flatMap(placesOf) : [placeOf(finding)];
  return [...new Set(found.filter((place) => place !== undefined))];
}

function placeOfKind<K extends Telling['kind']>(
  finding: Extract<Telling, { kind: K }>,
  kind: K,
): string | undefined {
  return places[kind](finding);
}
