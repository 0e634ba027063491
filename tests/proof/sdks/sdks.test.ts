import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { packageRoot } from '../../../common/package-root.ts';
import {
  combineSetups,
  createReferenceServer,
  faults,
  type ReferenceServerOptions,
  variants,
} from '../../../reference-server/index.ts';
import { type Catalog, catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import { sdks } from '../../../runner/cli/commands/clients.ts';
import { judgeSdks } from '../../../runner/clients/judge-sdks.ts';
import { prepareSdks } from '../../../runner/clients/prepare-sdks.ts';
import { loadSdkSpec } from '../../../runner/clients/sdk-spec.ts';
import { createPromise } from '../../../runner/profile/promise.ts';
import { parseProfile } from '../../../runner/profile/read-profile.ts';
import type { CaseReport, Report } from '../../../runner/report/report.ts';
import { joinReportText } from '../../../runner/reporters/reporter.ts';
import { reporterNames } from '../../../runner/reporters/reporters.ts';
import { conformance, createScratchFolder } from '../../support/command.ts';
import { html, markdown, terminal } from '../../support/reporters.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await catalogOfPackage();
});

const ids = sdks.map(({ id }) => id);

/** Returns the report of `clients` for a reference gateway with this setup. */
async function judgeClients(
  setup: ReferenceServerOptions,
  { only = ids, folder = packageRoot }: { only?: readonly string[]; folder?: string } = {},
): Promise<Report> {
  const server = await createReferenceServer(setup);
  try {
    const { signal } = new AbortController();
    const chosen = sdks.filter(({ id }) => only.includes(id));
    const profile = parseProfile(server.profile, catalog);
    return await judgeSdks(
      await prepareSdks(createPromise(catalog, profile), { drivers: chosen, folder, signal }),
      signal,
    );
  } finally {
    await server.close();
  }
}

function setupOf(known: typeof faults | typeof variants, id: string): ReferenceServerOptions {
  const found = known.find((item) => item.id === id);
  if (!found) throw new Error(`${id} does not exist.`);
  return found.setup();
}

/** Returns the IDs of the cases in which a requirement has this outcome, without the prefix `clients/`. */
function casesWithOutcome(report: Report, outcome: CaseReport['outcome'], requirement: string): string[] {
  return report.cases
    .filter(({ checks }) =>
      checks.some((item) => item.requirement === `clients/${requirement}` && item.outcome === outcome),
    )
    .map(({ id }) => id.slice('clients/'.length));
}

describe('specs/sdk-requirements.yaml', () => {
  test('refers to existing clauses and requirements', () => {
    const { requirements, refusals } = loadSdkSpec(catalog.schemas);
    const clauses = [...catalog.clauses.keys()];
    const known = catalog.ledger.requirements.map(({ id }) => id);
    expect(requirements.flatMap(({ clause }) => clause).filter((name) => !clauses.includes(name))).toEqual(
      [],
    );
    expect(
      [...refusals, ...requirements.flatMap(({ restsOn }) => restsOn)].filter((id) => !known.includes(id)),
    ).toEqual([]);
  });
});

describe('the reference gateway', () => {
  test('conforms for every SDK', async () => {
    const report = await judgeClients({});
    expect(report.cases.filter(({ outcome }) => outcome !== 'conforms').map(({ id }) => id)).toEqual([]);
    expect(report.verdict).toBe('conforms');
    expect(new Set(report.cases.map(({ attributes }) => attributes.client))).toEqual(new Set(ids));
    expect(report.cases.length).toBe(60);
    expect(report.requests.sent).toBe(60);
    // SDKs do not retry refused calls.
    expect(report.cases.every(({ exchanges }) => exchanges.length === 1)).toBe(true);
    const { problems } = catalog.schemas;
    expect(problems('report', JSON.parse(JSON.stringify(report)))).toEqual([]);
    const judgedRequirements = report.requirements.map(({ id }) => id);
    expect(judgedRequirements).toEqual(loadSdkSpec(catalog.schemas).requirements.map(({ id }) => id));
  });

  test("conforms for @anthropic-ai/sdk 1.x in the user's folder", async () => {
    const folder = createScratchFolder();
    mkdirSync(join(folder, 'node_modules', '@anthropic-ai'), { recursive: true });
    symlinkSync(
      join(packageRoot, 'node_modules', 'anthropic-sdk-1'),
      join(folder, 'node_modules', '@anthropic-ai', 'sdk'),
    );
    const report = await judgeClients({}, { only: ['anthropic'], folder });
    expect(report.cases.map(({ outcome }) => outcome)).toEqual(report.cases.map(() => 'conforms'));
    expect(report.cases[0]?.attributes.packages).toMatch(/^@anthropic-ai\/sdk 1\./);
    expect(report.cases[0]?.exchanges[0]?.request.headers).toMatchObject({
      'x-api-key': '{{keys.valid}}',
      'anthropic-version': '2023-06-01',
    });
  });

  test('no part of a key is in the report', async () => {
    const server = await createReferenceServer();
    await server.close();
    const text = JSON.stringify(await judgeClients({}));
    for (const key of Object.values(server.profile.keys)) expect(text).not.toContain(key);
    expect(text).toContain('{{keys.valid:unknown}}');
    expect(text).toContain('{{keys.depleted}}');
  });
});

