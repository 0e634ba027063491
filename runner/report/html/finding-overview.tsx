import type { Cause } from '../causes/causes.ts';
import type { Report } from '../report.ts';
import { CauseEntry } from './cause-entry.tsx';
import { KnownList } from './known-list.tsx';
import type { Markup } from './markup.ts';
import { Unjudged } from './unjudged.tsx';

/** The most causes that are shown before the rest is folded. */
const shownCauses = 8;

/** What fails, by its cause, the gravest first; then what fails as a baseline expects, and what could not be tested. */
export function FindingOverview({
  report,
  causes,
}: {
  readonly report: Report;
  readonly causes: readonly Cause[];
}): Markup {
  const rest = causes.slice(shownCauses + 1).length > 0 ? causes.slice(shownCauses) : [];
  const isTested = report.requirements.some(
    ({ outcome }) => outcome === 'conforms' || outcome === 'violates',
  );
  return (
    <section id="findings" aria-labelledby="findings-title">
      <h2 id="findings-title">Findings</h2>
      {causes.length === 0 && (
        <p class="quiet">
          {isTested ? 'Nothing that was tested fails unexpectedly.' : 'Nothing could be tested.'}
        </p>
      )}
      {causes.length > 0 && <p class="quiet">Failures by their probable cause, the gravest first.</p>}
      <Causes causes={causes.slice(0, causes.length - rest.length)} />
      {rest.length > 0 && (
        <details class="more">
          <summary>and {rest.length} more causes</summary>
          <Causes causes={rest} />
        </details>
      )}
      <KnownList report={report} />
      <Unjudged report={report} />
    </section>
  );
}

function Causes({ causes }: { readonly causes: readonly Cause[] }): Markup | null {
  return causes.length === 0 ? null : (
    <ol class="broken-list">
      {causes.map((cause) => (
        <CauseEntry cause={cause} />
      ))}
    </ol>
  );
}
