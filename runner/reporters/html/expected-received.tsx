import type { Finding } from '../../judge/finding.ts';
import { textsOf } from '../../report/findings.ts';
import { placeName } from '../../report/format-value.ts';
import type { FindingReport } from '../../report/report.ts';
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

/** What a finding says was expected and received, place by place. */
export function differencesOf(finding: Finding): Difference[] {
  if (finding.kind === 'none-of-several') return finding.alternatives.flat().flatMap(differencesOf);
  const { place, label = '', expected, received, note = `expected ${expected}` } = textsOf(finding);
  return [{ place: place ?? label, expected, received, note }];
}

/** The ways in which an answer could have been right, each with what it lacks for that; one where there is no choice. */
export function waysOf(finding: Finding): Difference[][] {
  return finding.kind === 'none-of-several'
    ? finding.alternatives.map((findings) => findings.flatMap(differencesOf))
    : [differencesOf(finding)];
}
