import { pluralize } from '../../../common/lists.ts';
import { formatOneLine } from '../../../common/printable.ts';
import { wrapWords } from '../../../common/wrap.ts';
import type {
  ClientDutyReport,
  ClientFinding,
  ClientReport,
  ExchangeReport,
  FindingReport,
  RecordingReport,
  Report,
} from '../../report/report.ts';
import { formatClauses } from '../../view/clauses.ts';
import { formatModelCounts, formatModels } from '../../view/models.ts';
import { knownLook } from '../../view/signs.ts';
import {
  formatBroken,
  formatBrokenStreams,
  formatExchanges,
  judgeDuty,
  listBrokenDuties,
  outcomeOfBreach,
  toneOfDuty,
} from '../../view/traffic.ts';
import type { View } from '../../view/view.ts';
import { formatFirstLines, type PageStyle, paintSign, signOf } from './page.ts';

const shownFindings = 2;
/**
 * Formats the number of recorded exchanges, the reasons why exchanges were not judged, the broken streams, and the
 * properties that were inferred from the traffic; empty for a run.
 */
export function formatRecordingLines(page: PageStyle, { recording }: Report): string[] {
  if (!recording) return [];
  const { paint } = page;
  return [
    `${paint('bold', 'Traffic')}  ${formatExchanges(recording)}`,
    ...recording.notJudged.flatMap(({ reason, count, example }) =>
      wrapWords(
        page,
        `${signOf(page, 'not-applicable')} ${String(count).padStart(6)}  `,
        `${formatOneLine(reason)} ${paint('dim', formatOneLine(example))}`,
      ),
    ),
    ...brokenStreamLines(page, recording),
    ...learnedLines(page, recording),
  ];
}

function brokenStreamLines(page: PageStyle, { brokenStreams = {} }: RecordingReport): string[] {
  return Object.entries(brokenStreams).flatMap(([by, { count, example }]) =>
    wrapWords(
      page,
      `${signOf(page, null)} ${String(count).padStart(6)}  `,
      `${formatBrokenStreams(by, count)} ${page.paint('dim', formatOneLine(example))}`,
    ),
  );
}

const shownLearned = 12;

function learnedLines(page: PageStyle, { learned = [] }: RecordingReport): string[] {
  const { paint } = page;
  if (learned.length === 0) return [];
  return [
    '',
    `${paint('bold', 'Inferred from the traffic')}  (to write a profile from a recording, use \`check --write-profile FILE\`)`,
    ...formatFirstLines(page, { items: learned, most: shownLearned }, ({ path, value, because }) =>
      wrapWords(
        page,
        '  ',
        `${formatOneLine(path)}: ${formatOneLine(value)}  ${paint('dim', formatOneLine(because))}`,
      ),
    ),
  ];
}

/**
 * Formats the duties that clients violated, with examples, and the IDs of the satisfied duties; empty without client
 * duties.
 */
export function formatClientLines(page: PageStyle, { recording }: Report): string[] {
  if (!recording?.client) return [];
  return [
    `${page.paint('bold', 'Clients')}  ${pluralize(recording.client.requests, 'request')} (not part of the verdict on the gateway)`,
    ...formatDutyLines(page, recording.client),
  ];
}

/** Formats the duties that clients violated, with examples, and the IDs of the satisfied duties. */
export function formatDutyLines(page: PageStyle, client: ClientReport): string[] {
  const satisfied = client.duties.filter((duty) => judgeDuty(duty) === 'satisfied').map(({ id }) => id);
  return [
    ...listBrokenDuties(client).flatMap((duty) => dutyLines(page, duty)),
    ...(satisfied.length > 0 ? wrapWords(page, `${signOf(page, 'conforms')} `, satisfied.join(', ')) : []),
  ];
}

