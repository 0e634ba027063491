import { formatList, pluralize } from '../../common/lists.ts';
import { formatOneLine } from '../../common/printable.ts';
import { wrapWords } from '../../common/wrap.ts';
import { formatFirstLines, type PageStyle, paintSign, signOf } from '../reporters/terminal/page.ts';
import { formatDutyLines } from '../reporters/terminal/recording.ts';
import { noticeLook, outcomeLooks } from '../view/signs.ts';
import { listBrokenDuties } from '../view/traffic.ts';
import type { AppOutcome, JudgedSituation } from './judge-app.ts';
import type { AppRun } from './observe-app.ts';

const looks = {
  broken: outcomeLooks.violates,
  kept: outcomeLooks.conforms,
  fails: outcomeLooks.warns,
  allowed: outcomeLooks.conforms,
  'not-seen': outcomeLooks['not-applicable'],
} satisfies Readonly<Record<AppOutcome, unknown>>;

const shownRefusals = 10;
/** A call of family C at another version of the API, which newer SDKs of Google have as their default. */
const wrongVersion = /^POST \/v1\/models\/.*[gG]enerateContent /;
const shownOutput = 12;

/** Formats what the app did without a situation: its duties as a client, and the calls that failed. */
export function formatRunLines(page: PageStyle, run: AppRun): string[] {
  const { calls, refusals, unknownModels, exitCode, client } = run;
  return [
    `${page.paint('bold', 'App')}  ${pluralize(calls, 'call')}, exit code ${exitCode}`,
    ...formatDutyLines(page, client),
    ...formatFirstLines(page, { items: refusals, most: shownRefusals }, ({ what, count }) => [
      `${signOf(page, null)} ${formatOneLine(what)} (${count} ×)`,
    ]),
    ...(refusals.some(({ what }) => wrongVersion.test(what))
      ? wrapWords(
          page,
          `${paintSign(page, noticeLook)} `,
          "generateContent is below /v1beta. Set the API version of the SDK: api_version='v1beta' in http_options (Python), apiVersion: 'v1beta' (TypeScript).",
        )
      : []),
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
          ...(outcome === 'broken' || outcome === 'fails'
            ? run.output
                .trimEnd()
                .split('\n')
                .slice(-shownOutput)
                .map((line) => page.paint('dim', `    │ ${formatOneLine(line)}`))
            : []),
        ];
  return [...wrapWords(page, `${sign} ${page.paint('bold', situation.id)}  `, situation.about), ...seen];
}

/**
 * Formats the end: the duties and the situations in which the app does what it must not, and those in which it fails.
 */
export function formatAppVerdict(
  page: PageStyle,
  normal: AppRun,
  situations: readonly JudgedSituation[],
): string[] {
  const { paint } = page;
  const named = (wanted: AppOutcome): string[] =>
    situations.filter(({ outcome }) => outcome === wanted).map(({ situation }) => situation.id);
  const broken = [...listViolatedDuties(normal), ...named('broken')];
  const fails = named('fails');
  const failing = fails.length === 0 ? '' : `; it fails when ${formatList(fails)}`;
  if (broken.length > 0)
    return [
      // The output of the situations may have pushed the first run out of sight.
      ...(situations.length > 0 ? formatDutyLines(page, normal.client) : []),
      `${paint(['red', 'bold'], `${outcomeLooks.violates.sign} APP VIOLATES`)} ${formatList(broken)}${failing}`,
    ];
  const seen = situations.filter(({ outcome }) => outcome !== 'not-seen');
  const rest =
    situations.length === 0 ? '' : ` in ${seen.length} of ${pluralize(situations.length, 'situation')}`;
  return [paint(['green', 'bold'], `${outcomeLooks.conforms.sign} APP KEEPS ITS PART`) + rest + failing];
}

/** Returns the IDs of the violated duties, except those that are only observed. */
export function listViolatedDuties({ client }: Pick<AppRun, 'client'>): string[] {
  return listBrokenDuties(client).flatMap(({ id, level }) => (level === 'observe' ? [] : [id]));
}
