import { pluralize } from '../../../common/lists.ts';
import {
  type Content,
  escapeInvisibleText,
  type Markup,
  Prose,
  render,
} from '../../../common/page/markup.tsx';
import { Packed } from '../../../common/page/packed.tsx';
import type { PackedEntry } from '../../../common/page/packed-entry.ts';
import { type Outcome, outcomes } from '../../judge/outcome.ts';
import { noticeLook, outcomeLooks } from '../../view/signs.ts';

/** The element IDs of requirements, cases and causes, which are the same in every run, and of lists. */
export const anchors = {
  causes: 'causes',
  deviations: 'deviations',
  requirement: (id: string): string => `requirement/${escapeInvisibleText(id)}`,
  case: (id: string): string => `case/${escapeInvisibleText(id)}`,
  cause: (id: string): string => `cause/${escapeInvisibleText(id).replaceAll(/[^\w/.-]+/g, '-')}`,
};

/**
 * Renders a group of entries as one line. The entries are data, which the script of the page shows when the group is
 * opened.
 */
export function EntryGroup({
  kind,
  title,
  about,
  items,
  entries,
}: {
  readonly kind: 'requirement' | 'case';
  readonly title: Content;
  readonly about?: string;
  readonly items: readonly { readonly outcome: Outcome }[];
  readonly entries: readonly PackedEntry[];
}): Markup {
  return (
    <details class="group" data-kind={kind}>
      <summary>
        <span class="group-name">{title}</span> <Tally items={items} />
        {about !== undefined && (
          <span class="about">
            <Prose text={about} />
          </span>
        )}
      </summary>
      <Packed entries={entries} />
    </details>
  );
}

/** Returns an entry of a group. Rendering each part at once lets its elements be freed before the next is rendered. */
export function packEntry(
  { id, outcome }: { readonly id: string; readonly outcome: Outcome },
  line: Markup,
  body: Markup,
): PackedEntry {
  return [id, outcome, render(line), render(body)];
}

/** Renders the first items, and a line that opens to the others. A single item is never left out. */
export function Folded<Item>({
  items,
  most,
  noun,
  children,
}: {
  readonly items: readonly Item[];
  readonly most: number;
  readonly noun: string;
  readonly children: (items: readonly Item[], isRest: boolean) => Content;
}): Markup {
  const shown = items.length > most + 1 ? items.slice(0, most) : items;
  const rest = items.slice(shown.length);
  return (
    <>
      {children(shown, false)}
      {rest.length > 0 && (
        <details class="more">
          <summary>{`and ${pluralize(rest.length, `more ${noun}`)}`}</summary>
          {children(rest, true)}
        </details>
      )}
    </>
  );
}

export function OutcomeMark({ outcome }: { readonly outcome: Outcome }): Markup {
  const { sign, word } = outcomeLooks[outcome];
  return (
    <span class={`mark ${outcome}`}>
      <span aria-hidden="true">{sign}</span> {word}
    </span>
  );
}

/** Renders the names of clauses with their text in the specification. */
export function ClauseList({
  clauses,
}: {
  readonly clauses: readonly { readonly name: string; readonly quote: string }[];
}): Markup {
  return (
    <ul class="clauses">
      {clauses.map(({ name, quote }) => (
        <li>
          <span class="clause">{name}</span>
          {quote !== '' && (
            <q>
              <Prose text={quote} />
            </q>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Renders the number of items with each outcome, as signs and numbers. Outcomes without items are omitted. */
export function Tally({ items }: { readonly items: readonly { readonly outcome: Outcome }[] }): Markup {
  const counts = outcomes
    .map((outcome) => ({ outcome, count: items.filter((item) => item.outcome === outcome).length }))
    .filter(({ count }) => count > 0);
  return (
    <span class="tally">
      {counts.map(({ outcome, count }) => (
        <span class={outcome}>
          <span aria-hidden="true">{outcomeLooks[outcome].sign}</span> {count}
          <span class="unseen"> {outcomeLooks[outcome].word} </span>
        </span>
      ))}
    </span>
  );
}

/** Renders one of the values to choose from in a filter. */
export function Choice({
  name,
  value,
  label,
  checked = false,
}: {
  readonly name: string;
  readonly value: string;
  readonly label: string;
  readonly checked?: boolean;
}): Markup {
  return (
    <label>
      <input type="radio" name={name} value={value} checked={checked} />
      <span>{label}</span>
    </label>
  );
}

/** Renders what to read first; null if there is nothing. */
export function NoticeList({
  label,
  items,
}: {
  readonly label: string;
  readonly items: readonly Content[];
}): Markup | null {
  return items.length === 0 ? null : (
    <section class="notices" aria-label={label}>
      <ul>
        {items.map((item) => (
          <li>
            <span class="sign" role="img" aria-label={noticeLook.word}>
              {noticeLook.sign}
            </span>
            <span>{item}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
