/** The type, the column of the page, its head and what stands at the top. */
export const frame = /* css */ `
* { box-sizing: border-box; }
html { scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--page); color: var(--ink); font-variant-numeric: tabular-nums;
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", Arial, sans-serif;
}
body > header, body > nav, main { max-width: 76rem; margin-inline: auto; padding-inline: clamp(1rem, 4vw, 2.5rem); }
main { padding-bottom: 5rem; }
h1, h2, h3, h4, p, ul, dl, dd, pre, fieldset { margin: 0; padding: 0; }
ul { list-style: none; }
p, li, dd, dt, td, th, summary, h1 { overflow-wrap: anywhere; }
h2 { font-size: 1.375rem; line-height: 1.3; letter-spacing: -.01em; }
h3 { font-size: 1.0625rem; line-height: 1.4; }
h4 { font-size: .8125rem; font-weight: 600; color: var(--soft); }
a { color: var(--link); text-underline-offset: .15em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
code, pre { font: .8125rem/1.6 ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
.quiet, .about, .requirement-id, .clause { color: var(--soft); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 1rem; top: -4rem; padding: .5rem 1rem; background: var(--card); z-index: 3; }
.skip:focus { top: 1rem; }

.banner { padding-top: clamp(2rem, 6vw, 4rem); padding-bottom: 1.75rem; }
.banner .kind { color: var(--soft); font-size: .875rem; font-weight: 500; }
.banner h1 {
  display: flex; align-items: center; gap: .75rem; margin: .5rem 0 .25rem;
  font-size: clamp(1.75rem, 5vw, 2.75rem); line-height: 1.15; letter-spacing: -.02em; color: var(--tone);
}
.seal {
  flex: none; display: grid; place-items: center; width: 1.35em; height: 1.35em; border-radius: 50%;
  font-size: .8em; background: var(--wash); border: 2px solid var(--fill);
}
.target { font-size: 1.125rem; font-weight: 500; }
.lede { margin-top: .75rem; max-width: 46rem; font-size: 1.0625rem; }
.facts { display: flex; flex-wrap: wrap; gap: .5rem 2rem; margin-top: 1.25rem; font-size: .875rem; }
.facts dt { color: var(--soft); }
body > nav { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; padding-block: .75rem; font-size: .9375rem; font-weight: 500; }
body > nav a { padding-block: .25rem; }
main > section { margin-top: 3rem; }
main > section > h2 { margin-bottom: .75rem; }
main > section > h2 + .quiet { max-width: 46rem; margin-bottom: 1.25rem; }

main > .notices { margin-top: .75rem; padding: 1rem 1.25rem; background: var(--warns-wash); border-radius: 10px; }
.notices li { padding-left: 1.5rem; text-indent: -1.5rem; }
.notices li::before { content: "!"; display: inline-block; width: 1.5rem; text-indent: 0; font-weight: 700; color: var(--warns); }
.notices li + li { margin-top: .375rem; }

main > .coverage { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 1rem; margin-top: .75rem; }
.bar { padding: 1.25rem 1.5rem 1.375rem; background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
.bar h2 { font-size: .9375rem; font-weight: 400; color: var(--soft); letter-spacing: 0; }
.bar h2 strong { margin-right: .25rem; font-size: 1.75rem; font-weight: 650; color: var(--ink); letter-spacing: -.02em; }
.bar svg { display: block; margin: .75rem 0 1rem; border-radius: 5px; background: var(--apart-wash); }
.bar rect { fill: var(--fill); stroke: var(--card); stroke-width: 1; }
.bar ul { display: flex; flex-wrap: wrap; gap: .375rem 1.25rem; font-size: .875rem; }
.bar li { color: var(--tone); }
.sign { display: inline-block; min-width: 1.1em; font-weight: 700; color: var(--tone); }
`;
