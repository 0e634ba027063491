import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createProject } from '../../support/installed-package.ts';

const execute = promisify(execFile);
const project = await createProject();

/** A program that uses exports of the three public modules. */
const program = `
import {
  type CaseReport, type ComparedTargets, compareTargets, type Comparison, DataFileError,
  type Estimate, type Finding, type OperationId, type Outcome, type ConnectionOptions, type Report, run,
  type RunEvent, runEvents, type RunOptions, type Shard, type StatedProfile, UsageError, type Wait,
} from 'model-gateway-conformance';
import {
  combineSetups, createReferenceServer, type Fault, faults, type ReceivedRequest, type ReferenceServer,
  type ReferenceServerOptions, type Rule, type Variant, variants,
} from 'model-gateway-conformance/reference-server';
import { type ConformanceSuiteOptions, conformanceSuite, type StartedGateway } from 'model-gateway-conformance/vitest';

const shard: Shard = { index: 1, of: 3 };
const reach: ConnectionOptions = { ca: '', proxy: () => undefined };
const options: RunOptions = { suites: ['auth'], shard, reach, timeoutMs: 30_000, perSecond: 5, signal: AbortSignal.timeout(1_000) };

const rules: readonly Rule[] = [{ match: { operation: 'chat', times: 1 }, change: { refuse: 'too-frequent' } }];
const serverOptions: ReferenceServerOptions = { rules, latencyMs: 10 };
const server: ReferenceServer = await createReferenceServer();
const slow = await createReferenceServer(serverOptions);
const chosen: readonly (Fault | Variant)[] = [...faults, ...variants].slice(0, 1);
const faulty = await createReferenceServer(combineSetups(chosen.map(({ setup }) => setup())));
const received: readonly ReceivedRequest[] = slow.requests();
const key: string = server.profile.keys.valid;

const profile: StatedProfile = { baseUrl: faulty.url, keys: { valid: key }, models: { chat: server.profile.models.chat.good }, timeouts: { success: '3m' } };
const operation: OperationId = 'chat';

function describeWait(wait: Wait): string {
  switch (wait.cause) {
    case 'unreachable': return String(wait.milliseconds);
    case 'limited': return \`\${wait.status} \${wait.isStated}\`;
    case 'failed': return String(wait.status);
    case 'rate': return String(wait.perSecond);
  }
}

function describe(event: RunEvent): string {
  switch (event.kind) {
    case 'planned': { const estimate: Estimate = event.estimate; return String(estimate.requests); }
    case 'exchange': return event.exchange.curl;
    case 'wait': return describeWait(event.wait);
    case 'case': { const outcome: Outcome = event.outcome; return outcome; }
    case 'report': return event.report.verdict;
  }
}

try {
  const report: Report = await run(server.profile, options);
  const cases: readonly CaseReport[] = report.cases;
  const findings: readonly Finding[] = cases.flatMap((item) =>
    item.checks.flatMap((check) => check.findings.map(({ finding }) => finding)));
  for await (const event of runEvents(profile)) console.log(describe(event), findings.length, received.length, operation);
  const compared: ComparedTargets = await compareTargets({ a: server.profile, b: 'b.yaml' });
  const comparison: Comparison = compared.comparison;
  console.log(comparison.differing.map(({ id }) => id));
} catch (error) {
  if (error instanceof UsageError) console.error(error.message);
  else if (error instanceof DataFileError) console.error(error.file, error.line);
  else throw error;
}

const start = async (): Promise<StartedGateway> => ({ baseUrl: server.url, close: () => server.close() });
const suite: ConformanceSuiteOptions = { start, key, suites: ['auth'], perSecond: 5 };
await conformanceSuite(suite);
`;

/** Returns the errors of the compiler for a file of the project, with strict settings. */
async function compile(name: string, text: string): Promise<string> {
  writeFileSync(join(project, name), text);
  const flags = [
    '--noEmit',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--noUnusedLocals',
    '--skipLibCheck',
    'false',
  ];
  const target = [
    '--target',
    'es2023',
    '--module',
    'nodenext',
    '--moduleResolution',
    'nodenext',
    '--types',
    'node',
  ];
  const tsc = join(project, 'node_modules', 'typescript', 'bin', 'tsc');
  return execute(process.execPath, [tsc, ...flags, ...target, name], { cwd: project }).then(
    ({ stdout }) => stdout,
    ({ stdout }) => String(stdout),
  );
}

test('a program that uses the three public modules compiles against the packed package', async () => {
  expect(await compile('program.ts', program)).toBe('');
});

test('internals of the reference gateway are not exported', async () => {
  const text =
    "import { serveReference, type Decisions } from 'model-gateway-conformance/reference-server';\nserveReference satisfies Decisions;\n";
  expect(await compile('internals.ts', text)).toMatch(
    /no exported member 'serveReference'[\s\S]*no exported member.* 'Decisions'/,
  );
});

/** Runs a script in the project, and returns what it prints. */
async function evaluate(script: string): Promise<string> {
  const { stdout } = await execute(process.execPath, ['--input-type=module', '-e', script], { cwd: project });
  return stdout;
}

test('the reference gateway exports exactly the documented names', async () => {
  const names: string[] = JSON.parse(
    await evaluate(
      "console.log(JSON.stringify(Object.keys(await import('model-gateway-conformance/reference-server'))))",
    ),
  );
  expect(names.sort()).toEqual(['combineSetups', 'createReferenceServer', 'faults', 'variants']);
  const page = readFileSync(
    join(project, 'node_modules/model-gateway-conformance/docs/reference-gateway.md'),
    'utf8',
  );
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test('the library leaves the errors of its process to the user', async () => {
  const handled = await evaluate(`
    await import('model-gateway-conformance');
    await import('model-gateway-conformance/reference-server');
    const handlers = [process.listeners('uncaughtException'), process.stdout.listeners('error'), process.stderr.listeners('error')];
    console.log(handlers.flat().length);`);
  expect(handled).toBe('0\n');
});

test('the documents of the package link only to files of the package', () => {
  const folder = join(project, 'node_modules/model-gateway-conformance');
  const documents = readdirSync(folder, { encoding: 'utf8', recursive: true }).filter((path) =>
    path.endsWith('.md'),
  );
  const broken = documents.flatMap((document) =>
    [...readFileSync(join(folder, document), 'utf8').matchAll(/\]\((?!https?:)([^#)]+)/g)]
      .map(([, path = '']) => path)
      .filter((path) => !existsSync(join(folder, dirname(document), path)))
      .map((path) => `${document}: ${path}`),
  );
  expect(documents).toContain('README.md');
  expect(broken).toEqual([]);
});
