import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../../common/package-root.ts';
import { loadSchemas } from '../../../common/schemas.ts';
import { consoleSetup } from '../../../reference-server/gateway/profile.ts';
import { createReferenceServer, type ReferenceServer } from '../../../reference-server/index.ts';
import { clientDutyIds } from '../../../runner/catalog/client-duties.ts';
import { sdkRequirementIds } from '../../../runner/clients/sdk-spec.ts';
import type { Report } from '../../../runner/report/report.ts';
import { reporterNames } from '../../../runner/reporters/reporters.ts';
import { conformance, createScratchFolder } from '../../support/command.ts';
import { runInProcess } from '../../support/in-process-command.ts';

const profilePath = new URL('../../../fixtures/profiles/reference.yaml', import.meta.url).pathname;
const bash = promisify(execFile);
let server: ReferenceServer;
beforeAll(async () => {
  server = await createReferenceServer();
});
afterAll(() => server.close());

function readReport(file: string): Report {
  return JSON.parse(readFileSync(file, 'utf8'));
}

describe('a run without a target', () => {
  test('judges the reference gateway on every requirement and exits with 0', async () => {
    const file = join(createScratchFolder(), 'report.json');
    const { code, stdout, stderr } = await conformance(['run', '--reporter', `json=${file}`]);
    expect(stderr).toMatch(
      /about \d+ requests; \d+ may be billed \(more if the gateway accepts invalid requests\) and \d+ will have a wrong key/,
    );
    expect(stdout).toContain('CONFORMS');
    expect(code).toBe(0);
    const report = readReport(file);
    // The gateway sends no error with another status than those of section 7.
    const unseen = report.requirements.filter(({ outcome }) => outcome !== 'conforms').map(({ id }) => id);
    expect(unseen).toEqual([
      'billing-error/other-statuses',
      'model-error/other-statuses',
      'model-error/type-of-other-statuses',
    ]);
    const { cases, requirements } = report.summary;
    for (const [counts, notApplicable] of [[cases, 0] as const, [requirements, unseen.length] as const]) {
      expect(counts).toEqual({
        planned: counts.conforms + notApplicable,
        conforms: counts.conforms,
        deviates: 0,
        violates: 0,
        warns: 0,
        inconclusive: 0,
        notApplicable,
      });
    }
    expect(report.summary.cases.planned).toBeGreaterThan(400);
    expect((await loadSchemas()).problems('report', report)).toEqual([]);
  });

  test('gives the same result twice', async () => {
    const [first, second] = await Promise.all(
      [1, 2].map(async () => {
        const { stdout } = await runInProcess([
          'run',
          '--suite',
          'models',
          '--suite',
          'billing',
          '--reporter',
          'json',
        ]);
        const report: Report = JSON.parse(stdout);
        return report.cases.map(({ id, outcome, checks }) => ({ id, outcome, checks }));
      }),
    );
    expect(first).toEqual(second);
  });
});

