import { spawn } from 'node:child_process';
import { chromium, type Page } from 'playwright-core';
import { createScratchFolder } from '../../support/command.ts';
import { chromiumPath } from '../../support/tools.ts';

/** The HAR files of the network panel: with cookies and credentials, and sanitized. */
export interface DevToolsExport {
  readonly full: string;
  readonly sanitized: string;
}

/** Opens a page with the developer tools, runs `act` on the page, and returns the HAR exports. */
export async function exportFromDevTools(
  url: string,
  act: (page: Page) => Promise<unknown>,
): Promise<DevToolsExport> {
  const chrome = spawn(chromiumPath, [
    ...['--headless=new', '--no-sandbox', '--remote-debugging-port=0', '--remote-allow-origins=*'],
    ...[`--user-data-dir=${createScratchFolder()}`, 'about:blank'],
  ]);
  try {
    const endpoint = await new Promise<string>((resolve) => {
      let output = '';
      chrome.stderr.on('data', (piece: Buffer) => {
        output += piece.toString();
        const [, host] = /listening on ws:\/\/([\d.:]+)\//.exec(output) ?? [];
        if (host) resolve(host);
      });
    });
    const browser = await chromium.connectOverCDP(`http://${endpoint}`);
    const [context] = browser.contexts();
    const [page] = context?.pages() ?? [];
    const tools = await context?.newPage();
    if (!context || !page || !tools) throw new Error('The browser has no page.');
    const session = await context.newCDPSession(page);
    const { targetInfo } = await session.send('Target.getTargetInfo');
    await tools.goto(
      `devtools://devtools/bundled/inspector.html?ws=${endpoint}/devtools/page/${targetInfo.targetId}`,
    );
    await tools.waitForTimeout(3_000);
    await page.goto(url);
    await act(page);
    await tools.waitForTimeout(1_500);
    const exported: DevToolsExport = await tools.evaluate(writer);
    await browser.close();
    return exported;
  } finally {
    chrome.kill('SIGKILL');
  }
}

/** Calls the same modules as the export button of the developer tools. */
const writer = `(async () => {
  const modules = location.href.replace(/inspector\\.html.*$/, 'models/');
  const { NetworkLog } = await import(modules + 'logs/logs.js');
  const { Writer } = await import(modules + 'har/har.js');
  const requests = NetworkLog.NetworkLog.instance().requests();
  const progress = { createSubProgress: () => progress, worked: 0 };
  const write = async (options) => {
    let text = '';
    await Writer.Writer.write({ write: async (piece) => { text += piece; } }, requests, options, progress);
    return text;
  };
  return { full: await write({ sanitize: false }), sanitized: await write({ sanitize: true }) };
})()`;
