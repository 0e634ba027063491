import { groupBy } from '../../../common/lists.ts';
import { linkTo, type Markup, Prose, renderAround, renderPiece, Slot } from '../../../common/page/markup.tsx';
import type { PackedEntry } from '../../../common/page/packed-entry.ts';
import { searchHelp } from '../../../common/page/search.ts';
import { clip } from '../../../common/wrap.ts';
import { isFailed, isKept, outcomes } from '../../judge/outcome.ts';
import type { CaseReport, CheckReport, Report } from '../../report/report.ts';
import { formatRemedy } from '../../view/failed-checks.ts';
import { outcomeLooks } from '../../view/signs.ts';
import { anchors, Choice, EntryGroup, OutcomeMark, packEntry, Tally } from './elements.tsx';
import { ConformingExchange, ExchangeView } from './exchange-view.tsx';

/** Yields the HTML of every case, by suite and scenario. */
export function* renderCaseList(report: Report): Generator<string> {
  const says = new Map(report.requirements.map((item) => [item.id, item.says]));
  for (const [suite, cases] of groupBy(report.cases, (item) => item.suite)) {
    const part = (
      <section class="part">
        <h3>
          {suite} <Tally items={cases} />
        </h3>
        <Slot />
      </section>
    );
    yield* renderAround(
      part,
      scenarioList(
        groupBy(cases, ({ id }) => scenarioOf(id)),
        says,
      ),
    );
  }
}

function* scenarioList(
  scenarios: readonly (readonly [string, readonly CaseReport[]])[],
  says: ReadonlyMap<string, string>,
): Generator<string> {
  for (const [scenario, cases] of scenarios)
    yield renderPiece(
      <EntryGroup
        kind="case"
        title={scenario}
        about={cases[0]?.about ?? ''}
        items={cases}
        entries={cases.map((item) => packCase(item, { scenario, says }))}
      />,
    );
}

/** Returns the part of a case ID before the attributes; the whole ID if the ID contains no attributes. */
function scenarioOf(id: string): string {
  const parts = id.split('/');
  const end = parts.findIndex((part) => part.includes('='));
  return end < 1 ? id : parts.slice(0, end).join('/');
}

/** Returns a case as one line that opens to the checks and the exchanges of the case. */
export function packCase(
  item: CaseReport,
  {
    scenario,
    says,
  }: {
    readonly scenario: string;
    /** The text (`says`) of each requirement, by ID. */
    readonly says: ReadonlyMap<string, string>;
  },
): PackedEntry {
  const { id, outcome, outcomes, unstable, checks, exchanges } = item;
  const anchor = anchors.case(id);
  const shown = new Set(exchanges.map((exchange) => exchange.id));
  const isPassed = checks.every((check) => isKept(check.outcome));
  return packEntry(
    { id: anchor, outcome },
    <>
      <OutcomeMark outcome={outcome} />
      <Axes text={id === scenario ? id : id.slice(scenario.length + 1)} />
      {unstable && <span class="tag">unstable</span>}
      {isFailed(outcome) && <span class="requirement-id">{firstMessageOf(checks)}</span>}
      {checks.some(({ expected }) => expected !== undefined) && <span class="tag">in the baseline</span>}
    </>,
    <>
      <p class="permalink">
        <a href={linkTo(anchor)}>{id}</a>
      </p>
      {outcomes && (
        <p>Result of each round: {outcomes.map((round) => outcomeLooks[round].word).join(', ')}.</p>
      )}
      {isPassed ? (
        <PassedChecks checks={checks} />
      ) : (
        <ul class="checks">
          {checks
            .filter(
              ({ findings }) =>
                findings.length === 0 || !findings.every(({ exchange }) => shown.has(exchange)),
            )
            .map((check) => (
              <Check check={check} shown={shown} />
            ))}
        </ul>
      )}
      {exchanges.map((exchange, index) => {
        const title = exchanges.length > 1 ? `Exchange ${index + 1} of ${exchanges.length}` : '';
        return isPassed ? (
          <ConformingExchange exchange={exchange} title={title} />
        ) : (
          <ExchangeView exchange={exchange} checks={checks} says={says} title={title} />
        );
      })}
    </>,
  );
}

/** Returns what is wrong in the first failed check, in short. */
function firstMessageOf(checks: readonly CheckReport[]): string {
  const [found] = checks.flatMap((check) => (isFailed(check.outcome) ? check.findings : []));
  return clip(found?.message ?? '', longestMessage);
}

const longestMessage = 90;

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

/** Renders links to the requirements of a case in which the gateway keeps its promise, by outcome. */
function PassedChecks({ checks }: { readonly checks: readonly CheckReport[] }): Markup {
  return (
    <>
      {groupBy(checks, ({ outcome }) => outcome).map(([outcome, own]) => (
        <p class="passed">
          <OutcomeMark outcome={outcome} />
          {own.map(({ requirement, declared = [] }) => (
            <a href={linkTo(anchors.requirement(requirement))} title={declared.join(', ') || undefined}>
              {requirement}
            </a>
          ))}
        </p>
      ))}
    </>
  );
}

/** Renders the outcome of a check with the reason, and the findings in exchanges that the entry does not show. */
function Check({
  check,
  shown,
}: {
  readonly check: CheckReport;
  readonly shown: ReadonlySet<string>;
}): Markup {
  const { requirement, outcome, findings, reason, add, expected } = check;
  const unshown = groupBy(
    findings.filter(({ exchange }) => !shown.has(exchange)),
    ({ message }) => message,
  );
  return (
    <li>
      <OutcomeMark outcome={outcome} /> <a href={linkTo(anchors.requirement(requirement))}>{requirement}</a>
      {reason !== undefined && (
        <span class="reason">
          {' '}
          <Prose text={reason} />
        </span>
      )}
      {add !== undefined && <span class="reason">{formatRemedy(add)}</span>}
      {expected !== undefined && <span class="reason"> Expected by the baseline: {expected}</span>}
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

/**
 * Renders the filter for requirements and cases, by outcome and text. The filter is hidden until the script of the
 * page runs.
 */
export function FilterBar({ cases, requirements }: Report): Markup {
  const present = outcomes.filter((outcome) =>
    [...cases, ...requirements].some((item) => item.outcome === outcome),
  );
  return (
    <search class="filter-bar" aria-label="Causes, requirements and cases" hidden>
      <input
        id="search"
        type="search"
        placeholder="Search: operation=chat, ID, clause, message, trace ID…"
        aria-label="Search"
        title={searchHelp}
      />
      <span class="search-help" aria-hidden="true">
        {searchHelp}
      </span>
      <fieldset>
        <legend class="unseen">Outcome</legend>
        <Choice name="outcome" value="" label="all" checked />
        {present.map((outcome) => (
          <Choice
            name="outcome"
            value={outcome}
            label={`${outcomeLooks[outcome].sign} ${outcomeLooks[outcome].word}`}
          />
        ))}
      </fieldset>
      <p class="actions">
        <button type="button" id="expand" title="Opens the groups and, if few entries are shown, the entries">
          Expand all
        </button>
        <button type="button" id="collapse">
          Collapse all
        </button>
      </p>
      <output id="shown" />
    </search>
  );
}
