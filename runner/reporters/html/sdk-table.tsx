import { linkTo, type Markup, Scroller } from '../../../common/page/markup.tsx';
import type { Report } from '../../report/report.ts';
import {
  createSdkTable,
  type SdkCell,
  type SdkOutcome,
  type SdkReason,
  type SdkTable,
} from '../../view/sdk-table.ts';
import { anchors, OutcomeMark, outcomeLabels } from './elements.tsx';

const knownLook = { sign: '≈', word: 'fails as the baseline expects', tone: 'not-applicable' } as const;

/**
 * Renders a table of the calls of each SDK, with links to cases, and the numbered reasons; null without available
 * SDKs.
 */
export function SdkTableSection({ report }: { readonly report: Report }): Markup | null {
  const table = createSdkTable(report);
  if (!table || table.sdks.length === 0) return null;
  const packages = [...new Set(table.sdks.flatMap((sdk) => sdk.packages))];
  return (
    <section id="sdks" aria-labelledby="sdks-title">
      <h2 id="sdks-title">SDKs</h2>
      <p class="quiet">
        The outcome of each call by an official SDK. Tested with {packages.join(', ')}. The numbers refer to
        the reasons below.
      </p>
      <Scroller label="SDKs">
        <Grid {...table} />
      </Scroller>
      <ol class="sdk-reasons">
        {table.reasons.map((reason) => (
          <Reason table={table} reason={reason} />
        ))}
      </ol>
    </section>
  );
}

function Grid({ sdks, rows }: SdkTable): Markup {
  return (
    <table class="sdk-table">
      <thead>
        <tr>
          <th scope="col">Call</th>
          {sdks.map(({ id }) => (
            <th scope="col">{id}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ call, cells }) => (
          <tr>
            <th scope="row">{call}</th>
            {cells.map((cell, column) => (
              <Cell cell={cell} label={`${call}, ${sdks[column]?.id}`} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell({ cell, label }: { readonly cell: SdkCell | undefined; readonly label: string }): Markup {
  if (!cell) {
    return (
      <td>
        <span class="unseen">not made by this SDK</span>
      </td>
    );
  }
  const { sign, word, tone } = lookOf(cell.outcome);
  const numbers = cell.reasons.map((index) => index + 1);
  const reasons = numbers.length === 0 ? '' : `, reason ${numbers.join(', ')}`;
  return (
    <td class={tone}>
      <a
        href={linkTo(anchors.case(cell.cases[0] ?? ''))}
        aria-label={`${word}: ${label}${reasons}`}
        title={`${word}: ${label}`}
      >
        {[sign, ...numbers].join(' ')}
      </a>
    </td>
  );
}

function lookOf(outcome: SdkOutcome): {
  readonly sign: string;
  readonly word: string;
  readonly tone: string;
} {
  return outcome === 'known' ? knownLook : { ...outcomeLabels[outcome], tone: outcome };
}

function Reason({ table, reason }: { readonly table: SdkTable; readonly reason: SdkReason }): Markup {
  const { outcome, message, calls, sdks, effects, violates, requirements } = reason;
  const name = (ids: readonly string[]): string =>
    ids.length === table.sdks.length && ids.length > 2 ? 'every SDK' : ids.join(', ');
  return (
    <li>
      <p>
        <OutcomeMark outcome={outcome} /> {message}
      </p>
      <p class="quiet">
        {calls.join(', ')} · {name(sdks)}
      </p>
      {effects.map(({ text, sdks: own }) => (
        <p>
          {own.length < sdks.length && `${name(own)}: `}
          {text}
        </p>
      ))}
      {[...requirements, ...violates].length > 0 && (
        <p class="quiet">
          {requirements.map((id) => (
            <>
              <a href={linkTo(anchors.requirement(id))}>{id}</a>{' '}
            </>
          ))}
          {violates.length > 0 && `the response violates ${violates.join(', ')}`}
        </p>
      )}
    </li>
  );
}
