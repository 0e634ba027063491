import { linkTo, type Markup } from '../../../common/page/markup.tsx';
import { layOutSdks, listPackages, nameSdks, type SdkReason, type SdkTable } from '../../view/sdk-table.ts';
import { anchors, OutcomeMark } from './elements.tsx';
import { Legend, TableView } from './table.tsx';

/**
 * Renders a table of the calls of each SDK, with links to cases, and the numbered reasons; null without available
 * SDKs.
 */
export function SdkTableSection({ table }: { readonly table: SdkTable | undefined }): Markup | null {
  if (!table || table.sdks.length === 0) return null;
  const grid = layOutSdks(table);
  return (
    <section id="sdks" aria-labelledby="sdks-title">
      <h2 id="sdks-title">SDKs</h2>
      <p class="quiet">
        The outcome of each call by an official SDK. Tested with {listPackages(table).join(', ')}. The numbers
        refer to the reasons below.
      </p>
      <Legend table={grid} />
      <TableView table={grid} look="sdk-table" />
      <ol class="sdk-reasons">
        {table.reasons.map((reason) => (
          <Reason table={table} reason={reason} />
        ))}
      </ol>
    </section>
  );
}

function Reason({ table, reason }: { readonly table: SdkTable; readonly reason: SdkReason }): Markup {
  const { outcome, message, calls, sdks, effects, violates, requirements } = reason;
  return (
    <li>
      <p>
        <OutcomeMark outcome={outcome} /> {message}
      </p>
      <p class="quiet">
        {calls.join(', ')} · {nameSdks(table, sdks)}
      </p>
      {effects.map(({ text, sdks: own }) => (
        <p>
          {own.length < sdks.length && `${nameSdks(table, own)}: `}
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
