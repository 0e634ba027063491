import { wordRemedy } from '../collect-not-judged.ts';
import { gather } from '../gather.ts';
import type { CaseReport, ObligationReport } from '../report.ts';
import { anchors, linkTo } from './anchor.ts';
import { ExchangeView } from './exchange-view.tsx';
import type { Markup } from './markup.ts';
import { OutcomeMark, outcomeLooks } from './outcome-mark.tsx';

/** A case as one line that opens to what it was judged by and what was sent and received. */
export function CaseEntry({
  item,
  scenario,
  says,
}: {
  readonly item: CaseReport;
  readonly scenario: string;
  /** What each requirement says. */
  readonly says: ReadonlyMap<string, string>;
}): Markup {
  const { id, outcome, outcomes, unstable, obligations, exchanges } = item;
  const anchor = anchors.case(id);
  const shown = new Set(exchanges.map((exchange) => exchange.id));
  return (
    <details class="entry case" data-outcome={outcome}>
      <summary>
        <OutcomeMark outcome={outcome} />
        <Axes text={id === scenario ? id : id.slice(scenario.length + 1)} />
        {unstable && <span class="tag">unstable</span>}
        {obligations.some(({ expected }) => expected !== undefined) && (
          <span class="tag">in the baseline</span>
        )}
      </summary>
      <div class="entry-body" id={anchor}>
        <p class="permalink">
          <a href={linkTo(anchor)}>{id}</a>
        </p>
        {outcomes && <p>Round by round: {outcomes.map((round) => outcomeLooks[round].word).join(', ')}.</p>}
        <ul class="obligations">
          {obligations
            .filter(
              ({ findings }) =>
                findings.length === 0 || !findings.every(({ exchange }) => shown.has(exchange)),
            )
            .map((obligation) => (
              <Obligation obligation={obligation} shown={shown} />
            ))}
        </ul>
        {exchanges.map((exchange, index) => (
          <ExchangeView
            exchange={exchange}
            obligations={obligations}
            says={says}
            title={exchanges.length > 1 ? `Exchange ${index + 1} of ${exchanges.length}` : ''}
          />
        ))}
      </div>
    </details>
  );
}

/** The point of a scenario at which a case stands, axis by axis. */
function Axes({ text }: { readonly text: string }): Markup {
  return (
    <span class="axes">
      {text.split('/').map((part) => {
        const end = part.indexOf('=');
        return end < 0 ? (
          <span>{part} </span>
        ) : (
          <span>
            <small>{part.slice(0, end)}</small> {part.slice(end + 1)}{' '}
          </span>
        );
      })}
    </span>
  );
}

/** What a requirement came to here, with those of its findings that no exchange below shows. */
function Obligation({
  obligation,
  shown,
}: {
  readonly obligation: ObligationReport;
  readonly shown: ReadonlySet<string>;
}): Markup {
  const { requirement, outcome, findings, reason, add, expected } = obligation;
  const unshown = gather(
    findings.filter(({ exchange }) => !shown.has(exchange)),
    ({ message }) => message,
  );
  return (
    <li>
      <OutcomeMark outcome={outcome} /> <a href={linkTo(anchors.requirement(requirement))}>{requirement}</a>
      {reason !== undefined && <span class="reason"> {reason}</span>}
      {add !== undefined && <span class="reason">{wordRemedy(add)}</span>}
      {expected !== undefined && <span class="reason"> The baseline expects this: {expected}</span>}
      {unshown.map(([message, same]) => (
        <span class="reason">
          {' '}
          {message}
          {same.length > 1 && ` (${same.length} times)`}
        </span>
      ))}
    </li>
  );
}
