import { formatOneLine } from '../../../common/printable.ts';
import { columnsOf, padTo, wrapWords } from '../../../common/wrap.ts';
import type { GatewayResults } from '../../compare/gateway-results.ts';
import { formatDay, formatGateway, layOutResults } from '../../view/format-gateways.ts';
import { noticeLook } from '../../view/signs.ts';
import type { Row, Table } from '../../view/table.ts';
import type { TextStyle } from '../reporter.ts';
import { createPageStyle, formatVerdict, type PageStyle, paintSign } from '../terminal/page.ts';
import { formatTableLines } from '../terminal/table.ts';

/**
 * Formats the results of gateways as text: what their reports differ in, the numbers of requirements by section, and
 * the reports. A verbose text also has a table of the requirements of each section.
 */
export function gatewaysTerminal(results: GatewayResults, style: TextStyle): string {
  const page = createPageStyle(style);
  const table = layOutResults(results);
  const sections = [
    noticeLines(page, results),
    ...(page.verbose ? table.rows.map((row) => requirementLines(page, table, row)) : []),
    tableLines(page, table, results),
    reportLines(page, results),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function noticeLines(page: PageStyle, { caveats, gateways }: GatewayResults): string[] {
  const notices = [
    ...caveats,
    ...gateways.flatMap((gateway) => gateway.diagnosis.map((text) => `${formatGateway(gateway)}: ${text}`)),
  ];
  return notices.flatMap((text) => wrapWords(page, `${paintSign(page, noticeLook)} `, formatOneLine(text)));
}

function requirementLines(page: PageStyle, table: Table, { label, members = [] }: Row): string[] {
  const { legend: _, ...rest } = table;
  const names = table.columns.map(({ name }) => [formatOneLine(name)]);
  const rows = members.map((row) => ({ ...row, label: formatOneLine(row.label) }));
  if (rows.length === 0) return [];
  return formatTableLines(page, { ...rest, title: formatOneLine(label), rows }, [
    { names, isCentred: true },
    { names, isListed: true },
  ]);
}

function tableLines(page: PageStyle, table: Table, { gateways }: GatewayResults): string[] {
  const shown = {
    ...table,
    title: table.corner,
    columns: table.columns.map((column) => ({ ...column, name: formatOneLine(column.name) })),
    rows: table.rows.map((row) => ({ ...row, label: formatOneLine(row.label) })),
  };
  const whole = shown.columns.map(({ name }) => [name]);
  // The version is below the name.
  const broken = gateways.map(({ name, version }) =>
    version === null ? [formatOneLine(name)] : [`${formatOneLine(name)} `, formatOneLine(version)],
  );
  return formatTableLines(page, shown, [{ names: broken }, { names: whole, isListed: true }]);
}

function reportLines(page: PageStyle, { gateways }: GatewayResults): string[] {
  const width = Math.max(...gateways.map((gateway) => columnsOf(formatOneLine(formatGateway(gateway)))));
  return gateways.flatMap((gateway) =>
    wrapWords(
      page,
      `${padTo(formatOneLine(formatGateway(gateway)), width)}  `,
      `${formatVerdict(page, gateway.verdict)}  ${page.paint('dim', formatDay(gateway))}`,
    ),
  );
}