/** For each fault or combination of faults, the outcome of a requirement of SDKs, and the affected cases. */
const affected: readonly (readonly [
  fault: string | readonly string[],
  outcome: 'violates' | 'warns',
  requirement: string,
  cases: readonly string[],
])[] = [
  ['endpoint/chat-absent', 'warns', 'call-succeeds', ['openai/chat/plain', 'ai-openai/chat/plain']],
  [
    'good-key/x-api-key-refused-by-messages',
    'warns',
    'call-succeeds',
    ['anthropic/messages/plain', 'ai-anthropic/messages/plain'],
  ],
  [
    'good-key/x-goog-api-key-ignored-in-family-c',
    'warns',
    'call-succeeds',
    ['google/generate/plain', 'ai-google/generate/plain'],
  ],
  [
    'stream/refused-by-responses',
    'warns',
    'stream-completes',
    ['openai/responses/streamed', 'ai-openai/responses/streamed'],
  ],
  [
    'stream/one-event',
    'warns',
    'stream-completes',
    ['anthropic/messages/streamed', 'ai-anthropic/messages/streamed'],
  ],
  [
    'stream/absent-in-family-c',
    'warns',
    'stream-completes',
    ['google/generate/streamed', 'ai-google/generate/streamed'],
  ],
  ['model-list/html', 'warns', 'list-models', ['openai/models', 'anthropic/models']],
  ['model-list/empty', 'warns', 'list-models', ['openai/models', 'anthropic/models']],
  [
    'models/unlisted-404',
    'violates',
    'error-class',
    ['openai/responses/error/unknown-model', 'ai-openai/responses/error/unknown-model'],
  ],
  [
    'models/unlisted-answered-in-family-b',
    'violates',
    'error-class',
    ['anthropic/messages/error/unknown-model', 'ai-anthropic/messages/error/unknown-model'],
  ],
  [
    'balance/400-in-family-c',
    'violates',
    'error-class',
    ['google/generate/error/depleted-account', 'ai-google/generate/error/depleted-account'],
  ],
  [
    'error-body/html',
    'violates',
    'message-reaches-user',
    ['openai/responses/error/unknown-model', 'ai-openai/responses/error/unknown-model'],
  ],
  [
    'error-body/none',
    'violates',
    'message-reaches-user',
    ['anthropic/messages/error/depleted-account', 'ai-anthropic/messages/error/depleted-account'],
  ],
  [
    'error-field/message-object',
    'violates',
    'message-reaches-user',
    ['google/generate/error/wrong-key', 'ai-google/generate/error/wrong-key'],
  ],
  [
    'auth-answer/another-vocabulary',
    'violates',
    'type-reaches-user',
    [
      'openai/chat/error/wrong-key',
      'openai/chat/error/streamed-wrong-key',
      'openai/responses/error/wrong-key',
      'openai/responses/error/streamed-wrong-key',
      'anthropic/messages/error/wrong-key',
      'anthropic/messages/error/streamed-wrong-key',
      'google/generate/error/wrong-key',
      'google/generate/error/streamed-wrong-key',
      'ai-openai/chat/error/wrong-key',
      'ai-openai/chat/error/streamed-wrong-key',
      'ai-openai/responses/error/wrong-key',
      'ai-openai/responses/error/streamed-wrong-key',
      'ai-anthropic/messages/error/wrong-key',
      'ai-anthropic/messages/error/streamed-wrong-key',
      'ai-google/generate/error/wrong-key',
      'ai-google/generate/error/streamed-wrong-key',
    ],
  ],
  [
    'error-field/type-null',
    'violates',
    'type-reaches-user',
    ['google/generate/error/depleted-account', 'ai-google/generate/error/depleted-account'],
  ],
  [
    // `openai` exposes the headers to its users, and only `error` of the body.
    'trace/header-missing',
    'violates',
    'trace-id-reachable',
    [
      'openai/chat/error/wrong-key',
      'openai/chat/error/unknown-model',
      'openai/chat/error/depleted-account',
      'openai/chat/error/invalid-request',
      'openai/responses/error/wrong-key',
      'openai/responses/error/unknown-model',
      'openai/responses/error/depleted-account',
    ],
  ],
  [
    // `@google/genai` exposes the body to its users, but no headers.
    'trace/id-missing',
    'violates',
    'trace-id-reachable',
    [
      'google/generate/error/wrong-key',
      'google/generate/error/unknown-model',
      'google/generate/error/depleted-account',
    ],
  ],
  [
    // SDKs correctly retry a request after 500.
    'chat-body/validation-500',
    'violates',
    'no-retry',
    ['openai/chat/error/invalid-request'],
  ],
  [
    // `@google/genai` parses a body as JSON only if its content type is JSON.
    'error-body/called-text',
    'warns',
    'error-understood',
    [
      'google/generate/error/wrong-key',
      'google/generate/error/unknown-model',
      'google/generate/error/depleted-account',
      'google/generate/error/streamed-wrong-key',
    ],
  ],
  [
    'models/unlisted-answered',
    'warns',
    'streamed-error-raised',
    ['openai/chat/error/streamed-unknown-model', 'ai-openai/chat/error/streamed-unknown-model'],
  ],
];

