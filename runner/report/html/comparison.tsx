import type { FindingReport } from '../report.ts';
import { placeName } from '../wording.ts';
import { waysOf } from './difference.ts';
import type { Markup } from './markup.ts';

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
