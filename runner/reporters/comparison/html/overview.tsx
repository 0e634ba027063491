import { pluralize } from '../../../../common/lists.ts';
import { type Markup, Prose } from '../../../../common/page/markup.tsx';
import type { ComparedRequirement, Comparison } from '../../../compare/comparison.ts';
import { clausesOf } from '../../../view/clauses.ts';
import { comparisonWords, formatNotJudgedOn, layOutTargets } from '../../../view/format-comparison.ts';
import { ClauseList, Folded, NoticeList, OutcomeMark } from '../../html/elements.tsx';
import { TableView } from '../../html/table.tsx';

const shownBroken = 5;

/**
 * Renders the violations and warnings that all judged targets share, and the checks that were judged on only some
 * targets.
 */
export function Agreement({ comparison }: { readonly comparison: Comparison }): Markup {
  const { kind, targets, brokenByAll, notJudged } = comparison;
  return (
    <>
      {brokenByAll.length > 0 && (
        <section id="broken" aria-labelledby="broken-title">
          <h2 id="broken-title">{comparisonWords[kind].brokenByAll(targets.length)}</h2>
          <Folded items={brokenByAll} most={shownBroken} noun="requirement">
            {(shown) => (
              <ul class="broken-list">
                {shown.map((item) => (
                  <Broken item={item} />
                ))}
              </ul>
            )}
          </Folded>
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
                <p>
                  <Prose text={text} />
                  {` (${pluralize(cases.length, 'case')})`}
                </p>
              </li>
            ))
          : targets.map(
              (own) =>
                own.found !== null && (
                  <li>
                    <p>
                      {`${own.target}: `}
                      <Prose text={own.found} />
                    </p>
                  </li>
                ),
            )}
      </ul>
    </li>
  );
}

/** Renders a table of the targets with their results and counts, after the problems of their runs. */
export function TargetTable({ comparison }: { readonly comparison: Comparison }): Markup {
  const { kind, caveats, targets } = comparison;
  const { targets: title } = comparisonWords[kind];
  const troubles = [
    ...caveats,
    ...targets.flatMap(({ name, diagnosis }) => diagnosis.map((text) => `${name}: ${text}`)),
  ];
  return (
    <>
      <NoticeList
        label={`Notes on the ${title.toLowerCase()}`}
        items={troubles.map((text) => <Prose text={text} />)}
      />
      <section id="targets" aria-labelledby="targets-title">
        <h2 id="targets-title">{title}</h2>
        <TableView
          table={layOutTargets(comparison)}
          look="versus targets"
          stacks
          label={({ label, about }) => (
            <>
              <strong>{label}</strong>
              <span class="quiet">{about}</span>
            </>
          )}
        />
      </section>
    </>
  );
}
