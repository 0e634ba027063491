import type { Finding } from '../../judge/finding.ts';
import { placeOf, type Telling } from '../../report/places.ts';
import type { FindingReport } from '../../report/report.ts';
import { placeName, showValue } from '../../report/wording.ts';
import type { Markup } from './elements.tsx';

/** What was expected and what was received, side by side, for each place where they differ. */
export function Comparison({ findings }: { readonly findings: readonly FindingReport[] }): Markup {
  const ways = findings.map(({ finding }) => waysOf(finding));
  const sets = ways.flatMap((choice) =>
    choice.map((differences, index) => ({
      title: choice.length > 1 ? `One way to be right (${index + 1} of ${choice.length}) lacks` : undefined,
      differences,
    })),
  );
  return (
    <table class="comparison">
      <thead>
        <tr>
          <th scope="col">Place</th>
          <th scope="col">Expected</th>
          <th scope="col">Received</th>
        </tr>
      </thead>
      {sets.map(({ title, differences }) => (
        <tbody>
          {title && (
            <tr>
              <th class="way" scope="colgroup" colSpan={3}>
                {title}
              </th>
            </tr>
          )}
          {differences.map(({ place, expected, received }) => (
            <tr>
              <th scope="row">{nameOf(place)}</th>
              <td class="expected">{expected}</td>
              <td class="received">{received}</td>
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}

/** Names a place of an answer; what is no place of it has its own name already. */
function nameOf(place: string): string {
  const inAnswer =
    place === 'body' || place === 'status' || place.startsWith('header ') || place.startsWith('/');
  return inAnswer ? placeName(place).replace(/^the /, '') : place;
}

/** Where an answer is not what was expected: `status`, `header NAME`, `body`, or a JSON pointer into the body. */
export interface Difference {
  readonly place: string;
  readonly expected: string;
  readonly received: string;
  /** What is said beside the place where the answer is shown. */
  readonly note: string;
}

/** A difference without its place; what is in no answer has a name of its own. */
type Told = Omit<Difference, 'place'> & { readonly name?: string };

type Differ = { readonly [K in Telling['kind']]: (finding: Extract<Telling, { kind: K }>) => Told };

const one = (expected: string, received: string, note = `expected ${expected}`): Told => ({
  expected,
  received,
  note,
});

const elsewhere = (name: string, expected: string, received: string): Told => ({
  ...one(expected, received),
  name,
});

const differ: Differ = {
  'wrong-status': ({ expected, actual }) => one(expected, String(actual)),
  'wrong-type': ({ expected, actual }) => one(expected.join(' or '), showValue(actual)),
  'wrong-code': ({ expected, actual }) => one(expected.join(' or '), showValue(actual)),
  'not-json': ({ place, actual }) =>
    one(place === 'body' ? 'JSON' : `JSON with ${placeName(place)}`, orNothing(actual)),
  missing: ({ place }) => one('present', 'missing', `${placeName(place)} is missing`),
  'wrong-value': ({ expected, actual }) => one(expected, showValue(actual), expected),
  'breaks-schema': ({ schema, problem, actual }) =>
    one(problem, showValue(actual), `${problem} (schema ${schema})`),
  'not-equal': ({ actual, other, expected }) =>
    one(`the same as ${placeName(other)}, ${showValue(expected)}`, showValue(actual)),
  'wrong-media-type': ({ expected, actual }) =>
    one(expected, actual === undefined ? 'missing' : showValue(actual)),
  'names-nothing': ({ expected, message }) => one(`a message that names ${expected}`, showValue(message)),
  'model-not-listed': ({ model }) =>
    one(`${showValue(model)}, which was called with success`, 'not in the list'),
  'model-listed': ({ model }) => one(`no ${showValue(model)}, which was made up`, 'in the list'),
  'one-part': () => one('several parts', 'one part'),
  'no-error-event': () => one('an error in the stream', 'none'),
  'wrong-path': ({ pattern, actual }) => elsewhere('path', `like ${pattern}`, actual),
  'wrong-fact': ({ fact, expected, actual }) => elsewhere(fact, expected, actual ?? 'nothing'),
  'never-happened': ({ wanted, answers }) =>
    elsewhere('all answers', `at least once ${wanted}`, `not once in ${answers} answers`),
  happened: ({ unwanted, actual }) => one(`never ${unwanted}`, String(actual)),
  differs: ({ values }) => one('the same in every answer', [...new Set(values.map(showValue))].join(', ')),
  repeats: ({ value, times }) =>
    one('another value in every answer', `${showValue(value)} in ${times} answers`),
};

/** What a finding says was expected and received, place by place. */
export function differencesOf(finding: Finding): Difference[] {
  if (finding.kind === 'none-of-several') return finding.alternatives.flat().flatMap(differencesOf);
  const { name = '', ...told } = tell(finding, finding.kind);
  return [{ ...told, place: placeOf(finding) ?? name }];
}

/** The ways in which an answer could have been right, each with what it lacks for that; one where there is no choice. */
export function waysOf(finding: Finding): Difference[][] {
  return finding.kind === 'none-of-several'
    ? finding.alternatives.map((findings) => findings.flatMap(differencesOf))
    : [differencesOf(finding)];
}

function tell<K extends Telling['kind']>(finding: Extract<Telling, { kind: K }>, kind: K): Told {
  return differ[kind](finding);
}

function orNothing(text: string): string {
  return text === '' ? 'an empty body' : showValue(text);
}
