import { pluralize } from '../../common/lists.ts';
import { formatCode } from '../../common/markdown-text.ts';
import type { Report } from '../report/report.ts';
import { createSdkTable, type SdkOutcome, type SdkReason, type SdkTable } from '../view/sdk-table.ts';

const signs: Readonly<Record<SdkOutcome, string>> = {
  conforms: '✓',
  violates: '✗',
  warns: '▲',
  known: '≈',
  inconclusive: '?',
  'not-applicable': '–',
};

/** The maximum number of characters of all reasons together, because the whole report must fit into a comment. */
const maxReasonsLength = 3_500;

/**
 * Returns Markdown blocks with a table of the calls of each SDK and numbered reasons; empty without available SDKs.
 */
export function formatSdkTableBlocks(report: Report): string[] {
  const table = createSdkTable(report);
  if (!table || table.sdks.length === 0) return [];
  const reasons = table.reasons.map((reason, index) => reasonItem(table, reason, index + 1));
  const shown: string[] = [];
  for (const item of reasons) {
    if (shown.join('\n').length + item.length > maxReasonsLength) break;
    shown.push(item);
  }
  const rest = reasons.length - shown.length;
  return [
    '### SDKs',
    grid(table),
    ...(shown.length > 0 ? [shown.join('\n')] : []),
    ...(rest > 0 ? [`*and ${pluralize(rest, 'more reason')}*`] : []),
    `Tested with ${[...new Set(table.sdks.flatMap(({ packages }) => packages))].map((name) => formatCode(name)).join(', ')}.`,
  ];
}

function grid({ sdks, rows }: SdkTable): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    row(['Call', ...sdks.map(({ id }) => formatCode(id))]),
    row(['---', ...sdks.map(() => ':-:')]),
    ...rows.map(({ call, cells }) =>
      row([
        call,
        ...cells.map((cell) =>
          cell ? [signs[cell.outcome], ...cell.reasons.map((index) => index + 1)].join(' ') : '',
        ),
      ]),
    ),
  ].join('\n');
}

function reasonItem({ sdks: all }: SdkTable, reason: SdkReason, number: number): string {
  const { outcome, message, calls, sdks, effects } = reason;
  const name = (ids: readonly string[]): string =>
    ids.length === all.length && ids.length > 2 ? 'every SDK' : ids.join(', ');
  const details = effects.map(({ text, sdks: own }) =>
    own.length === sdks.length ? formatCode(text, 160) : `${name(own)}: ${formatCode(text, 160)}`,
  );
  return [
    `- ${number} ${signs[outcome]} ${formatCode(message)} (${calls.join(', ')} · ${name(sdks)})`,
    ...details.map((detail) => `  - ${detail}`),
  ].join('\n');
}
