import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../../common/package-root.ts';
import { createReferenceServer, faults, variants } from '../../../reference-server/index.ts';
import { reporterNames } from '../../../runner/reporters/reporters.ts';
import { gateways } from '../../proof/faults/gateways.ts';
import { check, listFailedIds } from '../../support/check-command.ts';
import { createScratchFolder } from '../../support/command.ts';
import { createFullPlan } from '../../support/full-plan.ts';

/** The documents about the sources. */
const aboutSources = [
  'CONTRIBUTING.md',
  'runner/README.md',
  'runner/plan/generated/README.md',
  'runner/traffic/README.md',
  'reference-server/README.md',
  'reference-server/gateway/README.md',
  'reference-server/rules/README.md',
  'tests/README.md',
];
const documents = [
  'README.md',
  ...aboutSources,
  ...readdirSync(join(packageRoot, 'docs')).map((name) => `docs/${name}`),
];
const textOf = (document: string): string => readFileSync(join(packageRoot, document), 'utf8');
const blocksOf = (document: string) =>
  [...textOf(document).matchAll(/^```(\w+)\n(.*?)^```/gms)].map(([, kind, text = '']) => ({ kind, text }));
const blocks = blocksOf('docs/ci.md');
const execute = promisify(execFile);
const server = await createReferenceServer();
afterAll(() => server.close());

/** Returns the YAML recipe that contains this text. */
function recipe(member: string): Record<string, Recipe> {
  const found = blocks.filter(({ kind, text }) => kind === 'yaml' && text.includes(member));
  expect(found.map(({ text }) => text)).toHaveLength(1);
  return parse(found[0]?.text ?? '');
}
interface Recipe {
  readonly script: readonly string[];
  readonly artifacts: { readonly reports: { readonly junit: string } };
  readonly conformance: Job & { readonly command: string };
  readonly shard?: Job;
}

interface Job {
  readonly steps: readonly { uses?: string; run?: string; with?: Record<string, string> }[];
}

async function freePort(): Promise<string> {
  const free = await createReferenceServer();
  await free.close();
  return new URL(free.url).port;
}

/** Runs shell commands in a project with the package and a profile. Returns the folder. */
async function runInProject(line: string): Promise<string> {
  const folder = createScratchFolder();
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  symlinkSync(packageRoot, join(folder, 'node_modules/model-gateway-conformance'));
  for (const name of ['conformance', 'model-gateway-conformance'])
    symlinkSync(join(packageRoot, 'bin/conformance.js'), join(folder, 'node_modules/.bin', name));
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  writeFileSync(
    join(folder, 'conformance.yaml'),
    // A plan with fewer operations is sent faster.
    `baseUrl: ${server.url}\nkeys: { valid: '\${GATEWAY_API_KEY}' }\noperations: { messages: null, generate: null, streamGenerate: null }\n`,
  );
  await execute('bash', ['--noprofile', '--norc', '-euo', 'pipefail', '-c', line], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, GATEWAY_API_KEY: server.profile.keys.valid },
  });
  return folder;
}

