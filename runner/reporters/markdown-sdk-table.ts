import { pluralize } from '../../common/lists.ts';
import { formatCode } from '../../common/markdown-text.ts';
import { layOutSdks, listPackages, nameSdks, type SdkReason, type SdkTable } from '../view/sdk-table.ts';
import { outcomeLooks } from '../view/signs.ts';
import { formatTableAsMarkdown } from './markdown-table.ts';

/** The maximum number of characters of all reasons together, because the whole report must fit into a comment. */
const maxReasonsLength = 3_500;

/**
 * Returns Markdown blocks with a table of the calls of each SDK and numbered reasons; empty without available SDKs.
 */
export function formatSdkTableBlocks(table: SdkTable | undefined): string[] {
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
    formatTableAsMarkdown(layOutSdks(table)),
    ...(shown.length > 0 ? [shown.join('\n')] : []),
    ...(rest > 0 ? [`*and ${pluralize(rest, 'more reason')}*`] : []),
    `Tested with ${listPackages(table)
      .map((name) => formatCode(name))
      .join(', ')}.`,
  ];
}

function reasonItem(table: SdkTable, reason: SdkReason, number: number): string {
  const { outcome, message, calls, sdks, effects } = reason;
  const details = effects.map(({ text, sdks: own }) =>
    own.length === sdks.length ? formatCode(text, 160) : `${nameSdks(table, own)}: ${formatCode(text, 160)}`,
  );
  return [
    `- ${number} ${outcomeLooks[outcome].sign} ${formatCode(message)} (${calls.join(', ')} · ${nameSdks(table, sdks)})`,
    ...details.map((detail) => `  - ${detail}`),
  ].join('\n');
}
