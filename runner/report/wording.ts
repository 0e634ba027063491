import type { Finding } from '../judge/finding.ts';

type Words = { readonly [K in Finding['kind']]: (finding: Extract<Finding, { kind: K }>) => string };

const words: Words = {
  'wrong-status': ({ expected, actual }) => `expected status ${expected}, got ${actual}`,
  'wrong-type': ({ expected, actual }) => `expected error.type ${expected.join(' or ')}, got ${show(actual)}`,
  'wrong-code': ({ expected, actual }) => `expected error.code ${expected.join(' or ')}, got ${show(actual)}`,
  'not-json': ({ place, actual }) =>
    `expected JSON with ${placeName(place)}, got ${actual === '' ? 'an empty body' : show(actual)}`,
  missing: ({ place }) => `${placeName(place)} is missing`,
  'wrong-value': ({ place, expected, actual }) => `${placeName(place)} ${expected}, got ${show(actual)}`,
  'breaks-schema': ({ place, schema, problem, actual }) =>
    `the body breaks the schema ${schema}: ${placeName(place)} ${problem}${actual === undefined ? '' : `, got ${show(actual)}`}`,
  'not-equal': ({ place, actual, other, expected }) =>
    `${placeName(place)} is ${show(actual)}, but ${placeName(other)} is ${show(expected)}`,
  'wrong-media-type': ({ expected, actual }) =>
    `expected a content type of ${expected}, got ${actual === undefined ? 'none' : show(actual)}`,
  'names-nothing': ({ expected, message }) =>
    `expected a message that names ${expected}, got ${show(message)}`,
  'model-not-listed': ({ model }) =>
    `the model list does not name ${show(model)}, which was called with success`,
  'model-listed': ({ model }) => `the model list names ${show(model)}, which was made up for this run`,
  'one-part': () => 'the streamed answer came in one part',
  'no-error-event': () => 'the stream tells of no error',
  'wrong-path': ({ pattern, actual }) => `expected a path like ${pattern}, but the profile binds ${actual}`,
  'wrong-fact': ({ fact, expected, actual }) =>
    `expected ${fact} to be ${expected}, got ${actual ?? 'nothing'}`,
  'none-of-several': ({ alternatives }) =>
    alternatives.map((list) => list.map(wordFinding).join(' and ')).join('; or '),
  'never-happened': ({ wanted, answers }) =>
    `expected ${wanted} at least once, but none of ${answers} answers was that`,
  happened: ({ unwanted, actual }) => `expected never ${unwanted}, got ${actual}`,
  differs: ({ place, values }) =>
    `${placeName(place)} differs between the answers: ${[...new Set(values.map(show))].join(', ')}`,
  repeats: ({ place, value, times }) => `${placeName(place)} is ${show(value)} in ${times} answers`,
};

/** A finding in a sentence: what was expected, and what came. */
export function wordFinding(finding: Finding): string {
  return wordOne(finding, finding.kind);
}

function wordOne<K extends Finding['kind']>(finding: Extract<Finding, { kind: K }>, kind: K): string {
  return words[kind](finding);
}

function placeName(place: string): string {
  if (place === 'body') return 'the body';
  if (place === 'status') return 'the status';
  if (place.startsWith('header ')) return `the header ${place.slice('header '.length)}`;
  return place.slice(1).replaceAll('/', '.');
}

/** A value from the gateway as JSON, shortened, so that no control character of it reaches a terminal. */
function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value).replace(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return text.length > 160 ? `${text.slice(0, 157)}…` : text;
}
