import { formatOneLine } from '../../../common/printable.ts';
import { wrapWords } from '../../../common/wrap.ts';
import { layOutSdks, listPackages, nameSdks, type SdkReason, type SdkTable } from '../../view/sdk-table.ts';
import { severityLabels } from '../../view/signs.ts';
import { type PageStyle, signOf } from './page.ts';
import { formatTableLines } from './table.ts';

/**
 * Formats the calls of each SDK as a table, the numbered reasons, and the versions of the SDKs. Also formats the SDKs
 * that are not available. Returns no lines for a report without calls of SDKs.
 */
export function formatSdkTableLines(page: PageStyle, table: SdkTable | undefined): string[] {
  if (!table) return [];
  const ids = table.sdks.map(({ id }) => id);
  return [
    ...formatTableLines(page, layOutSdks(table), [
      { names: ids.map((id) => [id]) },
      { names: ids.map(splitName) },
    ]),
    ...table.reasons.flatMap((reason, index) => reasonLines(page, table, reason, index + 1)),
    ...versionLines(page, table),
  ];
}

/** Splits a name after the first hyphen, such as `ai-openai` into `ai-` and `openai`. */
function splitName(id: string): string[] {
  const end = id.indexOf('-') + 1;
  return end === 0 ? [id] : [id.slice(0, end), id.slice(end)];
}

function reasonLines(page: PageStyle, table: SdkTable, reason: SdkReason, number: number): string[] {
  const { outcome, severity, requirements, message, calls, sdks, effects, violates } = reason;
  const prefix = `  ${String(number).padStart(2)} ${signOf(page, outcome)} `;
  const names = requirements.length === 0 ? '' : `  ${page.paint('dim', requirements.join(', '))}`;
  const below = (text: string): string[] => wrapWords(page, '       ', text);
  return [
    ...wrapWords(page, prefix, `${formatOneLine(message)}${names}`),
    ...(severity ? below(page.paint('dim', severityLabels[severity])) : []),
    ...below(`${calls.join(', ')} · ${nameSdks(table, sdks)}`),
    ...effects.flatMap((effect) => below(describeEffect(table, reason, effect))),
    ...(violates.length > 0 ? below(page.paint('dim', `the response violates ${violates.join(', ')}`)) : []),
  ];
}

function describeEffect(
  table: SdkTable,
  { sdks }: SdkReason,
  { text, sdks: own }: SdkReason['effects'][number],
): string {
  const shown = formatOneLine(text, 160);
  return own.length === sdks.length ? shown : `${nameSdks(table, own)}: ${shown}`;
}

function versionLines(page: PageStyle, table: SdkTable): string[] {
  const packages = listPackages(table);
  return [
    ...(packages.length > 0 ? wrapWords(page, '  ', `Tested with ${packages.join(', ')}.`) : []),
    ...table.absent.flatMap(({ id, reason }) => wrapWords(page, '  ', `${id}: ${formatOneLine(reason)}`)),
  ].map((text) => page.paint('dim', text));
}
