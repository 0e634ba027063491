import { pluralize } from '../../../common/lists.ts';
import { type Markup, Prose } from '../../../common/page/markup.tsx';
import type { ClientReport, RecordingReport, Report } from '../../report/report.ts';
import { clausesOf } from '../../view/clauses.ts';
import { outcomeLooks } from '../../view/signs.ts';
import {
  type DutyOutcome,
  formatBroken,
  formatBrokenStreams,
  formatExchanges,
  judgeDuty,
  listBrokenDuties,
  toneOfDuty,
} from '../../view/traffic.ts';
import { ClauseList } from './elements.tsx';

/**
 * Renders the numbers of recorded exchanges, the reasons why exchanges were not judged, the broken streams, the
 * properties that were inferred from the traffic, and the client duties; null for a run.
 */
export function Recording({ report: { recording } }: { readonly report: Report }): Markup | null {
  if (!recording) return null;
  return (
    <section id="traffic" aria-labelledby="traffic-title">
      <h2 id="traffic-title">Recorded traffic</h2>
      <p class="quiet">{formatExchanges(recording)}.</p>
      <Unjudged {...recording} />
      <Learned {...recording} />
      {recording.client && <Client {...recording.client} />}
    </section>
  );
}

function Learned({ brokenStreams = {}, learned = [] }: RecordingReport): Markup {
  return (
    <>
      {Object.entries(brokenStreams).map(([by, { count, example }]) => (
        <p>
          {formatBrokenStreams(by, count)} <span class="quiet">{example}</span>
        </p>
      ))}
      {learned.length > 0 && (
        <>
          <h3>Inferred from the traffic</h3>
          <ul class="learned">
            {learned.map(({ path, value, because }) => (
              <li>
                <code>{`${path}: ${value}`}</code> <span class="quiet">{because}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function Unjudged({ notJudged }: RecordingReport): Markup | null {
  return notJudged.length === 0 ? null : (
    <>
      <h3>Not tested</h3>
      <ul class="unjudged counted">
        {notJudged.map(({ reason, count, example }) => (
          <li>
            <strong class="number">{count}</strong>{' '}
            <span>
              {reason} <span class="quiet">{example}</span>
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Client({ requests, duties }: ClientReport): Markup {
  const satisfied = duties.filter((duty) => judgeDuty(duty) === 'satisfied').map(({ id }) => id);
  return (
    <>
      <h3>Clients</h3>
      <p class="quiet">{`${pluralize(requests, 'request')}. Violated duties of clients do not affect the verdict on the gateway.`}</p>
      <ul class="broken-list">
        {listBrokenDuties({ duties }).map((duty) => (
          <li class={toneOfDuty[judgeDuty(duty)]}>
            <p>
              <DutyMark outcome={judgeDuty(duty)} /> <strong>{duty.id}</strong>{' '}
              <span class="clause">{formatBroken(duty)}</span>
            </p>
            <p class="says">
              <Prose text={duty.says} />
            </p>
            <ClauseList clauses={clausesOf(duty)} />
            <ul class="found">
              {duty.findings.map(({ exchange, request, status, message }) => (
                <li>
                  {`${request} → ${status ?? 'no response'}: ${message} `}
                  <span class="quiet">{exchange}</span>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {satisfied.length > 0 && (
        <p class="kept-duties">
          <DutyMark outcome="satisfied" /> {satisfied.join(', ')}
        </p>
      )}
    </>
  );
}

function DutyMark({ outcome }: { readonly outcome: DutyOutcome }): Markup {
  const tone = toneOfDuty[outcome];
  return (
    <span class={`mark ${tone}`}>
      <span aria-hidden="true">{outcomeLooks[tone].sign}</span> {outcome}
    </span>
  );
}
