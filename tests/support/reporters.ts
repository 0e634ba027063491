import type { Report } from '../../runner/report/report.ts';
import { badge as layOutBadge } from '../../runner/reporters/badge.ts';
import { brief as layOutBrief } from '../../runner/reporters/brief.ts';
import { ctrf as layOutCtrf } from '../../runner/reporters/ctrf.ts';
import { github as layOutGithub } from '../../runner/reporters/github.ts';
import { har as layOutHar } from '../../runner/reporters/har.ts';
import { html as layOutHtml } from '../../runner/reporters/html/page.tsx';
import { json as layOutJson } from '../../runner/reporters/json.ts';
import { junit as layOutJunit } from '../../runner/reporters/junit.ts';
import { markdown as layOutMarkdown } from '../../runner/reporters/markdown.ts';
import { sarif as layOutSarif } from '../../runner/reporters/sarif.ts';
import { tap as layOutTap } from '../../runner/reporters/tap.ts';
import { terminal as layOutTerminal } from '../../runner/reporters/terminal/report.ts';
import { createView, type View } from '../../runner/view/view.ts';

/** Returns a function that formats a report instead of its view. */
const of =
  <Style extends readonly unknown[], Text>(layOut: (view: View, ...style: Style) => Text) =>
  (report: Report, ...style: Style): Text =>
    layOut(createView(report), ...style);

export const badge = of(layOutBadge);
export const brief = of(layOutBrief);
export const ctrf = of(layOutCtrf);
export const github = of(layOutGithub);
export const har = of(layOutHar);
export const html = of(layOutHtml);
export const json = of(layOutJson);
export const junit = of(layOutJunit);
export const markdown = of(layOutMarkdown);
export const sarif = of(layOutSarif);
export const tap = of(layOutTap);
export const terminal = of(layOutTerminal);
