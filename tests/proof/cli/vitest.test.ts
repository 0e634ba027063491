import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import { findTestable } from '../../../runner/init/format-draft.ts';
import { plan } from '../../../runner/plan/plan.ts';
import { removeGatewayChanges } from '../../../runner/plan/select.ts';
import { createEverythingProfile } from '../../../runner/profile/everything-profile.ts';
import { createPromise } from '../../../runner/profile/promise.ts';
import { createProject } from '../../support/installed-package.ts';

const execute = promisify(execFile);

const project = await createProject();

interface Outcome {
  readonly code: number;
  readonly text: string;
  /** The state of each test by its name. */
  readonly states: ReadonlyMap<string, { status: string; message: string }>;
}

/** Runs a test file with these statements in the project. */
async function runVitest(suite: string, args: readonly string[] = []): Promise<Outcome> {
  const file = `gateway-${Math.random().toString(36).slice(2)}.test.js`;
  writeFileSync(
    join(project, file),
    `import { conformanceSuite } from 'model-gateway-conformance/vitest';
     import { combineSetups, createReferenceServer, faults } from 'model-gateway-conformance/reference-server';
     const serve = async (...ids) => {
       const chosen = faults.filter(({ id }) => ids.includes(id));
       const server = await createReferenceServer(combineSetups(chosen.map(({ setup }) => setup())));
       return { baseUrl: server.url, close: () => server.close(), server };
     };
     const profile = (await serve()).server.profile;
     ${suite}`,
  );
  const output = join(project, `${file}.json`);
  const ended = await execute(
    process.execPath,
    [
      join(project, 'node_modules/vitest/vitest.mjs'),
      'run',
      file,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${output}`,
      ...args,
    ],
    { cwd: project, env: { PATH: process.env.PATH, NO_COLOR: '1' }, maxBuffer: 64 * 1024 * 1024 },
  ).then(
    ({ stdout, stderr }) => ({ code: 0, text: stdout + stderr }),
    (error) => ({ code: Number(error.code), text: String(error.stdout) + String(error.stderr) }),
  );
  const { testResults } = JSON.parse(readFileSync(output, 'utf8'));
  return {
    ...ended,
    states: new Map(
      testResults[0].assertionResults.map(
        (result: { title: string; status: string; failureMessages: string[] }) => [
          result.title,
          { status: result.status, message: result.failureMessages.join('\n') },
        ],
      ),
    ),
  };
}

const countTests = ({ states }: Outcome, status: string): number =>
  [...states.values()].filter((state) => state.status === status).length;

describe('conformanceSuite in a Vitest run', () => {
  test('has a test for each case, all of which pass with a conforming gateway', async () => {
    const catalog = await catalogOfPackage();
    const everything = createEverythingProfile(catalog);
    const all = findTestable(removeGatewayChanges(plan(createPromise(catalog, everything))), everything).cases
      .size;
    const outcome = await runVitest('await conformanceSuite({ profile, start: () => serve() });');
    expect([outcome.code, countTests(outcome, 'passed'), outcome.states.size]).toEqual([0, all, all]);
  });

  test('fails only the tests of violated cases, with a readable message', async () => {
    const outcome = await runVitest(
      "await conformanceSuite({ profile, start: () => serve('bad-key/beginning-is-enough-for-the-model-list'), suites: ['auth'] });",
    );
    expect(outcome.code).toBe(1);
    const broken = 'auth/rejected-key/operation=models/header=bearer/key=truncated';
    const { status, message } = outcome.states.get(broken) ?? {};
    expect(status).toBe('failed');
    expect(message).toMatch(/auth\/bad-bearer-token \(must\)\n.*\n.*5 invalid_bearer_token: “/);
    expect(message).toContain('→ expected status 401, got 200');
    expect(message).toMatch(/received: 200 \{/);
    expect(message).toMatch(/trace ID: [0-9a-f-]{36}/);
    expect(message).toMatch(/curl -sS -i 'http:\/\/127\.0\.0\.1:\d+\/v1\/models'/);
    expect(outcome.text).not.toContain('dist/runner/vitest.js');
    expect(countTests(outcome, 'failed')).toBe(2);
  });

  test('skips cases that are not applicable, and fails these cases with `strict`', async () => {
    const bare =
      'const { baseUrl } = await serve(); await conformanceSuite({ baseUrl, key: profile.keys.valid, suites: ["balance"]';
    const [lenient, strict] = [await runVitest(`${bare} });`), await runVitest(`${bare}, strict: true });`)];
    expect([lenient.code, countTests(lenient, 'failed')]).toEqual([0, 0]);
    expect(countTests(lenient, 'skipped') + countTests(lenient, 'pending')).toBeGreaterThan(0);
    expect([strict.code, countTests(strict, 'failed')]).toEqual([1, strict.states.size]);
  });

  test('sends fewer than 120 requests for filtered tests', async () => {
    const outcome = await runVitest(
      `await conformanceSuite({ profile, start: async () => {
         const { server, ...started } = await serve();
         let requests = 0;
         const { createServer, request } = await import('node:http');
         const proxy = createServer((incoming, outgoing) => {
           requests += 1;
           const { hostname, port } = new URL(server.url);
           incoming.pipe(request({ hostname, port, path: incoming.url, method: incoming.method, headers: incoming.headers },
             (answer) => answer.pipe(outgoing.writeHead(answer.statusCode, answer.headers))));
         });
         await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
         return { baseUrl: 'http://127.0.0.1:' + proxy.address().port, close: () => {
           console.log('REQUESTS ' + requests); proxy.close(); return started.close(); } };
       } });`,
      ['-t', 'rejected-key/operation=models'],
    );
    expect([outcome.code, countTests(outcome, 'failed')]).toEqual([0, 0]);
    expect(countTests(outcome, 'passed')).toBeGreaterThan(5);
    expect(Number(/REQUESTS (\d+)/.exec(outcome.text)?.[1])).toBeLessThan(120);
  });

  test('reports an unreachable gateway once', async () => {
    const outcome = await runVitest(
      "await conformanceSuite({ baseUrl: 'http://127.0.0.1:9', key: 'sk-any', suites: ['models'] });",
    );
    expect(outcome.code).toBe(1);
    expect(outcome.text).toContain('The gateway cannot be reached');
    expect(outcome.text.match(/ FAIL /g)).toHaveLength(1);
  });

  test('reports a mistake in the profile', async () => {
    const outcome = await runVitest("await conformanceSuite({ baseUrl: 'http://127.0.0.1:9' });");
    expect([outcome.code, outcome.text]).toEqual([1, expect.stringContaining('The API key is missing')]);
  });
});
