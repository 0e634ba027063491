import { pluralize } from '../../../../common/lists.ts';
import { type Markup, Prose, Scroller } from '../../../../common/page/markup.tsx';
import type { ComparedRequirement, Comparison } from '../../../compare/comparison.ts';
import { formatAllTargets, formatNotJudgedOn } from '../../../compare/format-comparison.ts';
import { type OverallResult, overallResultWords } from '../../../gate/exit-code.ts';
import type { Outcome } from '../../../judge/outcome.ts';
import { clausesOf } from '../../../report/format-value.ts';
import { ClauseList, OutcomeMark } from '../../html/elements.tsx';

const shownBroken = 5;

/**
 * Renders the violations and warnings that all judged targets share, and the checks that were judged on only some
 * targets.
 */
export function Agreement({ comparison }: { readonly comparison: Comparison }): Markup {
  const { brokenByAll, notJudged } = comparison;
  return (
    <>
      {brokenByAll.length > 0 && (
        <section id="broken" aria-labelledby="broken-title">
          <h2 id="broken-title">{`Failed on ${formatAllTargets(comparison)} targets`}</h2>
          <BrokenList items={brokenByAll.slice(0, shownBroken)} />
          {brokenByAll.length > shownBroken && (
            <details class="more">
              <summary>{`and ${pluralize(brokenByAll.length - shownBroken, 'more requirement')}`}</summary>
              <BrokenList items={brokenByAll.slice(shownBroken)} />
            </details>
          )}
        </section>
      )}
      {notJudged.length > 0 && (
        <section id="not-judged" aria-labelledby="not-judged-title">
          <h2 id="not-judged-title">Judged on some targets only</h2>
          <p class="quiet">
            These checks were not judged on every target. A missing result does not count as a difference.
          </p>
          <ul class="reasons">
            {notJudged.map((item) => (
              <li>
                <strong>{item.target}</strong> <Prose text={formatNotJudgedOn(item, (text) => text)} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function BrokenList({ items }: { readonly items: readonly ComparedRequirement[] }): Markup {
  return (
    <ul class="broken-list">
      {items.map((item) => (
        <Broken item={item} />
      ))}
    </ul>
  );
}

function Broken({ item }: { readonly item: ComparedRequirement }): Markup {
  const { id, says, cases, targets } = item;
  const worst = targets.find(({ broken }) => broken > 0)?.outcome ?? 'violates';
  const found = new Set(targets.flatMap((own) => own.found ?? []));
  return (
    <li class={worst}>
      <p>
        <OutcomeMark outcome={worst} /> <strong>{id}</strong>
      </p>
      <p class="says">
        <Prose text={says} />
      </p>
      <ClauseList clauses={clausesOf(item)} />
      <ul class="found">
        {found.size === 1
          ? [...found].map((text) => (
              <li>
                <p>{`${text} (${pluralize(cases.length, 'case')})`}</p>
              </li>
            ))
          : targets.map(
              (own) =>
                own.found !== null && (
                  <li>
                    <p>{`${own.target}: ${own.found}`}</p>
                  </li>
                ),
            )}
      </ul>
    </li>
  );
}

/** The outcome whose colour represents the result of a target. */
const tones: Readonly<Record<OverallResult, Outcome>> = {
  conforms: 'conforms',
  violates: 'violates',
  'as-expected': 'warns',
  'baseline-outdated': 'violates',
  inconclusive: 'inconclusive',
};

/** Renders a table of the targets with their results and counts, after the problems of their runs. */
export function TargetTable({ comparison: { targets } }: { readonly comparison: Comparison }): Markup {
  const troubles = targets.flatMap(({ name, diagnosis }) => diagnosis.map((text) => `${name}: ${text}`));
  return (
    <>
      {troubles.length > 0 && (
        <section class="notices" aria-label="Notes on the targets">
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
                  'Started',
                ].map((title) => (
                  <th scope="col">{title}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {targets.map(({ name, baseUrl, result, summary: { requirements }, sent, startedAt }) => (
                <tr>
                  <th scope="row">
                    <strong>{name}</strong>
                    <span class="quiet">{baseUrl}</span>
                  </th>
                  <td>
                    <span class={`mark ${tones[result]}`}>{overallResultWords[result]}</span>
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
