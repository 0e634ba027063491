/**
 * The light and dark colours. Each tone has a text colour and a background of the same hue, with a contrast of at
 * least 4.5:1.
 */
export const theme = /* css */ `
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #ffffff; --sunk: #f1f3f6; --line: #dce1e8; --strong-line: #b9c1cc;
  --ink: #16202c; --soft: #566272; --link: #1d4f9c; --focus: #1d4f9c;
  --let-in: #a8201a; --let-in-ink: #ffffff;
  --violates: #a8201a; --violates-wash: #fdeceb; --violates-fill: #d64a43;
  --warns: #805000; --warns-wash: #fdf3df; --warns-fill: #d9982b;
  --inconclusive: #5b3fa0; --inconclusive-wash: #f1edfb; --inconclusive-fill: #8b6fd0;
  --conforms: #11663a; --conforms-wash: #e8f5ed; --conforms-fill: #3d9c68;
  --apart: #566272; --apart-wash: #eef0f3; --apart-fill: #c3cad3;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0f141a; --card: #171d25; --sunk: #10161d; --line: #2a333f; --strong-line: #445062;
    --ink: #e6ebf1; --soft: #9dabbb; --link: #8db9f7; --focus: #8db9f7;
    --let-in: #ff9d95; --let-in-ink: #2a0b09;
    --violates: #ff9d95; --violates-wash: #3a1a1a; --violates-fill: #d64a43;
    --warns: #f0bd62; --warns-wash: #342811; --warns-fill: #c2882a;
    --inconclusive: #c3b0f5; --inconclusive-wash: #282042; --inconclusive-fill: #8068c4;
    --conforms: #7fd3a2; --conforms-wash: #142b1f; --conforms-fill: #34875a;
    --apart: #9dabbb; --apart-wash: #1f2731; --apart-fill: #465263;
  }
}
.violates { --tone: var(--violates); --wash: var(--violates-wash); --fill: var(--violates-fill); }
.warns { --tone: var(--warns); --wash: var(--warns-wash); --fill: var(--warns-fill); }
.inconclusive { --tone: var(--inconclusive); --wash: var(--inconclusive-wash); --fill: var(--inconclusive-fill); }
.conforms { --tone: var(--conforms); --wash: var(--conforms-wash); --fill: var(--conforms-fill); }
.not-applicable { --tone: var(--apart); --wash: var(--apart-wash); --fill: var(--apart-fill); }
`;

/** The styles of typography, page width and header. */
export const frame = /* css */ `
* { box-sizing: border-box; }
html { scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--page); color: var(--ink); font-variant-numeric: tabular-nums;
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif;
}
body > header, body > nav, main { max-width: 76rem; margin-inline: auto; padding-inline: clamp(1rem, 4vw, 2.5rem); }
main { padding-bottom: 5rem; }
h1, h2, h3, h4, h5, p, ul, ol, dl, dd, pre, fieldset { margin: 0; padding: 0; }
ul { list-style: none; }
p, li, dd, dt, td, th, summary, h1 { overflow-wrap: anywhere; }
h2 { font-size: 1.375rem; line-height: 1.3; letter-spacing: -.01em; }
h3 { font-size: 1.0625rem; line-height: 1.4; }
h4, h5 { font-size: .8125rem; font-weight: 600; color: var(--soft); }
a { color: var(--link); text-underline-offset: .15em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
code, pre { font: .8125rem/1.6 ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
.quiet, .about, .requirement-id, .clause { color: var(--soft); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 1rem; top: -4rem; padding: .5rem 1rem; background: var(--card); z-index: 3; }
.skip:focus { top: 1rem; }

.banner { padding-top: clamp(1.25rem, 3vw, 2rem); padding-bottom: .75rem; }
.banner .kind { color: var(--soft); font-size: .875rem; font-weight: 500; }
.banner h1 {
  display: flex; align-items: center; gap: .75rem; margin: .5rem 0 .25rem;
  font-size: clamp(1.5rem, 4vw, 2.25rem); line-height: 1.15; letter-spacing: -.02em; color: var(--tone);
}
`;

/** The styles of the links below the header, and of the sections of a page. */
export const sections = /* css */ `body > nav { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; padding-block: .75rem; font-size: .9375rem; font-weight: 500; }
body > nav a { padding-block: .25rem; }
main > section { margin-top: 2.25rem; }
main > section > h2 { margin-bottom: .75rem; }
main > section > h2 + .quiet { max-width: 46rem; margin-bottom: 1.25rem; }
`;

/** Returns the styles for reduced motion and for paper. `print` contains further rules for paper. */
export const media = (print = ''): string => /* css */ `@media (prefers-reduced-motion: reduce) {
  * { transition: none !important; }
}
@media print {
  @page { margin: 16mm 14mm; }
  :root {
    --page: #fff; --card: #fff; --sunk: #fff; --line: #ccc; --strong-line: #999; --ink: #000; --soft: #444; --link: #000;
  }
  html { font-size: 68%; }
  body { print-color-adjust: exact; }
  .quiet { break-after: avoid; }
  body > header, body > nav, main { max-width: none; padding-inline: 0; }
  body > nav, .filter-bar, .skip, .scroll-hint, .curl button, .permalink { display: none !important; }
  .banner { padding-top: 0; }
  a { color: inherit; text-decoration: none; }
  .scroller { overflow: visible; border: 0; }
${print}}
`;
