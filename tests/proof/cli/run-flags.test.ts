import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { loadSchemas } from '../../../common/schemas.ts';
import { combineSetups, createReferenceServer, faults } from '../../../reference-server/index.ts';
import type { Report } from '../../../runner/report/report.ts';
import { createScratchFolder, type FinishedCommand } from '../../support/command.ts';
import { runInProcess } from '../../support/in-process-command.ts';

type Target = { readonly url: string; readonly profile: object; readonly close: () => Promise<unknown> };

let requests: string[] = [];
const open: Target[] = [];
let reference: Target;
let faulty: Target;
let unsteady: Target;
let flaky: Target;

async function start(...[options]: Parameters<typeof createReferenceServer>): Promise<Target> {
  const server = await createReferenceServer({ log: (line) => requests.push(line), ...options });
  open.push(server);
  return server;
}

/** Runs the command against a target. Returns the output, the report and the log of the gateway. */
async function runAgainst(
  target: Target,
  ...flags: string[]
): Promise<FinishedCommand & { readonly report: Report; readonly requests: readonly string[] }> {
  const folder = createScratchFolder();
  writeFileSync(join(folder, 'conformance.yaml'), stringify(target.profile));
  requests = [];
  const finished = await runInProcess(['run', '--reporter', 'json', ...flags], { cwd: folder });
  const report: Report = finished.stdout === '' ? undefined : JSON.parse(finished.stdout);
  return { ...finished, report, requests };
}

beforeAll(async () => {
  const setup = faults.find(({ id }) => id === 'bad-key/deleted-works-on-the-model-list')?.setup();
  reference = await start();
  faulty = await start(setup);
  let asked = 0;
  unsteady = await start({
    decisions: (base) => ({
      // Every fourth balance request with a deleted key succeeds, as if one of four nodes had this fault.
      isKeyValid: (key, ctx) => {
        const chosen = key.role === 'deleted' && ctx.operation?.id === 'balance';
        return (chosen && ++asked % 4 === 0) || base.isKeyValid(key, ctx);
      },
    }),
  });
  flaky = await start({
    decisions: (base) => ({
      isKeyValid: (key, ctx) => {
        if (ctx.operation?.id === 'chat' && ctx.credential.header === 'x-api-key') throw new Error('down');
        return base.isKeyValid(key, ctx);
      },
    }),
  });
});
afterAll(() => Promise.all(open.map((target) => target.close())));

describe('--repeat', () => {
  const only = ['--only', 'auth/*operation=balance*key=deleted*'];
  test('finds intermittent failures, reports the failures as unstable, and exits with 1', async () => {
    expect((await runAgainst(unsteady, ...only)).code).toBe(0);
    const { code, report } = await runAgainst(unsteady, ...only, '--repeat', '4');
    const unstable = report.cases.filter((item) => item.unstable);
    expect(code).toBe(1);
    expect(report.rounds).toBe(4);
    expect(unstable).toHaveLength(1);
    expect(new Set(unstable[0]?.outcomes)).toEqual(new Set(['conforms', 'violates']));
    const [found] = unstable[0]?.checks.flatMap(({ findings }) => findings) ?? [];
    expect(unstable[0]?.exchanges.map(({ id }) => id)).toContain(found?.exchange);
    expect((await loadSchemas()).problems('report', report)).toEqual([]);
  });
  test('exits with 0 for a conforming gateway, and each case has three outcomes', async () => {
    const { code, report } = await runAgainst(reference, '--suite', 'models', '--repeat', '3');
    expect([code, report.verdict, report.rounds]).toEqual([0, 'conforms', 3]);
    expect(report.requests.sent).toBeGreaterThanOrEqual(report.requests.requests);
    expect(report.cases.every(({ outcomes }) => outcomes?.length === 3)).toBe(true);
  });
});

test('--repeat sends a burst once, after all other requests', async () => {
  const { code, report, requests: seen } = await runAgainst(reference, '--suite', 'billing', '--repeat', '2');
  const [burst] = report.cases.filter(({ id }) => id.startsWith('billing/burst/'));
  expect([code, burst?.outcome, burst?.outcomes]).toEqual([0, 'conforms', undefined]);
  // Other requests may also exceed the limit, and are then sent again.
  const lastOther = seen.findLastIndex((line) => !/ GET \S*usage\S* /.test(line));
  expect(seen.slice(lastOther + 1).filter((line) => / 429 /.test(line)).length).toBeGreaterThan(0);
});