function dutyLines(page: PageStyle, duty: ClientDutyReport): string[] {
  const { id, says, findings } = duty;
  const shown = page.verbose ? findings : findings.slice(0, shownFindings);
  return [
    ...wrapWords(
      page,
      `${signOf(page, toneOfDuty[judgeDuty(duty)])} `,
      `${page.paint('bold', id)}  ${formatBroken(duty)}`,
    ),
    ...wrapWords(page, '    ', formatOneLine(says)),
    ...formatClauses(duty).flatMap((clause) =>
      wrapWords(page, '    ', page.paint('dim', formatOneLine(clause)), 2),
    ),
    ...shown.flatMap(({ exchange, request, status, message, client = '' }) =>
      wrapWords(
        page,
        '    ',
        `${formatOneLine(request)} → ${status ?? 'no response'}: ${formatOneLine(message)} ${page.paint('dim', formatOneLine(`${exchange} ${client}`.trim()))}`,
      ),
    ),
  ];
}

/** Formats a failure in live traffic: the finding, the exchange, and the requirement with its clauses. */
export function formatFailureLines(
  page: PageStyle,
  {
    requirement: { id, clause, says },
    outcome,
    finding,
    exchange,
  }: {
    readonly requirement: {
      readonly id: string;
      readonly clause: readonly string[];
      readonly says: string;
    };
    readonly outcome: 'violates' | 'warns';
    readonly finding: FindingReport;
    readonly exchange: ExchangeReport;
  },
): string[] {
  const { request, response, traceId } = exchange;
  const trace = traceId === null ? '' : `  trace ID ${formatOneLine(traceId)}`;
  const result = `${request.method} ${request.url} → ${response?.status ?? 'no response'}${trace}`;
  return [
    ...wrapWords(
      page,
      `${signOf(page, outcome)} `,
      `${page.paint('bold', id)}  ${formatOneLine(finding.message)}`,
    ),
    ...wrapWords(page, '  ', page.paint('dim', formatOneLine(result))),
    ...wrapWords(page, '  ', page.paint('dim', `Required (${clause.join('; ')}): ${formatOneLine(says)}`)),
  ];
}

/** Formats a duty that a client violated in live traffic: the finding, the request, and the duty with its clauses. */
export function formatBreachLines(
  page: PageStyle,
  {
    duty: { id, level, clause, says },
    finding: { request, status, message, client = 'unknown client' },
  }: {
    readonly duty: Pick<ClientDutyReport, 'id' | 'level' | 'says'> & { readonly clause: readonly string[] };
    readonly finding: ClientFinding;
  },
): string[] {
  const mark = signOf(page, outcomeOfBreach({ level }));
  return [
    ...wrapWords(page, `${mark} `, `${page.paint('bold', id)}  ${formatOneLine(message)}`),
    ...wrapWords(
      page,
      '  ',
      page.paint(
        'dim',
        `Client: ${formatOneLine(client)}  ${formatOneLine(request)} → ${status ?? 'no response'}`,
      ),
    ),
    ...wrapWords(
      page,
      '  ',
      page.paint('dim', `Required of clients (${clause.join('; ')}): ${formatOneLine(says)}`),
    ),
  ];
}

const shownRequirements = 12;

/**
 * Formats the numbers of listed models and the requirements that the models violate; empty if the report has no
 * `models`.
 */
export function formatModelLines(page: PageStyle, { report, models }: View): string[] {
  if (!report.models) return [];
  const { paint, verbose } = page;
  return [
    ...wrapWords(page, `${paint('bold', 'Models')}  `, formatOneLine(formatModelCounts(report.models))),
    ...models.flatMap((group) => {
      const { outcome, known, requirements } = group;
      const shown = verbose ? requirements : requirements.slice(0, shownRequirements);
      const rest = requirements.length - shown.length;
      const mark = known ? paintSign(page, knownLook) : signOf(page, outcome);
      return [
        ...wrapWords(page, `  ${mark} `, formatOneLine(formatModels(group))),
        ...wrapWords(
          page,
          '      ',
          shown.join(', ') + (rest > 0 ? ` and ${rest} more (--verbose shows all)` : ''),
        ),
      ];
    }),
  ];
}
