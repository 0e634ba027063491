import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { combineSetups, createReferenceServer, faults } from '../../../reference-server/index.ts';
import { run } from '../../../runner/library.ts';
import type { StatedProfile } from '../../../runner/profile/profile.ts';
import type { Report } from '../../../runner/report/report.ts';

const faultIds = [
  'bad-key/beginning-is-enough-for-the-model-list',
  'good-key/x-api-key-crashes-the-usage-endpoint',
  'balance/details-as-text',
  'models/unlisted-called-unsupported',
  'trace/header-missing',
  'error-field/code-string-on-402',
];

/**
 * Runs the selected cases against a reference gateway with several faults or without faults, and returns the report.
 */
export async function runAgainstReference(
  kind: 'faulty' | 'conforming',
  only: readonly string[] = [],
): Promise<Report> {
  const setups = faults
    .filter(({ id }) => kind === 'faulty' && faultIds.includes(id))
    .map(({ setup }) => setup());
  const server = await createReferenceServer(combineSetups(setups));
  try {
    return await run(server.profile, { only });
  } finally {
    await server.close();
  }
}

/** Runs some cases with only a base URL and a key, so that many checks are not applicable, and returns the report. */
export async function runBare(only: readonly string[]): Promise<Report> {
  const server = await createReferenceServer();
  try {
    return await run({ baseUrl: server.url, keys: { valid: server.profile.keys.valid } }, { only });
  } finally {
    await server.close();
  }
}

/** Runs the suite against an unreachable gateway and returns the report. */
export function runUnreachable(): Promise<Report> {
  return run(profileAt('http://127.0.0.1:9'));
}

/** Returns the report with only one case of each suite and outcome, and the requirements of these cases. */
export function excerptOf(report: Report): Report {
  const seen = new Map<string, number>();
  const cases = report.cases.filter(({ suite, outcome }) => {
    const count = (seen.get(suite + outcome) ?? 0) + 1;
    seen.set(suite + outcome, count);
    return count === 1;
  });
  const kept = new Set(cases.map(({ id }) => id));
  const requirements = report.requirements.filter((item) => item.cases.some((id) => kept.has(id)));
  return { ...report, cases, requirements };
}

/** Texts that could run code, escape from their element or break the layout. */
const hostileTexts: readonly string[] = [
  '<script>window.hostile = 1; alert(1)</script>',
  '</script><script>window.hostile = 1</script>',
  '</style><img src=x onerror="window.hostile = 1">',
  '"><svg onload="window.hostile = 1">',
  "' onmouseover='window.hostile = 1' x='",
  'javascript:window.hostile=1',
  '--><base href="https://example.com/">]]>',
  '&lt;script&gt;window.hostile=1&lt;/script&gt; &#x3c;',
  '{{constructor.constructor("window.hostile=1")()}} ${window.hostile=1}',
  '\u001b[2J\u001b]0;title\u0007\u0000\u0008',
  'left \u202eright\u202c \u2066 \u200f\u200b',
  'half \ud800 a pair \udfff',
  'x'.repeat(100_000),
  'ﷺ'.repeat(500),
  'z̷̛͚͙̀͌'.repeat(200),
];

/**
 * Runs the selected cases against a gateway that sends hostile texts in the headers and bodies of its responses, and
 * returns the report.
 */
export async function runAgainstHostile(only: readonly string[] = []): Promise<Report> {
  let count = 0;
  const gateway = createServer((incoming, outgoing) => {
    const text = hostileTexts[count++ % hostileTexts.length] ?? '';
    const headerText = text.slice(0, 2000).replace(/[^\x20-\x7e]/g, '?');
    const kind = count % 4;
    const error = { type: text, code: text, message: text, details: { [text]: text } };
    const body = kind === 3 ? text : JSON.stringify({ error, [text]: [text], trace_id: text });
    outgoing.writeHead(incoming.method === 'GET' || kind === 0 ? 200 : 400, {
      'content-type': kind === 3 ? 'text/html' : 'application/json',
      'x-trace-id': headerText,
      'x-hostile': headerText,
    });
    outgoing.end(
      incoming.url === '/v1/models' ? JSON.stringify({ data: hostileTexts.map((id) => ({ id })) }) : body,
    );
  });
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  const { port } = gateway.address() as AddressInfo;
  try {
    return await run(profileAt(`http://127.0.0.1:${port}`), { only });
  } finally {
    gateway.close();
  }
}

function profileAt(baseUrl: string): StatedProfile {
  return { baseUrl, keys: { valid: 'sk-some-key-0123456789' }, models: { chat: 'some-chat-model' } };
}