describe('a fault is reported for the affected SDKs:', () => {
  test.each(affected)('%s %s %s', async (fault, outcome, requirement, cases) => {
    const setups = [fault].flat().map((id) => setupOf(faults, id));
    const report = await judgeClients(combineSetups(setups));
    expect(casesWithOutcome(report, outcome, requirement)).toEqual(cases);
    const messages = report.cases
      .flatMap(({ checks }) => checks)
      .filter((item) => item.outcome === outcome)
      .flatMap(({ findings }) => findings.map(({ message }) => message));
    expect(messages.length).toBeGreaterThan(0);
    for (const message of messages) expect(message).toMatch(/^expected .+ to be .+, got .+$/);
  });

  test('a missing trace id in header and body is reported for every SDK', async () => {
    const setup = combineSetups(
      ['trace/header-missing', 'trace/id-missing'].map((id) => setupOf(faults, id)),
    );
    const found = casesWithOutcome(await judgeClients(setup), 'violates', 'trace-id-reachable');
    expect(new Set(found.map((id) => id.split('/')[0]))).toEqual(new Set(ids));
  });

  test('every requirement is violated by one of the listed faults', () => {
    const covered = new Set(affected.map(([, , requirement]) => `clients/${requirement}`));
    expect([...covered].sort()).toEqual(
      loadSdkSpec(catalog.schemas)
        .requirements.map(({ id }) => id)
        .sort(),
    );
  });
});

