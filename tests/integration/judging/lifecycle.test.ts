import { expect, onTestFinished, test } from 'vitest';
import {
  createReferenceServer,
  faults,
  type PartialProfile,
  type ReferenceServer,
} from '../../../reference-server/index.ts';
import { catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import { run, runEvents, toPromise } from '../../../runner/library.ts';
import type { StatedProfile } from '../../../runner/profile/profile.ts';
import type { Report } from '../../../runner/report/report.ts';
import { runSuite } from '../../../runner/run/run.ts';
import type { ChangeGateway } from '../../../runner/send/change-gateway.ts';

async function start(fault?: string): Promise<ReferenceServer<PartialProfile>> {
  const setup = faults.find(({ id }) => id === fault)?.setup();
  const server = await createReferenceServer({ ...setup, console: true });
  onTestFinished(() => server.close());
  return server;
}

const suites = ['lifecycle'];

const outcomesOf = ({ cases }: Report): string[] => [
  ...new Set(cases.flatMap(({ checks }) => checks.map(({ outcome }) => outcome))),
];

test('after a conforming gateway passed over HTTP, all created keys are deleted, and the account has a balance', async () => {
  const server = await start();
  const report = await run(server.profile, { suites });
  expect(outcomesOf(report)).toEqual(['conforms']);
  const { schemas } = await catalogOfPackage();
  expect(schemas.problems('report', JSON.parse(JSON.stringify(report)))).toEqual([]);
  const created = server.keys.list().filter(({ name }) => name === 'conformance');
  expect(created.length).toBeGreaterThan(30);
  expect(created.filter(({ deleted }) => !deleted)).toEqual([]);
  expect(server.accounts.list().find(({ id }) => id === 'acme')?.balance).toBeGreaterThan(900_000);
});

const ofKeys = ['lifecycle/deleted-key', 'lifecycle/other-key'];
const keyFaults = faults.filter(
  ({ id, violates }) =>
    id.startsWith('lifecycle/') && ofKeys.some((requirement) => violates.includes(requirement)),
);
// The proof of all faults tests these faults without connections.
test.each(
  keyFaults.map(({ id, violates }) => [id, ofKeys.filter((requirement) => violates.includes(requirement))]),
)('%s is found over HTTP', async (fault, expected) => {
  const server = await start(String(fault));
  const { requirements } = await run(server.profile, { suites });
  const violated = requirements.filter(({ outcome }) => outcome === 'violates').map(({ id }) => id);
  expect(violated.filter((id) => ofKeys.includes(id))).toEqual(expected);
});

test.each<[string, (profile: StatedProfile) => StatedProfile['setup'], string]>([
  ['is missing', () => undefined, 'The profile does not state how to change keys or balances.'],
  [
    'runs commands that are not allowed',
    () => ({ createKey: { command: ['false'] }, deleteKey: { command: ['false'] } }),
    'The commands of `setup` run only with --allow-setup.',
  ],
])('if `setup` %s, the lifecycle cases are not applicable, with the reason', async (_, change, reason) => {
  const server = await start();
  const { setup: _setup, ...profile } = server.profile;
  const setup = change(profile);
  const report = await run({ ...profile, ...(setup && { setup }) }, { suites });
  expect(outcomesOf(report)).toEqual(['not-applicable']);
  expect(JSON.stringify(report.cases)).toContain(reason);
});

test('a setup that fails leaves the lifecycle cases inconclusive, with the reason and without a key', async () => {
  const server = await start();
  const setup = { ...server.profile.setup, deleteKey: { request: 'DELETE /console/api/none/{id}' } };
  const report = await run({ ...server.profile, setup }, { only: ['lifecycle/deleted-key'] });
  expect(outcomesOf(report)).toEqual(['inconclusive']);
  const text = JSON.stringify(report);
  expect(text).toMatch(/The request of setup\.deleteKey got 404: DELETE \/console\/api\/none\/[\w-]{36}/);
  expect(text).toContain('{{keys.created}}');
  expect(text).not.toMatch(/sk-[\w-]{32}/);
});

test('a safe run creates no key', async () => {
  const server = await start();
  await run(server.profile, { suites, safe: true });
  expect(server.keys.list()).toHaveLength(4);
});

test('a key that never works is waited for once', async () => {
  const server = await start();
  const setup = {
    ...server.profile.setup,
    createKey: { request: 'POST /console/api/keys', body: { name: 'x' }, values: { key: '/id', id: '/id' } },
  };
  const report = await run({ ...server.profile, setup }, { suites });
  expect(outcomesOf(report)).toEqual(['inconclusive']);
  expect(JSON.stringify(report)).toContain('The created key was not accepted (401).');
  const [tries, cases] = [20, report.cases.length];
  const refused = server.requests().filter(({ status }) => status === 401);
  expect(refused.length).toBeLessThan(tries + cases + 1);
});

test('a 503 does not show that a drain took effect', async () => {
  const server = await start();
  const catalog = await catalogOfPackage();
  const change: ChangeGateway = async (action, values) => {
    if (action === 'createKey') {
      const { id, value } = server.keys.create({ account: 'acme' });
      return { key: value, id };
    }
    if (action === 'deleteKey') server.keys.delete(values?.id ?? '');
    if (action === 'topUp') server.accounts.topUp('acme', 1_000_000);
    if (action === 'drain') server.accounts.drain('acme');
    if (action === 'drain')
      server.rules([
        { match: { operation: 'chat', times: 4 }, change: { answer: { status: 503, json: {} } } },
      ]);
    return values;
  };
  const report = await runSuite(toPromise(server.profile, catalog), {
    only: ['lifecycle/topped-up-account/operation=chat'],
    change,
  });
  expect(outcomesOf(report)).toEqual(['conforms']);
});

test('a run that is stopped deletes its key and tops the account up', async () => {
  const server = await start();
  const stop = new AbortController();
  const seen = runEvents(server.profile, {
    only: ['lifecycle/topped-up-account/*'],
    signal: stop.signal,
  });
  for await (const event of seen)
    if (event.kind === 'exchange' && event.exchange.response?.status === 400) stop.abort();
  const created = server.keys.list().filter(({ name }) => name === 'conformance');
  expect(created.filter(({ deleted }) => !deleted)).toEqual([]);
  expect(created.length).toBeGreaterThan(0);
  expect(server.accounts.list().find(({ id }) => id === 'acme')?.balance).toBeGreaterThan(0);
});

test('a change that a run cannot undo is reported, and no further key is created', async () => {
  const server = await start();
  const setup = { ...server.profile.setup, deleteKey: { request: 'DELETE /console/api/none/{id}' } };
  const only = ['lifecycle/topped-up-account/operation=chat'];
  const report = await run({ ...server.profile, setup }, { only });
  expect(report.cases.map(({ outcome }) => outcome)).toEqual(['conforms', 'inconclusive']);
  const left = report.diagnosis.filter(({ kind }) => kind === 'left-changed');
  expect(left).toHaveLength(1);
  expect(left[0]?.message).toContain('The request of setup.deleteKey got 404: DELETE /console/api/none/');
  expect(server.keys.list().filter(({ name }) => name === 'conformance')).toHaveLength(1);
});

test('a top-up proves nothing if the drained account could still call', async () => {
  const server = await start();
  const setup = { ...server.profile.setup, drain: { request: 'GET /console/api/accounts' } };
  const catalog = await catalogOfPackage();
  const { requirements } = await runSuite(toPromise({ ...server.profile, setup }, catalog), {
    only: ['lifecycle/topped-up-account/operation=chat'],
    latePausesMs: [10],
  });
  expect(requirements.filter(({ id }) => id === 'balance/family-a').map(({ outcome }) => outcome)).toEqual([
    'violates',
  ]);
  const outcomeOf = (id: string) => requirements.find((requirement) => requirement.id === id)?.outcome;
  expect(outcomeOf('lifecycle/drained-account')).toBe('warns');
  expect(outcomeOf('lifecycle/topped-up-account')).toBe('inconclusive');
});

test('a top-up that never takes effect gets a warning, and is not reported as a defect of `setup`', async () => {
  const server = await start();
  const catalog = await catalogOfPackage();
  const account = 'other';
  const change: ChangeGateway = async (action, values) => {
    if (action === 'createKey') {
      const { id, value } = server.keys.create({ account });
      return { key: value, id };
    }
    if (action === 'deleteKey') server.keys.delete(values?.id ?? '');
    if (action === 'drain') server.accounts.drain(account);
    return values;
  };
  const report = await runSuite(toPromise(server.profile, catalog), {
    only: ['chat', 'responses'].map((id) => `lifecycle/topped-up-account/operation=${id}`),
    change,
    latePausesMs: [10],
  });
  const outcomeOf = (id: string) => report.requirements.find((requirement) => requirement.id === id)?.outcome;
  expect(outcomeOf('lifecycle/topped-up-account')).toBe('warns');
  expect(report.requirements.filter(({ outcome }) => outcome === 'violates')).toEqual([]);
  const text = JSON.stringify(report);
  expect(text).not.toContain('Check `setup.createKey` in the profile.');
  expect(text).toContain('See the requirement lifecycle/topped-up-account.');
});

test('a created key whose value is unknown is reported, and no further key is created', async () => {
  const server = await start();
  const setup = {
    ...server.profile.setup,
    createKey: { request: 'POST /console/api/keys', body: { name: 'x' }, values: { key: '/none' } },
  };
  const report = await run({ ...server.profile, setup }, { suites });
  expect(outcomesOf(report)).toEqual(['inconclusive']);
  expect(report.diagnosis.map(({ message }) => message).join()).toContain('may have created a key');
  expect(server.keys.list().filter(({ name }) => name === 'x')).toHaveLength(1);
});

test('a key of the profile that `createKey` returns is not deleted', async () => {
  const server = await start();
  const catalog = await catalogOfPackage();
  const actions: string[] = [];
  const change: ChangeGateway = async (action) => {
    actions.push(action);
    return { key: server.profile.keys.valid ?? '' };
  };
  const report = await runSuite(toPromise(server.profile, catalog), {
    suites,
    change,
  });
  expect(outcomesOf(report)).toEqual(['inconclusive']);
  expect(JSON.stringify(report)).toContain('setup.createKey returned a key of the profile');
  expect(actions).toEqual(['createKey']);
});