describe('the recipes', () => {
  test('the GitLab recipe writes the JUnit report to its path', async () => {
    const { conformance } = recipe('paths: [conformance.xml');
    const lines = conformance?.script.filter((line) => line !== 'npm ci') ?? [];
    const folder = await runInProject(lines.join('\n'));
    expect(existsSync(join(folder, conformance?.artifacts.reports.junit ?? ''))).toBe(true);
  });

  test.each(['README.md', 'docs/ci.md'])('the shell recipe of %s writes both reports', async (document) => {
    const block = blocksOf(document).find(
      ({ kind, text }) => kind === 'console' && text.includes('junit=conformance.xml'),
    );
    const folder = await runInProject((block?.text ?? '').replace(/^\$ /, ''));
    for (const name of ['conformance.xml', 'conformance.json'])
      expect(existsSync(join(folder, name))).toBe(true);
  });

  test('the container recipe has a valid command', async () => {
    const { services } = recipe('services:');
    const folder = await runInProject(
      (services?.conformance.command ?? '').replace('http://gateway:8080', server.url),
    );
    expect(existsSync(join(folder, 'conformance.xml'))).toBe(true);
  });

  test('the GitHub recipe with shards merges their reports into one', async () => {
    const { jobs } = recipe('merge-multiple:');
    const runs = [jobs?.shard, jobs?.conformance].map((job) =>
      (job?.steps ?? []).flatMap(({ run }) => (run?.startsWith('npx conformance ') ? [run] : [])).join('\n'),
    );
    const [shard = '', merge = ''] = runs;
    const shards = [1, 2, 3].map((index) => shard.replaceAll('${{ matrix.shard }}', String(index)));
    const folder = await runInProject(['echo "violations: []" > known.yaml', ...shards, merge].join('\n'));
    expect(existsSync(join(folder, 'conformance.xml'))).toBe(true);
  });

  test('the GitLab recipe with shards merges their reports into one', async () => {
    const { shard, conformance } = recipe('CI_NODE_INDEX');
    const commands = ({ script }: Partial<Recipe> = {}): string =>
      (script ?? []).filter((line) => line !== 'npm ci').join('\n');
    const shards = [1, 2, 3].map((index) => `CI_NODE_INDEX=${index}\n${commands(shard)}`);
    const lines = ['echo "violations: []" > known.yaml', 'CI_NODE_TOTAL=3', ...shards, commands(conformance)];
    const folder = await runInProject(lines.join('\n'));
    expect(existsSync(join(folder, conformance?.artifacts.reports.junit ?? ''))).toBe(true);
  });

  test('the shell recipe of docs/reference-gateway.md starts and stops a gateway', async () => {
    const block = blocksOf('docs/reference-gateway.md').find(({ text }) => text.includes('wait $gateway'));
    const call = `curl -sf "$OPENAI_BASE_URL/models" -H "authorization: Bearer $GATEWAY_API_KEY"`;
    const line = (block?.text ?? '')
      .replace(/^\$ /gm, '')
      .replaceAll('8787', await freePort())
      .replace('npm test', `bash -c '${call}'`);
    const folder = await runInProject(line);
    expect(readFileSync(join(folder, 'gateway.log'), 'utf8')).toContain(' GET models key=valid 200 ');
  });

  test("the proxy recipe judges the calls of an app's tests", async () => {
    const block = blocksOf('docs/traffic.md').find(({ text }) => text.includes('wait $proxy'));
    const [port, control] = await Promise.all([freePort(), freePort()]);
    const call = 'curl -sf "$OPENAI_BASE_URL/models" -H "authorization: Bearer $GATEWAY_API_KEY"';
    const line = (block?.text ?? '')
      .replace(/^\$ /gm, '')
      .replace('http://127.0.0.1:8080', server.url)
      .replace('--control-port 8789', `--port ${port} --control-port ${control}`)
      .replace('127.0.0.1:8788', `127.0.0.1:${port}`)
      .replace('127.0.0.1:8789', `127.0.0.1:${control}`)
      .replace('npm test', `bash -c '${call}'`);
    const folder = await runInProject(line);
    expect(readFileSync(join(folder, 'conformance.xml'), 'utf8')).toContain('endpoints/models');
  });

  test('the recording in docs/traffic.md is judged', async () => {
    const [{ text } = { text: '' }] = blocksOf('docs/traffic.md').filter(({ kind }) => kind === 'json');
    const { code, report } = await check({ files: ['x.ndjson'], folder: { 'x.ndjson': text } });
    const notSeen = {
      reason: expect.stringMatching(
        /^Requirements that no exchange in this traffic tests, of \d+ in total\.$/,
      ),
    };
    expect(report.recording).toMatchObject({ exchanges: 1, judged: 1, notJudged: [notSeen] });
    expect(report.recording?.client?.duties.filter((duty) => duty.broken > 0)).toEqual([]);
    expect(listFailedIds(report)).toEqual([
      'model-error/trace-id-present',
      'model-error/trace-header-present',
    ]);
    expect(code).toBe(1);
  });

  test('the GitHub recipe uses existing inputs of the action', () => {
    const { jobs } = recipe('base-url:');
    const step = jobs?.conformance.steps.find(({ uses }) => uses?.includes('model-gateway-conformance'));
    const { inputs } = parse(readFileSync(join(packageRoot, 'action.yml'), 'utf8'));
    expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(step?.with ?? {})));
  });
});

