import type { Outcome } from '../../../judge/outcome.ts';
import type { Markup } from '../../../report/html/markup.ts';
import { Scroller } from '../../../report/html/scroller.tsx';
import { type Standing, standingWords } from '../../../report/standing.ts';
import type { Comparison } from '../comparison.ts';

/** How each standing looks like an outcome. */
const tones: Readonly<Record<Standing, Outcome>> = {
  conforms: 'conforms',
  violates: 'violates',
  'as-expected': 'warns',
  'baseline-outdated': 'violates',
  inconclusive: 'inconclusive',
};

/** The targets, what became of each by itself, and what kept one from being judged. */
export function TargetTable({ comparison: { targets } }: { readonly comparison: Comparison }): Markup {
  const troubles = targets.flatMap(({ name, diagnosis }) => diagnosis.map((text) => `${name}: ${text}`));
  return (
    <>
      {troubles.length > 0 && (
        <section class="notices" aria-label="What to know of the targets">
          <ul>
            {troubles.map((text) => (
              <li>{text}</li>
            ))}
          </ul>
        </section>
      )}
      <section id="targets" aria-labelledby="targets-title">
        <h2 id="targets-title">Targets</h2>
        <Scroller label="Targets">
          <table class="versus targets">
            <thead>
              <tr>
                {[
                  'Target',
                  'Verdict',
                  'Passed',
                  'Failed',
                  'Warned',
                  'Inconclusive',
                  'Not applicable',
                  'Requests',
                  'Tested',
                ].map((title) => (
                  <th scope="col">{title}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {targets.map(({ name, baseUrl, standing, summary: { requirements }, sent, startedAt }) => (
                <tr>
                  <th scope="row">
                    <strong>{name}</strong>
                    <span class="quiet">{baseUrl}</span>
                  </th>
                  <td>
                    <span class={`mark ${tones[standing]}`}>{standingWords[standing]}</span>
                  </td>
                  <td>{requirements.conforms}</td>
                  <td>{requirements.violates}</td>
                  <td>{requirements.warns}</td>
                  <td>{requirements.inconclusive}</td>
                  <td>{requirements.notApplicable}</td>
                  <td>{sent}</td>
                  <td>{`${startedAt.slice(0, 16).replace('T', ' ')} UTC`}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroller>
      </section>
    </>
  );
}
