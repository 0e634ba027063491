import type { Finding } from '../../judge/finding.ts';
import { textsOf } from '../../report/findings.ts';
import { placeName } from '../../report/format-value.ts';
import type { FindingReport } from '../../report/report.ts';
import type { Markup } from './elements.tsx';

/** Renders the expected and the received value of each place where they differ. */
export function ExpectedReceived({ findings }: { readonly findings: readonly FindingReport[] }): Markup {
  const ways = findings.map(({ finding }) => waysOf(finding));
  const sets = ways.flatMap((choice) =>
    choice.map((differences, index) => ({
      title: choice.length > 1 ? `Correct response ${index + 1} of ${choice.length}: differences` : undefined,
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

/** Returns the name of a place in a response, or the place itself if it has no name. */
function nameOf(place: string): string {
  const inAnswer =
    place === 'body' || place === 'status' || place.startsWith('header ') || place.startsWith('/');
  return inAnswer ? placeName(place).replace(/^the /, '') : place;
}

/** A difference at a place of a response: `status`, `header NAME`, `body`, or a JSON pointer into the body. */
export interface Difference {
  readonly place: string;
  readonly expected: string;
  readonly received: string;
  readonly note: string;
}

/** Returns the differences that a finding reports, by place. */
export function differencesOf(finding: Finding): Difference[] {
  if (finding.kind === 'none-of-several') return finding.alternatives.flat().flatMap(differencesOf);
  const { place, label = '', expected, received, note = `expected ${expected}` } = textsOf(finding);
  return [{ place: place ?? label, expected, received, note }];
}

/** Returns the differences from each correct response; one list if only one response is correct. */
export function waysOf(finding: Finding): Difference[][] {
  return finding.kind === 'none-of-several'
    ? finding.alternatives.map((findings) => findings.flatMap(differencesOf))
    : [differencesOf(finding)];
}
