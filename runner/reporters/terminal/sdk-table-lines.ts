import { formatOneLine } from '../../../common/printable.ts';
import { wrapWords } from '../../../common/wrap.ts';
import type { Report } from '../../report/report.ts';
import {
  createSdkTable,
  type SdkCell,
  type SdkOutcome,
  type SdkReason,
  type SdkTable,
} from '../../view/sdk-table.ts';
import { outcomeSigns, type PageStyle, type Sign } from './page.ts';

const signs: Readonly<Record<SdkOutcome, Sign>> = { ...outcomeSigns, known: ['≈', 'dim'] };
const meanings: Readonly<Record<SdkOutcome, string>> = {
  conforms: 'works',
  violates: 'violates a must',
  warns: 'violates a should',
  known: 'fails as the baseline expects',
  inconclusive: 'inconclusive',
  'not-applicable': 'not applicable',
};

const title = 'SDKs';

/**
 * Formats the calls of each SDK as a table, the numbered reasons, and the versions of the SDKs. Also formats the SDKs
 * that are not available. Returns no lines for a report without calls of SDKs.
 */
export function formatSdkTableLines(page: PageStyle, report: Report): string[] {
  const table = createSdkTable(report);
  if (!table) return [];
  return [
    ...gridLines(page, table),
    ...table.reasons.flatMap((reason, index) => reasonLines(page, table, reason, index + 1)),
    ...versionLines(page, table),
  ];
}

/**
 * Formats the grid with each SDK name on one line or, if the grid is too wide, on two. Returns no lines if neither
 * form fits.
 */
function gridLines(page: PageStyle, { sdks, rows }: SdkTable): string[] {
  const indent = Math.max(title.length, ...rows.map(({ call }) => call.length + 2)) + 2;
  const columns = [sdks.map(({ id }) => [id]), sdks.map(({ id }) => splitName(id))]
    .map((names) =>
      names.map((lines, index) => ({
        lines,
        width: Math.max(
          ...lines.map(({ length }) => length),
          ...rows.map(({ cells }) => cellText(cells[index]).length),
        ),
      })),
    )
    .find((all) => indent + all.reduce((sum, { width }) => sum + width + 2, -2) <= page.width);
  if (!columns || columns.length === 0) return [];
  const height = Math.max(...columns.map(({ lines }) => lines.length));
  const line = (label: string, cells: readonly string[]): string =>
    (label.padEnd(indent) + cells.join('  ')).trimEnd();
  const heads = Array.from({ length: height }, (_, row) =>
    columns
      .map(({ lines, width }) => ({ name: lines[row] ?? '', width }))
      .map(({ name, width }) => page.paint('dim', name) + ' '.repeat(width - name.length)),
  );
  const used = new Set(rows.flatMap(({ cells }) => cells.flatMap((cell) => cell?.outcome ?? [])));
  const legend = Object.entries(signs).flatMap(([outcome, [sign]]) =>
    [...used].flatMap((one) => (one === outcome ? [`${sign} ${meanings[one]}`] : [])),
  );
  return [
    ...heads.map((cells, row) => {
      const label = row === 0 ? page.paint('bold', title) + ' '.repeat(indent - title.length) : '';
      return (label === '' ? ' '.repeat(indent) : label) + cells.join('  ').trimEnd();
    }),
    ...rows.map(({ call, cells }) =>
      line(
        `  ${call}`,
        columns.map(({ width }, index) => paintCell(page, cells[index], width)),
      ),
    ),
    ...wrapWords(page, '  ', legend.join(', ')).map((text) => page.paint('dim', text)),
  ];
}

/** Splits a name after the first hyphen, such as `ai-openai` into `ai-` and `openai`. */
function splitName(id: string): string[] {
  const end = id.indexOf('-') + 1;
  return end === 0 ? [id] : [id.slice(0, end), id.slice(end)];
}

function cellText(cell: SdkCell | undefined): string {
  return cell ? [signs[cell.outcome][0], ...cell.reasons.map((index) => index + 1)].join(' ') : '';
}

function paintCell({ paint }: PageStyle, cell: SdkCell | undefined, width: number): string {
  if (!cell) return ' '.repeat(width);
  const [sign, colour] = signs[cell.outcome];
  const text = cellText(cell);
  return paint(colour, sign) + text.slice(sign.length).padEnd(width - sign.length);
}

function reasonLines(page: PageStyle, table: SdkTable, reason: SdkReason, number: number): string[] {
  const { outcome, requirements, message, calls, sdks, effects, violates } = reason;
  const [sign, colour] = outcomeSigns[outcome];
  const prefix = `  ${String(number).padStart(2)} ${page.paint(colour, sign)} `;
  const names = requirements.length === 0 ? '' : `  ${page.paint('dim', requirements.join(', '))}`;
  const below = (text: string): string[] => wrapWords(page, '       ', text);
  return [
    ...wrapWords(page, prefix, `${formatOneLine(message)}${names}`),
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

function nameSdks({ sdks }: SdkTable, ids: readonly string[]): string {
  return ids.length === sdks.length && ids.length > 2 ? 'every SDK' : ids.join(', ');
}

function versionLines(page: PageStyle, { sdks, absent }: SdkTable): string[] {
  const packages = [...new Set(sdks.flatMap((sdk) => sdk.packages))];
  return [
    ...(packages.length > 0 ? wrapWords(page, '  ', `Tested with ${packages.join(', ')}.`) : []),
    ...absent.flatMap(({ id, reason }) => wrapWords(page, '  ', `${id}: ${formatOneLine(reason)}`)),
  ].map((text) => page.paint('dim', text));
}
