import { pluralize } from '../../../common/lists.ts';
import { linkTo, type Markup, Prose } from '../../../common/page/markup.tsx';
import { isKept } from '../../judge/outcome.ts';
import { type FailedRequirement, formatRemedy, type NotJudgedGroup } from '../../view/failed-checks.ts';
import type { View } from '../../view/view.ts';
import { CauseEntry, CauseLink } from './cause-entry.tsx';
import { anchors, Folded, OutcomeMark } from './elements.tsx';

/**
 * Renders violations and warnings by cause, then the failures that the baseline expects, then the reasons why checks
 * were not judged.
 */
export function FindingOverview({ view }: { readonly view: View }): Markup {
  const { report, causes, expected, notTested } = view;
  const isTested = report.requirements.some(({ outcome }) => isKept(outcome) || outcome === 'violates');
  return (
    <section id="findings" aria-labelledby="findings-title">
      <h2 id="findings-title">Findings</h2>
      {causes.length === 0 && (
        <p class="quiet">{isTested ? 'No unexpected failures.' : 'Nothing could be tested.'}</p>
      )}
      {causes.length > 0 && <Causes causes={causes} report={report} />}
      <div class="unfiltered">
        <KnownList items={expected} />
        <Unjudged reasons={notTested} />
      </div>
    </section>
  );
}

/** Renders a list of all causes next to the causes. With a script, the page shows only the selected one. */
function Causes({ causes, report }: Pick<View, 'causes' | 'report'>): Markup {
  return (
    <div class="causes">
      <p class="quiet" id="no-cause" hidden>
        No cause fits.
      </p>
      <nav id={anchors.causes} aria-label="Causes, the most severe first">
        <ol>
          {causes.map((cause) => (
            <CauseLink cause={cause} />
          ))}
        </ol>
      </nav>
      <div class="cause-list">
        {causes.map((cause) => (
          <CauseEntry cause={cause} report={report} />
        ))}
      </div>
    </div>
  );
}

/**
 * Renders the failures that the baseline expects, by requirement, with the reasons from the baseline; null if no such
 * failure exists.
 */
function KnownList({ items }: { readonly items: readonly FailedRequirement[] }): Markup | null {
  return items.length === 0 ? null : (
    <>
      <h3>Expected by the baseline</h3>
      <ul class="links expected-failures">
        {items.map(({ requirement: { id }, outcome, breaches, why }) => (
          <li>
            <OutcomeMark outcome={outcome} /> <a href={linkTo(anchors.requirement(id))}>{id}</a>{' '}
            {`${pluralize(breaches.length, 'case')}: `}
            {why.join('; ')}
          </li>
        ))}
      </ul>
    </>
  );
}

const shownReasons = 8;

/**
 * Renders the reasons why checks were not judged, with the properties to add to the profile; null if all checks were
 * judged.
 */
function Unjudged({ reasons }: { readonly reasons: readonly NotJudgedGroup[] }): Markup | null {
  return reasons.length === 0 ? null : (
    <>
      <h3>Not tested (number of checks)</h3>
      <Folded items={reasons} most={shownReasons} noun="reason">
        {(shown) => <Reasons reasons={shown} />}
      </Folded>
    </>
  );
}

function Reasons({ reasons }: { readonly reasons: readonly NotJudgedGroup[] }): Markup {
  return (
    <ul class="unjudged">
      {reasons.map(({ outcome, reason, add, count }, index) => (
        <li>
          {reasons[index - 1]?.outcome !== outcome && <OutcomeMark outcome={outcome} />}{' '}
          <strong class="number">{count}</strong>{' '}
          <span>
            <Prose text={reason} />
            <Prose text={formatRemedy(add, (name) => `\`${name}\``)} />
          </span>
        </li>
      ))}
    </ul>
  );
}
