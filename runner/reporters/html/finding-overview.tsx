import type { Cause } from '../../report/causes/causes.ts';
import {
  collectFailedChecks,
  collectNotJudged,
  formatRemedy,
  groupFailedChecks,
  type NotJudged,
} from '../../report/failed-checks.ts';
import type { Report } from '../../report/report.ts';
import { pluralize } from '../../text/lists.ts';
import { CauseEntry } from './cause-entry.tsx';
import { anchors, linkTo, type Markup, OutcomeMark, Prose } from './elements.tsx';

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

/** What fails as a baseline expects, by requirement, with the reasons that it gives. */
export function KnownList({ report }: { readonly report: Report }): Markup | null {
  const breaches = collectFailedChecks(report);
  const known = (['violates', 'warns'] as const).flatMap((outcome) =>
    groupFailedChecks(breaches, { outcome, known: true }),
  );
  return known.length === 0 ? null : (
    <>
      <h3>Expected by the baseline</h3>
      <ul class="links expected-failures">
        {known.map(({ requirement: { id }, outcome, breaches: own }) => (
          <li>
            <OutcomeMark outcome={outcome} /> <a href={linkTo(anchors.requirement(id))}>{id}</a>{' '}
            {`${pluralize(own.length, 'case')}: `}
            {[...new Set(own.flatMap((breach) => breach.known ?? []))].join('; ')}
          </li>
        ))}
      </ul>
    </>
  );
}

/** The most reasons that are told before the rest is folded. */
const shownReasons = 8;

/** What could not be judged, by the reason, with what to add to the profile. */
export function Unjudged({ report }: { readonly report: Report }): Markup | null {
  const reasons = collectNotJudged(report);
  const rest = reasons.length - shownReasons;
  return reasons.length === 0 ? null : (
    <>
      <h3>Not tested</h3>
      <Reasons reasons={reasons.slice(0, shownReasons)} />
      {rest > 0 && (
        <details class="more">
          <summary>and {pluralize(rest, 'more reason')}</summary>
          <Reasons reasons={reasons.slice(shownReasons)} />
        </details>
      )}
    </>
  );
}

function Reasons({ reasons }: { readonly reasons: readonly NotJudged[] }): Markup {
  return (
    <ul class="unjudged">
      {reasons.map(({ outcome, reason, add, count }) => (
        <li>
          <OutcomeMark outcome={outcome} /> <strong class="number">{count}</strong>{' '}
          <span>
            {reason}
            <Prose text={formatRemedy(add, (name) => `\`${name}\``)} />
          </span>
        </li>
      ))}
    </ul>
  );
}