describe('the table of SDKs and calls', () => {
  const setup = (): ReferenceServerOptions =>
    combineSetups(['trace/header-missing', 'trace/id-missing'].map((id) => setupOf(faults, id)));
  const part = (text: string, from: RegExp, to: RegExp): string[] => {
    const lines = text.split('\n');
    const start = lines.findIndex((line) => from.test(line));
    const length = lines.slice(start).findIndex((line) => to.test(line));
    return lines.slice(start, start + length);
  };

  test('fits a terminal of 80 columns, and lists each failure once', async () => {
    const text = terminal(await judgeClients(setup()), { colour: false, verbose: false, width: 80 });
    const lines = part(text, /^SDKs/, /^ {2}Tested with/);
    expect(lines.filter(({ length }) => length > 80)).toEqual([]);
    expect(lines[0]).toMatch(/^SDKs +openai {2}anthropic {2}google {2}ai- +ai- +ai-$/);
    expect(lines[1]).toMatch(/^ +openai {2}anthropic {2}google$/);
    const row = (call: string): string | undefined => lines.find((line) => line.startsWith(`  ${call}  `));
    expect(row('chat')).toMatch(/^ {2}chat +✓ +✓$/);
    expect(row('wrong key')?.match(/✗ 1/g)).toHaveLength(6);
    expect(row('streamed unknown model')?.match(/✓/g)).toHaveLength(6);
    expect(lines.filter((line) => /^ +\d+ ✗/.test(line))).toEqual([
      '   1 ✗ expected the trace ID to be in the error, got nothing',
    ]);
    expect(lines.join(' ').replace(/\s+/g, ' ')).toContain(
      'wrong key, unknown model, depleted account, invalid request · every SDK',
    );
    // The message occurs in the table and in the evidence, once in each.
    expect(text.match(/expected the trace ID to be in the error/g)?.length).toBeLessThan(3);
  });

  test('is in the Markdown and HTML reports', async () => {
    const report = await judgeClients(setup(), { only: ['openai', 'google'] });
    const table = part(markdown(report), /^### SDKs/, /^Tested with/);
    expect(table).toContain('| Call | `openai` | `google` |');
    expect(table).toContain('| wrong key | ✗ 1 | ✗ 1 |');
    expect(table).toContain('| responses | ✓ |  |');
    expect(table.filter((line) => line.startsWith('- 1 ✗ '))).toHaveLength(1);
    const page = joinReportText(html(report));
    expect(page).toContain('<section id="sdks"');
    expect(page).toMatch(
      /<td class="violates"><a href="#case\/clients\/openai\/chat\/error\/wrong-key" aria-label="violates a must: wrong key, openai, reason 1"/,
    );
    expect(page).toContain('<td class="conforms"><a href="#case/clients/google/generate/plain"');
  });

  test('is not in the report of a run', async () => {
    const { stdout } = await conformance(['run', '--suite', 'models']);
    expect(stdout).not.toContain('SDKs');
  });
});

describe('a conforming variant', () => {
  test.each([
    'streams/comments',
    'streams/no-event-names',
    'streams/not-streamed',
    'streams/errors-as-events',
    'streams/errors-without-body',
    'streams/errors-after-a-start',
    'models/list-of-names',
    'models/list-in-small-pages',
    'models/ids-with-odd-characters',
    'messages/very-long',
    'errors/reordered',
    'errors/escaped',
    'errors/text-content-type',
    'wire/two-codings',
    'places/more-in-bodies',
    'places/family-b-elsewhere',
    'limits/no-pause',
  ])('%s violates no `must`', async (id) => {
    const report = await judgeClients(setupOf(variants, id));
    const reported = report.cases.filter(
      ({ outcome }) => outcome === 'violates' || outcome === 'inconclusive',
    );
    expect(reported.map((item) => item.id)).toEqual([]);
    expect(report.verdict).toBe('conforms');
  });
});

describe('the clients command', () => {
  test('starts the reference gateway without a target, and prints only the report to stdout', async () => {
    const { code, stdout, stderr } = await conformance(['clients', '--sdk', 'openai', '--reporter', 'json']);
    const report: Report = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(report.cases.every(({ id }) => id.startsWith('clients/openai/'))).toBe(true);
    expect(stderr).toMatch(
      /^The reference gateway, started at .*: 16 cases, about 16 requests from SDKs; .*\n$/,
    );
  });

  test('exits with 1 for a violation, and prints the failed requirement', async () => {
    const server = await createReferenceServer(setupOf(faults, 'models/unlisted-404'));
    const folder = createScratchFolder();
    writeFileSync(join(folder, 'conformance.yaml'), stringify(server.profile));
    const files = reporterNames.filter((name) => name !== 'terminal');
    const args = files.flatMap((name) => ['--reporter', `${name}=${join(folder, name)}`]);
    const { code, stdout } = await conformance(['clients', ...args], { cwd: folder });
    await server.close();
    expect(code).toBe(1);
    expect(stdout).toContain('clients/error-class');
    expect(stdout).toContain('openai: NotFoundError instead of BadRequestError');
    expect(files.filter((name) => statSync(join(folder, name)).size === 0)).toEqual([]);
  });

  test('applies a baseline', async () => {
    const server = await createReferenceServer(setupOf(faults, 'models/unlisted-404'));
    const folder = createScratchFolder();
    writeFileSync(join(folder, 'conformance.yaml'), stringify(server.profile));
    const flags = ['clients', '--sdk', 'openai', '--baseline', 'known.yaml'];
    expect((await conformance([...flags, '--update-baseline'], { cwd: folder })).code).toBe(0);
    expect((await conformance(flags, { cwd: folder })).code).toBe(0);
    await server.close();
  });

  test('reports an unsupported version of an SDK and lists the supported versions', async () => {
    const folder = createScratchFolder();
    const place = join(folder, 'node_modules', 'openai');
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'package.json'), JSON.stringify({ name: 'openai', version: '3.3.0' }));
    writeFileSync(join(place, 'index.js'), '');
    const { code, stdout } = await conformance(['clients', '--sdk', 'openai'], { cwd: folder });
    expect(code).toBe(3);
    expect(stdout).toContain('openai 3.3.0 is installed. Supported versions: 5.0 to 7.x.');
  });

  test('is inconclusive for an unreachable gateway', async () => {
    const flags = ['clients', '--sdk', 'google', '--base-url', 'http://127.0.0.1:9'];
    const { code, stdout } = await conformance(flags, { env: { GATEWAY_API_KEY: 'sk-no-one-has-this-key' } });
    expect(code).toBe(3);
    expect(stdout).toContain('INCONCLUSIVE');
  });

  test('suggests the name of an SDK', async () => {
    const { code, stderr } = await conformance(['clients', '--sdk', 'opena']);
    expect(code).toBe(2);
    expect(stderr).toContain('Unknown SDK "opena". Did you mean "openai"?');
  });
});
