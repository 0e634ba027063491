/** The colours of light and dark, each outcome's as ink on a wash of it, all of them readable at 4.5 to 1. */
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
