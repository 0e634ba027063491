import { expect, test } from 'vitest';
import { loadSchemas } from '../../../common/schemas.ts';
import { gatewaysHtml } from '../../../runner/reporters/gateways/html/page.tsx';
import { gatewaysMarkdown } from '../../../runner/reporters/gateways/markdown.ts';
import { gatewaysTerminal } from '../../../runner/reporters/gateways/terminal.ts';
import { createGatewayResults } from '../../support/gateway-results.ts';
import { createGoldenReport } from '../../support/sample-report.ts';
import { simplifyPage } from '../../support/unpack-page.ts';

const results = createGatewayResults(await createGoldenReport());
const style = { colour: false, verbose: false, width: 100 };

// `npx vitest run tests/integration/reporters/gateways.test.ts -u` writes the files.
test.each([
  ['gateways.txt', () => gatewaysTerminal(results, style)],
  ['gateways-verbose.txt', () => gatewaysTerminal(results, { ...style, verbose: true })],
  ['gateways-markdown.txt', () => gatewaysMarkdown(results)],
  ['gateways-html.txt', () => simplifyPage(gatewaysHtml(results))],
])('%s shows the reviewed results of gateways', async (file, write) => {
  await expect(write()).toMatchFileSnapshot(`golden/${file}`);
});

test('the results of gateways satisfy their schema', async () => {
  expect((await loadSchemas()).problems('gateway-results', JSON.parse(JSON.stringify(results)))).toEqual([]);
});

test('what gateways and folders say has no effect in a terminal, in Markdown and in logs', () => {
  const hostile = '\u001b[31m`| <b>\n::error::x\n[a](javascript:b)\u202e';
  const gateways = results.gateways.map((gateway) => ({
    ...gateway,
    name: hostile,
    version: hostile,
    command: hostile,
    diagnosis: [hostile],
  }));
  const own = { ...results, gateways, caveats: [hostile] };
  for (const text of [gatewaysTerminal(own, style), gatewaysMarkdown(own), gatewaysHtml(own)]) {
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e]/u);
    expect(text).not.toMatch(/^\s*::error/m);
  }
  const head =
    gatewaysMarkdown(own)
      .split('\n')
      .find((line) => line.startsWith('| Section')) ?? '';
  expect(head.match(/(?<!\\)\|/g)).toHaveLength(gateways.length + 2);
});