describe('a run against a server in another process', () => {
  test('judges everything with the bundled profile', async () => {
    const { code, stdout } = await runInProcess(['run', server.url, '--profile', profilePath]);
    expect(stdout).not.toContain('Not judged');
    expect(code).toBe(0);
  });

  test('passes with only a base URL and a key, and prints what to add to the profile', async () => {
    const env = { GATEWAY_API_KEY: server.profile.keys.valid };
    const { code, stdout } = await runInProcess(['run', '--verbose', '--base-url', server.url], { env });
    expect(stdout).toContain(
      'keys.deleted needs the environment variable GATEWAY_DELETED_KEY, which is unset or empty. Set the variable.',
    );
    expect(stdout).toContain('Add operations.balance.');
    expect(stdout).toMatch(/✓ CONFORMS/);
    expect(code).toBe(0);
  });

  test('exits with 3 with --strict if some checks were not applicable', async () => {
    const env = { GATEWAY_API_KEY: server.profile.keys.valid };
    const only = ['--suite', 'models', '--base-url', server.url];
    const { code, stderr } = await runInProcess(['run', '--strict', ...only], { env });
    expect(code).toBe(3);
    expect(stderr).toContain('Some checks were not applicable, so the exit code is 3 (--strict).');
  });

  test('judges a gateway below a path prefix', async () => {
    const proxy = createServer(async (incoming, outgoing) => {
      const pieces: Buffer[] = [];
      for await (const piece of incoming) pieces.push(piece);
      const path = (incoming.url ?? '').replace(/^\/team\/gateway/, '');
      const headers = Object.entries(incoming.headers).filter(
        ([name]) => !['host', 'content-length', 'transfer-encoding', 'connection'].includes(name),
      );
      const answer = await fetch(server.url + path, {
        method: incoming.method ?? 'GET',
        headers: headers.map(([name, value]): [string, string] => [name, String(value)]),
        ...(pieces.length > 0 && { body: Buffer.concat(pieces) }),
      });
      outgoing.writeHead(
        answer.status,
        Object.fromEntries([...answer.headers].filter(([name]) => name !== 'transfer-encoding')),
      );
      outgoing.end(Buffer.from(await answer.arrayBuffer()));
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as AddressInfo;
    const { code, stdout } = await runInProcess(
      ['run', '--base-url', `http://127.0.0.1:${port}/team/gateway`, '--suite', 'models', '--suite', 'auth'],
      {
        env: { GATEWAY_API_KEY: server.profile.keys.valid },
      },
    );
    proxy.close();
    expect(stdout).toMatch(/✓ PASSED in a selection/);
    expect(code).toBe(0);
  });
});

describe('reports', () => {
  test('contain no key in plain text, hexadecimal or base64, even if the gateway returns the key', async () => {
    const { valid } = server.profile.keys;
    const echo = createServer((incoming, outgoing) => {
      const headers = JSON.stringify(incoming.headers);
      const body = {
        error: {
          message: headers,
          type: encodeURIComponent(headers),
          code: Buffer.from(headers).toString('base64'),
        },
      };
      outgoing.writeHead(incoming.method === 'GET' ? 200 : 418, {
        'x-trace-id': String(incoming.headers.authorization ?? ''),
      });
      outgoing.end(
        JSON.stringify({ ...body, data: [{ id: valid }], hex: Buffer.from(headers).toString('hex') }),
      );
    });
    await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
    const { port } = echo.address() as AddressInfo;
    const folder = createScratchFolder();
    const files = reporterNames.map((name) => join(folder, name));
    const reporters = files.flatMap((file) => ['--reporter', `${file.split('/').at(-1)}=${file}`]);
    const { stdout, stderr } = await runInProcess(
      ['run', '--verbose', '--base-url', `http://127.0.0.1:${port}`, ...reporters],
      {
        env: { GATEWAY_API_KEY: valid },
      },
    );
    echo.close();
    const all = [stdout, stderr, ...files.map((file) => readFileSync(file, 'utf8'))].join('\n');
    const half = valid.slice(0, Math.ceil(valid.length / 2));
    for (const form of [
      valid,
      half,
      valid.slice(3),
      Buffer.from(valid).toString('hex'),
      Buffer.from(half).toString('base64').slice(4, -4),
    ]) {
      expect(all).not.toContain(form);
    }
    expect(all).toContain('{{keys.valid}}');
  });

  test('are written to several files, and the terminal report to stdout', async () => {
    const folder = createScratchFolder();
    const { code, stdout } = await runInProcess(
      ['run', '--suite', 'models', '--reporter', 'json=a/r.json', '--reporter', 'junit=r.xml'],
      { cwd: folder },
    );
    expect(code).toBe(0);
    expect(stdout).toContain('PASSED in a selection');
    expect(readReport(join(folder, 'a/r.json')).verdict).toBe('conforms');
    expect(readFileSync(join(folder, 'r.xml'), 'utf8')).toMatch(
      /<testsuite name="models" tests="\d+" failures="0"/,
    );
  });

  test('are the only output on stdout if the format is JSON', async () => {
    const { stdout } = await runInProcess(['run', '--only', 'models/*', '--reporter', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({ schemaVersion: 1, verdict: 'conforms' });
  });

  test('contain curl lines that get the same status again', async () => {
    const { stdout } = await runInProcess([
      'run',
      '--only',
      'auth/rejected-key/operation=models*',
      '--base-url',
      server.url,
      '--profile',
      profilePath,
      '--reporter',
      'json',
    ]);
    const report: Report = JSON.parse(stdout);
    for (const item of report.cases) {
      const [exchange] = item.exchanges;
      const env = {
        PATH: process.env.PATH ?? '',
        GATEWAY_API_KEY: server.profile.keys.valid,
        GATEWAY_DELETED_KEY: server.profile.keys.deleted,
      };
      const { stdout: printed } = await bash('bash', ['-c', exchange?.curl ?? ''], { env });
      expect([item.id, printed]).toEqual([
        item.id,
        expect.stringContaining(`HTTP/1.1 ${exchange?.response?.status}`),
      ]);
    }
  });
});

describe('a run that cannot judge', () => {
  test('reports a refused key once and exits with 3', async () => {
    const { code, stdout } = await runInProcess(['run', '--base-url', server.url], {
      env: { GATEWAY_API_KEY: 'sk-wrong-key-000000' },
    });
    expect(stdout.match(/The key is rejected \(GET \/v1\/models returned 401/g)).toHaveLength(1);
    expect(stdout).not.toContain('✗');
    expect(code).toBe(3);
  });

  test('reports an unreachable gateway and exits with 3', async () => {
    const { code, stdout } = await runInProcess(['run', '--base-url', 'http://127.0.0.1:9'], {
      env: { GATEWAY_API_KEY: 'sk-any' },
    });
    expect(stdout.match(/cannot be reached/g)?.length).toBeGreaterThan(0);
    expect(stdout.split('\n')[0]).toContain('The gateway cannot be reached');
    expect(code).toBe(3);
  });

  test('suggests the base URL without /v1', async () => {
    const { code, stdout, stderr } = await runInProcess(['run', '--base-url', `${server.url}/v1`], {
      env: { GATEWAY_API_KEY: server.profile.keys.valid },
    });
    expect(stderr).toContain(`Did you mean ${server.url}?`);
    expect(stdout.split('\n')[0]).toContain(`Did you mean ${server.url}?`);
    expect(code).toBe(3);
  });

  test.each([
    ['run', 'SIGINT', 130],
    ['run', 'SIGTERM', 130],
    ['run', 'SIGHUP', 129],
    ['clients', 'SIGHUP', 129],
  ] as const)('`%s` writes a report after %s and exits with %d', async (command, signal, expected) => {
    const slow = createServer((_, outgoing) => void setTimeout(() => outgoing.writeHead(200).end('{}'), 150));
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const { port } = slow.address() as AddressInfo;
    const args = [command, '--base-url', `http://127.0.0.1:${port}`, '--reporter', 'json'];
    const { code, stdout } = await conformance(args, {
      env: { GATEWAY_API_KEY: 'sk-any-key-0000' },
      // The SDKs that `clients` tests are installed there.
      ...(command === 'clients' && { cwd: packageRoot }),
      interruptWhen: /about \d+ requests/,
      signal,
    });
    slow.close();
    const report: Report = JSON.parse(stdout);
    expect([report.stopped?.kind, code]).toEqual(['interrupted', expected]);
  });
});

test('a second signal does not prevent the reports', async () => {
  const slow = createServer((_, outgoing) => void setTimeout(() => outgoing.writeHead(200).end('{}'), 150));
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
  const { port } = slow.address() as AddressInfo;
  const { code, stdout } = await conformance(
    ['run', '--base-url', `http://127.0.0.1:${port}`, '--reporter', 'json'],
    { env: { GATEWAY_API_KEY: 'sk-any-key-0000' }, interruptWhen: /about \d+ requests/, signals: 2 },
  );
  slow.close();
  const report: Report = JSON.parse(stdout);
  expect([code, report.stopped?.kind]).toEqual([130, 'interrupted']);
});

describe('list and explain', () => {
  test('list prints requirements, clauses, cases, suites and operations', async () => {
    const texts = await Promise.all(
      ['requirements', 'clauses', 'cases', 'suites', 'operations'].map((what) =>
        runInProcess(['list', what]),
      ),
    );
    expect(texts.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    expect(texts.map(({ stdout }) => stdout)).toEqual([
      expect.stringContaining('auth/bad-bearer-token'),
      expect.stringMatching(/^4 rule 2 +\S/m),
      expect.stringContaining('auth/rejected-key/operation=chat/header=bearer/key=truncated'),
      expect.stringContaining('auth/rejected-key'),
      expect.stringContaining('POST /v1/chat/completions'),
    ]);
  });

  test('explain prints the clause, expectation and curl line of a requirement', async () => {
    const { stdout } = await runInProcess(['explain', 'auth/bad-bearer-token']);
    expect(stdout).toMatch(/Clause +5 invalid_bearer_token/);
    expect(stdout).toMatch(/Expected +401 `invalid_bearer_token`/);
    expect(stdout).toMatch(/curl .*Bearer /);
  });

  test('list prints every client duty and every requirement for SDKs, and explain accepts their IDs', async () => {
    const ids = [...clientDutyIds, ...sdkRequirementIds];
    const { stdout: listed } = await runInProcess(['list', 'requirements']);
    expect(ids.filter((id) => listed.split(`\n${id} `).length !== 2)).toEqual([]);
    const { stdout: observed } = await runInProcess(['explain', 'client/retry-after']);
    expect(observed).toMatch(/Level +observe: a violation is reported but is never a failure/);
    const { stdout: duty } = await runInProcess(['explain', 'client/one-header']);
    expect(duty).toMatch(/Level +must/);
    const { stdout, code } = await runInProcess(['explain', 'clients/no-retry']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^clients\/no-retry\n {2}\S/);
    expect(stdout).toMatch(/Clause +\S.*\nLevel +must\nExpected +\S/);
    expect(stdout).toContain('Checked by `conformance clients`.');
  });

  test('explain prints the sentence of a clause and its requirements', async () => {
    const { stdout } = await runInProcess(['explain', '5 invalid_bearer_token']);
    expect(stdout).toMatch(/^5 invalid_bearer_token\n {2}“The key in `Authorization: Bearer` is wrong/);
    expect(stdout).toMatch(/^ {2}auth\/bad-bearer-token$/m);
  });

  test('explain prints a case', async () => {
    const { stdout } = await runInProcess(['explain', 'auth/no-key/operation=chat']);
    expect(stdout).toContain('auth/missing-credential');
    expect(stdout).toContain("curl -sS -i 'https://gateway.example/v1/chat/completions'");
  });

  test('explain prints the whole sequence of a case that creates a key', async () => {
    const { stdout } = await runInProcess([
      'explain',
      'lifecycle/deleted-key/operation=models/header=bearer',
    ]);
    const [, sent = ''] = stdout.split('\nSends\n');
    const call = `  curl -sS -i 'https://gateway.example/v1/models' -H 'accept: application/json' -H "authorization: Bearer $SETUP_KEY"`;
    expect(sent.trimEnd().split('\n')).toEqual([
      "  CREATED=$(curl -sS -X POST 'https://gateway.example/admin/keys' -H 'accept:' -H 'content-length: 0')",
      `  SETUP_KEY=$(node -p 'JSON.parse(process.argv[1]).key' "$CREATED")`,
      `  SETUP_ID=$(node -p 'JSON.parse(process.argv[1]).id' "$CREATED")`,
      call,
      `  curl -sS -i -X DELETE "https://gateway.example/admin/keys/$SETUP_ID" -H 'accept:'`,
      call,
    ]);
  });
});

test.each([
  ['reference.yaml', undefined],
  ['reference-console.yaml', consoleSetup],
])('the bundled profile %s is equal to the profile of the reference gateway', (file, setup) => {
  const path = new URL(`../../../fixtures/profiles/${file}`, import.meta.url).pathname;
  const {
    headers: _,
    bodies: __,
    versionHeader: ___,
    timeFormat: ____,
    stream: _____,
    ...profile
  } = server.profile;
  expect({ ...parse(readFileSync(path, 'utf8')), baseUrl: server.url }).toEqual({
    ...profile,
    ...(setup && { setup }),
  });
});
