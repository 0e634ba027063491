import { outcomes } from '../../judge/outcome.ts';
import type { Report } from '../report.ts';
import type { Markup } from './markup.ts';
import { outcomeLooks } from './outcome-mark.tsx';

/** Filters requirements and cases by outcome and by any text in them; hidden until the page's script shows it. */
export function FilterBar({ cases, requirements }: Report): Markup {
  const present = outcomes.filter((outcome) =>
    [...cases, ...requirements].some((item) => item.outcome === outcome),
  );
  return (
    <search class="filter-bar" aria-label="Requirements and cases" hidden>
      <input
        id="search"
        type="search"
        placeholder="Search: id, clause, message, trace id…"
        aria-label="Search"
      />
      <fieldset>
        <legend class="unseen">Outcome</legend>
        <Choice value="" label="all" checked />
        {present.map((outcome) => (
          <Choice value={outcome} label={`${outcomeLooks[outcome].sign} ${outcomeLooks[outcome].word}`} />
        ))}
      </fieldset>
      <p class="actions">
        <button type="button" id="expand">
          Expand all
        </button>
        <button type="button" id="collapse">
          Collapse all
        </button>
        <output id="shown" />
      </p>
    </search>
  );
}

function Choice({
  value,
  label,
  checked = false,
}: {
  readonly value: string;
  readonly label: string;
  readonly checked?: boolean;
}): Markup {
  return (
    <label>
      <input type="radio" name="outcome" value={value} checked={checked} />
      <span>{label}</span>
    </label>
  );
}
