import type { Report } from '../report.ts';
import { brokenDuties, dutyOutcome, wordBroken, wordExchanges } from '../word-client.ts';
import type { Markup } from './markup.ts';
import { Prose } from './prose.tsx';

/** What recorded traffic was: what of it was not judged, and what its clients owed and broke. */
export function Recording({ report: { recording } }: { readonly report: Report }): Markup | null {
  if (!recording) return null;
  const { notJudged, client } = recording;
  const broken = brokenDuties(recording);
  return (
    <section id="traffic" aria-labelledby="traffic-title">
      <h2 id="traffic-title">Recorded traffic</h2>
      <p>{wordExchanges(recording)}.</p>
      {notJudged.length > 0 && (
        <ul>
          {notJudged.map(({ reason, count, example }) => (
            <li>
              {`${count} not judged: ${reason} `}
              <span class="quiet">{example}</span>
            </li>
          ))}
        </ul>
      )}
      {client && (
        <>
          <h3>The client's side</h3>
          <p>{`${client.requests} requests; apart from the verdict on the gateway.`}</p>
          <ul>
            {broken.map((duty) => (
              <li>
                <strong>{`${duty.id}: ${dutyOutcome(duty)}, ${wordBroken(duty)}. `}</strong>
                <Prose text={duty.says} />
                {` (clause ${duty.clause})`}
                <ul>
                  {duty.findings.map(({ exchange, request, status, message }) => (
                    <li>{`${exchange}: ${request}, answered ${status ?? 'not at all'}. ${message}`}</li>
                  ))}
                </ul>
              </li>
            ))}
            {broken.length === 0 && <li>No duty was broken.</li>}
          </ul>
        </>
      )}
    </section>
  );
}
