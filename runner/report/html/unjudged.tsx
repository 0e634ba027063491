import { collectNotJudged, type NotJudged, wordRemedy } from '../collect-not-judged.ts';
import { counted } from '../counted.ts';
import type { Report } from '../report.ts';
import type { Markup } from './markup.ts';
import { OutcomeMark } from './outcome-mark.tsx';
import { Prose } from './prose.tsx';

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
          <summary>and {counted(rest, 'more reason')}</summary>
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
            <Prose text={wordRemedy(add, (name) => `\`${name}\``)} />
          </span>
        </li>
      ))}
    </ul>
  );
}
