import { brokenRequirements, collectBreaches } from '../collect-breaches.ts';
import { counted } from '../counted.ts';
import type { Report } from '../report.ts';
import { anchors, linkTo } from './anchor.ts';
import type { Markup } from './markup.ts';
import { OutcomeMark } from './outcome-mark.tsx';

/** What fails as a baseline expects, by requirement, with the reasons that it gives. */
export function KnownList({ report }: { readonly report: Report }): Markup | null {
  const breaches = collectBreaches(report);
  const known = (['violates', 'warns'] as const).flatMap((outcome) =>
    brokenRequirements(breaches, { outcome, known: true }),
  );
  return known.length === 0 ? null : (
    <>
      <h3>Expected by the baseline</h3>
      <ul class="links expected-failures">
        {known.map(({ requirement: { id }, outcome, breaches: own }) => (
          <li>
            <OutcomeMark outcome={outcome} /> <a href={linkTo(anchors.requirement(id))}>{id}</a>{' '}
            {`${counted(own.length, 'case')}: `}
            {[...new Set(own.flatMap((breach) => breach.known ?? []))].join('; ')}
          </li>
        ))}
      </ul>
    </>
  );
}