describe('--bail', () => {
  test('stops at the first violation and exits with 1', async () => {
    const whole = await runAgainst(faulty, '--only', 'auth/rejected-key*');
    const bailed = await runAgainst(faulty, '--only', 'auth/rejected-key*', '--bail');
    expect([whole.code, bailed.code]).toEqual([1, 1]);
    expect(bailed.report.stopped?.kind).toBe('bail');
    expect(bailed.report.requests.sent).toBeLessThan(whole.report.requests.sent);
    expect(bailed.report.summary.cases.planned).toBe(whole.report.summary.cases.planned);
    expect(bailed.report.summary.cases.violates).toBeGreaterThan(0);
  });
  test('changes nothing without a violation', async () => {
    const { code, report } = await runAgainst(reference, '--bail', '--suite', 'models');
    expect([code, report.stopped]).toEqual([0, null]);
  });
});

describe('--max-time', () => {
  test('reports the results so far and exits with 3', async () => {
    const { code, report } = await runAgainst(reference, '--rate', '100/s', '--max-time', '1s');
    const { conforms, inconclusive } = report.summary.cases;
    expect([code, report.verdict, report.stopped?.kind]).toEqual([3, 'inconclusive', 'time']);
    expect(Math.min(conforms, inconclusive)).toBeGreaterThan(0);
    expect(report.durationMs).toBeLessThan(6_000);
  });
  test('exits with 1 if a violation was found in time', async () => {
    const { code } = await runAgainst(
      faulty,
      '--only',
      'auth/deleted-bearer-token',
      '--repeat',
      '1000',
      '--max-time',
      '2s',
    );
    expect(code).toBe(1);
  });
});

describe('--rate', () => {
  test('starts at most the given number of requests per second', async () => {
    const { code, report } = await runAgainst(reference, '--suite', 'balance', '--rate', '20/s');
    const started = [...report.cases.flatMap((item) => item.exchanges), ...report.others].length;
    expect(code).toBe(0);
    expect(report.durationMs).toBeGreaterThan(((started - 1) / 20) * 900);
  });
  test('sends no burst, which is not applicable', async () => {
    const { report } = await runAgainst(reference, '--suite', 'billing', '--rate', '1000/s');
    const [burst] = report.cases.filter(({ id }) => id.startsWith('billing/burst/'));
    expect(burst?.outcome).toBe('not-applicable');
    expect(burst?.checks[0]?.reason).toContain('limited request rate');
  });
});

describe('--shard', () => {
  test('judges a shard and reports its number', async () => {
    const { code, report } = await runAgainst(reference, '--shard', '2/4');
    expect(code).toBe(0);
    expect(report.shard).toMatchObject({ index: 2, of: 4 });
    expect(report.summary.cases.violates).toBe(0);
  });
});

describe('--dry-run', () => {
  test.each([
    ['all cases', []],
    ['generated cases', ['--fuzz', '100', '--seed', '3', '--suite', 'fuzz']],
  ])('of %s sends nothing, and prints rows whose numbers add up to the total', async (_, flags) => {
    const folder = createScratchFolder();
    writeFileSync(join(folder, 'conformance.yaml'), stringify(reference.profile));
    requests = [];
    const args = ['run', '--dry-run', '--reporter', 'json=plan.json', ...flags];
    const { code, stdout, stderr } = await runInProcess(args, { cwd: folder });
    expect(stderr).toContain('--dry-run sends nothing, so no report is written to a file.');
    const total = /^total +(\d+) +(\d+) +(\d+) +(\d+) +(\d+)$/m.exec(stdout)?.slice(1).map(Number) ?? [];
    expect(code).toBe(0);
    expect(requests).toEqual([]);
    const sum = (column: number): number =>
      [...stdout.matchAll(/^(?!total)[a-z ]+ {2,}(\d+) +(\d+) +(\d+) +(\d+) +(\d+)$/gm)].reduce(
        (all, row) => all + Number(row[column]),
        0,
      );
    expect(total.length).toBe(5);
    expect([1, 2, 3, 4, 5].map(sum)).toEqual(total);
  });
});

