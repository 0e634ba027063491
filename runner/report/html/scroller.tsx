import type { Content, Markup } from './markup.ts';

/** What may be wider than the page, and scrolls in it. */
export function Scroller({
  label,
  children,
}: {
  readonly label: string;
  readonly children: Content;
}): Markup {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="scroller" aria-label={`${label}, scrolls sideways`} tabIndex={0}>
      {children}
    </section>
  );
}
