import { pluralize } from '../../../common/lists.ts';
import { formatCode, formatCodeBlock, formatProse } from '../../../common/markdown-text.ts';
import { formatOneLine } from '../../../common/printable.ts';
import type { GatewayResults, TestedGateway } from '../../compare/gateway-results.ts';
import {
  formatDay,
  formatGateway,
  formatGatewayCount,
  layOutResults,
  resultsNote,
} from '../../view/format-gateways.ts';
import { resultLooks } from '../../view/result.ts';
import type { Row, Table } from '../../view/table.ts';
import { formatTableAsMarkdown } from '../markdown-table.ts';

/** Formats the results of gateways as Markdown: the sections, the requirements of each, and the reports. */
export function gatewaysMarkdown(results: GatewayResults): string {
  const { gateways, caveats, tool, spec } = results;
  const table = layOutResults(results);
  const blocks = [
    `## Results of ${formatGatewayCount(results)}`,
    `${resultsNote} ${tool.name} ${tool.version}, requirements revision ${spec.revision}.`,
    ...[
      ...caveats,
      ...gateways.flatMap((gateway) => gateway.diagnosis.map((text) => `${formatGateway(gateway)}: ${text}`)),
    ].map((text) => `> ${formatCode(text, 500)}`),
    formatTableAsMarkdown(table),
    (table.legend ?? []).map(({ sign, word }) => `${sign} ${word}`).join(', '),
    ...table.rows.flatMap((row) => formatMembers(table, row)),
    '### Reports',
    gateways.map(formatReport).join('\n'),
  ];
  return `${blocks.join('\n\n')}\n`;
}

/** Formats the requirements of a section as a table that a reader opens. */
function formatMembers(table: Table, { label, members = [] }: Row): string[] {
  return members.length === 0
    ? []
    : [
        `#### ${formatProse(label)}`,
        `<details><summary>${pluralize(members.length, 'requirement')}</summary>`,
        formatTableAsMarkdown({
          ...table,
          corner: 'Requirement',
          columns: table.columns.map((column) => ({ ...column, align: 'centre' })),
          rows: members.map(({ about: _, ...row }) => row),
        }),
        '</details>',
      ];
}

function formatReport(gateway: TestedGateway): string {
  const { file, page, command, toolVersion, verdict } = gateway;
  const { emoji, phrase } = resultLooks[verdict];
  const name = formatProse(formatGateway(gateway));
  const line = `- ${name}: ${emoji} ${phrase}, ${formatDay(gateway)}, version ${formatCode(toolVersion)} of the suite, [report](${page ?? file})`;
  if (command === null) return line;
  const lines = command.split('\n').map((text) => formatOneLine(text));
  const block = formatCodeBlock('sh', lines.join('\n'));
  return [line, '', block.replaceAll(/^(?=.)/gm, '  '), ''].join('\n');
}