describe('--max-billable', () => {
  test('that does not allow the controls is refused, and nothing is sent', async () => {
    const {
      code,
      stderr,
      requests: seen,
    } = await runAgainst(reference, '--max-billable', '3').catch((error) => error);
    expect(code).toBe(2);
    expect(stderr).toContain('the limit of 3');
    expect(seen).toEqual([]);
  });
  test('sends the cases that cover the most, and counts the other cases as not applicable', async () => {
    const { code, report } = await runAgainst(reference, '--max-billable', '40');
    expect([code, report.stopped, report.requests.billable]).toEqual([0, null, 40]);
    expect(report.requests.billed).toBeLessThanOrEqual(40);
    // Without the limit, all cases and pairs apply to this gateway. It sends no status of which a requirement is only a
    // recommendation.
    const undecided = report.requirements.filter(
      ({ id, outcome }) => outcome !== 'conforms' && !id.includes('other-statuses'),
    );
    expect(undecided.map(({ id }) => id)).toEqual([]);
    const { planned, conforms, notApplicable } = report.summary.cases;
    expect(notApplicable).toBeGreaterThan(0);
    expect(conforms + notApplicable).toBe(planned);
    const pairs = report.coverage?.pairs ?? { total: 0, judged: 0, notApplicable: 0, notChosen: 0 };
    expect(pairs.notApplicable).toBeGreaterThan(0);
    expect(pairs.judged + pairs.notApplicable + pairs.notChosen).toBe(pairs.total);
  });
  test('allows a run with as many calls as planned', async () => {
    const { billable } = (await runAgainst(reference, '--suite', 'models')).report.requests;
    const { code, report } = await runAgainst(
      reference,
      '--suite',
      'models',
      '--max-billable',
      String(billable),
    );
    expect([code, report.stopped]).toEqual([0, null]);
  });
  test('makes no more billed calls than the limit, and exits with a code other than 0', async () => {
    const only = ['--only', 'auth/good-key'];
    const { billable, billed } = (await runAgainst(reference, ...only)).report.requests;
    expect(billed).toBe(billable);
    // A header that fails is retried together with controls that succeed, which may be billed.
    const { code, report } = await runAgainst(flaky, ...only, '--max-billable', String(billable));
    expect(report.requests.billed).toBeLessThanOrEqual(billable);
    expect(code).not.toBe(0);
  });
  test('still judges all credentials if the gateway accepts invalid bodies', async () => {
    const ids = ['chat-body/role-optional', 'chat-body/content-as-number', 'request-body/markup-taken'];
    const setups = faults.filter(({ id }) => ids.includes(id)).map(({ setup }) => setup());
    const lenient = await start(combineSetups(setups));
    const only = [
      '--only',
      'auth/*operation=chat*',
      '--only',
      'requests/*operation=chat*',
      '--safe',
      '--rate',
      '1000/s',
    ];
    const { billable } = (await runAgainst(reference, ...only)).report.requests;
    const { report } = await runAgainst(lenient, ...only, '--max-billable', String(billable));
    expect(report.requests.billed).toBeLessThanOrEqual(billable + 3);
    const ofAuth = report.cases.filter(({ suite }) => suite === 'auth');
    expect(ofAuth.filter(({ outcome }) => outcome === 'inconclusive').map(({ id }) => id)).toEqual([]);
    expect(report.verdict).toBe('violates');
  });
});

describe('--safe', () => {
  test('makes no billed calls except the controls, and sends no burst and few wrong keys', async () => {
    const { code, report } = await runAgainst(reference, '--safe', '--rate', '1000/s');
    const success = ({ response }: Report['others'][number]): boolean => response?.status === 200;
    const calls = report.cases
      .filter(
        ({ attributes }) =>
          attributes.surface === 'model' && attributes.key === 'good' && attributes.header !== 'none',
      )
      .flatMap(({ id, exchanges }) => exchanges.filter(success).map(() => id));
    expect(code).toBe(0);
    expect(calls.every((id) => /^(auth|streams)\/good/.test(id))).toBe(true);
    expect(report.requests.badKeys).toBeLessThan(15);
    expect(
      report.cases.some(
        ({ attributes, outcome }) => attributes.burst === 'true' && outcome !== 'not-applicable',
      ),
    ).toBe(false);
  });
});
