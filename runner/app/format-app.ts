import { formatList, pluralize } from '../../common/lists.ts';
import { formatOneLine } from '../../common/printable.ts';
import { wrapWords } from '../../common/wrap.ts';
import { type PageStyle, paintSign, signOf } from '../reporters/terminal/page.ts';
import { formatDutyLines } from '../reporters/terminal/recording.ts';
import { noticeLook, outcomeLooks } from '../view/signs.ts';
import type { AppOutcome, JudgedSituation } from './judge-app.ts';
import type { AppRun } from './observe-app.ts';

const looks = {
  broken: outcomeLooks.violates,
  kept: outcomeLooks.conforms,
  allowed: outcomeLooks.conforms,
  'not-seen': outcomeLooks['not-applicable'],
} satisfies Readonly<Record<AppOutcome, unknown>>;

const shownRefusals = 10;

/** Formats what the app did without a situation: its duties as a client, and the calls that failed. */
export function formatRunLines(page: PageStyle, run: AppRun): string[] {
  const { calls, refusals, unknownModels, exitCode, client } = run;
  const shown = refusals.slice(0, shownRefusals);
  const rest = refusals.length - shown.length;
  return [
    `${page.paint('bold', 'App')}  ${pluralize(calls, 'call')}, exit code ${exitCode}`,
    ...formatDutyLines(page, client),
    ...shown.map(({ what, count }) => `${signOf(page, null)} ${formatOneLine(what)} (${count} ×)`),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
    ...unknownModels.flatMap((model) =>
      wrapWords(
        page,
        `${paintSign(page, noticeLook)} `,
        `This gateway has no model ${formatOneLine(model)}. To offer it, add --model ${formatOneLine(model)}.`,
      ),
    ),
  ];
}

/** Formats what an app did in a situation. */
export function formatSituationLines(
  page: PageStyle,
  { situation, run, outcome, checks }: JudgedSituation,
): string[] {
  const sign = paintSign(page, looks[outcome]);
  const seen =
    run.met === 0
      ? ['  Not seen: no call of the command met it.']
      : [
          ...checks.flatMap((check) =>
            wrapWords(
              page,
              `  ${paintSign(page, looks[check.outcome])} `,
              `${check.says}: ${formatOneLine(check.seen)}`,
            ),
          ),
          page.paint('dim', `    ${pluralize(run.calls, 'call')}, exit code ${run.exitCode}`),
        ];
  return [...wrapWords(page, `${sign} ${page.paint('bold', situation.id)}  `, situation.about), ...seen];
}

/** Formats the last line: whether the app keeps its part. `broken` names the duties and situations that it doesn't. */
export function formatAppVerdict(
  { paint }: PageStyle,
  {
    broken,
    situations,
  }: { readonly broken: readonly string[]; readonly situations: readonly JudgedSituation[] },
): string {
  if (broken.length > 0)
    return `${paint(['red', 'bold'], `${outcomeLooks.violates.sign} APP VIOLATES`)} ${formatList(broken)}`;
  const seen = situations.filter(({ outcome }) => outcome !== 'not-seen');
  const rest =
    situations.length === 0 ? '' : ` in ${seen.length} of ${pluralize(situations.length, 'situation')}`;
  return paint(['green', 'bold'], `${outcomeLooks.conforms.sign} APP KEEPS ITS PART`) + rest;
}