describe('documentation', () => {
  /** Returns the anchors of the headings. */
  const anchorsOf = (document: string): string[] =>
    [...textOf(document).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );

  test.each(documents)('%s has no broken links', (document) => {
    const links = [...textOf(document).matchAll(/\]\((?!https?:)([^#)]*)(?:#([^)]+))?\)/g)];
    const broken = links.filter(([, path, anchor]) => {
      const target = path ? posix.join(posix.dirname(document), path) : document;
      return !existsSync(join(packageRoot, target)) || (anchor && !anchorsOf(target).includes(anchor));
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  test.each(aboutSources)('%s names only existing files and top-level folders', (document) => {
    const paths = [...textOf(document).matchAll(/`([\w./-]+\/[\w.-]*)`/g)].map(([, path = '']) => path);
    const named = paths.filter(
      (path) => /\.\w+$/.test(path) || existsSync(join(packageRoot, path.split('/')[0] ?? '')),
    );
    const from = [packageRoot, join(packageRoot, posix.dirname(document))];
    expect(named.filter((path) => !from.some((folder) => existsSync(join(folder, path))))).toEqual([]);
  });

  test.each([
    ['requirement', 'specs/requirements/models.yaml', 'requirements', 'models/unlisted'],
    ['scenario', 'suites/models.yaml', 'scenarios', 'unlisted'],
  ])('docs/concepts.md quotes the %s of its example like %s', (_, file, member, id) => {
    const quoted = blocksOf('docs/concepts.md')
      .filter(({ kind }) => kind === 'yaml')
      .flatMap(({ text }): { id: string }[] => parse(text))
      .filter((entry) => entry.id === id);
    expect(quoted).toEqual(parse(textOf(file))[member].filter((entry: { id: string }) => entry.id === id));
  });

  test('docs/reports.md lists exactly the reporters', () => {
    const [, section = ''] = textOf('docs/reports.md').split(/^## Formats$/m);
    const [table = ''] = section.split(/^### /m);
    expect([...table.matchAll(/\[`(\w+)`\]/g)].map(([, name]) => name).sort()).toEqual(
      [...reporterNames].sort(),
    );
  });

  test('README.md has the numbers of docs/gateway-results.md and of the picture', () => {
    // The first of these sections has the newest measurement.
    const [, measured = ''] = textOf('docs/gateway-results.md').split(/^## Against the specification/m);
    const [newest = ''] = measured.split(/^## /m);
    const results = [...newest.matchAll(/^\| All \|(.*)$/gm)];
    const violated = results.flatMap(([, row = '']) =>
      row.match(/\d+(?= · \d+ · \d+ · \d+ \|)/g)?.map(Number),
    );
    const [, requirements, cases] =
      />(\d+): \d+ failed.*>(\d+): \d+ failed/s.exec(textOf('docs/report.svg')) ?? [];
    const [least, most] = [Math.min, Math.max].map((choose) => choose(...violated.map(Number)));
    expect(textOf('README.md')).toContain(`violate ${least} to ${most} requirements`);
    expect(textOf('README.md')).toContain(
      `covers ${requirements} of the requirements and ${cases} of the cases`,
    );
  });

  test('README.md claims at most the real numbers of faults, variants, requirements and cases, and not many fewer', async () => {
    const { promise, plan } = await createFullPlan();
    const defects = [...faults, ...gateways.cell];
    const actual = [defects, variants, promise.requirements, plan.cases].map(({ length }) => length);
    const [, section = ''] = textOf('README.md').split(/^## How it is proven$/m);
    const claimed = [...section.matchAll(/^\|.*\| (\d+)[^|]*\|$/gm)].map(([, figure]) => Number(figure));
    expect(claimed).toHaveLength(actual.length);
    for (const [index, count] of actual.entries()) {
      expect(claimed[index]).toBeLessThanOrEqual(count);
      expect(claimed[index]).toBeGreaterThan(count * 0.9);
    }
  });
});
