import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../reference-server/index.ts';
import { DataFileError, type RunEvent, run, runEvents, UsageError } from '../../../runner/index.ts';

let server: ReferenceServer;
let requests = 0;
beforeAll(async () => {
  server = await createReferenceServer({ log: () => (requests += 1) });
});
afterAll(() => server.close());

function events(suites: readonly string[]): AsyncGenerator<RunEvent, void> {
  return runEvents(server.profile, { suites });
}

test('a run requires only a profile', async () => {
  const { verdict, summary } = await run(server.profile);
  expect([verdict, summary.cases.planned]).toEqual(['conforms', summary.cases.conforms]);
});

test('runEvents yields the plan first, each exchange and case at its end, and the report last', async () => {
  const seen: RunEvent[] = [];
  for await (const event of events(['models', 'streams'])) seen.push(event);
  const [first, last] = [seen[0], seen.at(-1)];
  if (first?.kind !== 'planned' || last?.kind !== 'report')
    throw new Error('The events are in the wrong order.');
  const { report } = last;
  expect(report.cases.map(({ id }) => id).filter((id) => !first.cases.includes(id))).toEqual([]);
  const exchanges = seen.flatMap((event) => (event.kind === 'exchange' ? [event] : []));
  expect(exchanges.at(-1)?.sent).toBe(report.requests.sent);
  expect(JSON.stringify(exchanges)).not.toContain(server.profile.keys.valid);
  const cases = new Map(seen.flatMap((event) => (event.kind === 'case' ? [[event.id, event.outcome]] : [])));
  expect([...cases.keys()].filter((id) => !first.cases.includes(id))).toEqual([]);
  expect(report.cases.map(({ id, outcome }) => [id, outcome])).toEqual(
    report.cases.map(({ id }) => [id, cases.get(id)]),
  );
});

const openSockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap');

test('leaving the loop early ends the run and closes its connections', async () => {
  for await (const event of events([])) if (event.kind === 'exchange') break;
  // The server in this process closes its side of a connection a little later. An idle connection that was not closed
  // would stay open for longer than this timeout.
  await expect.poll(openSockets, { timeout: 3_000 }).toEqual([]);
  const soon = requests;
  await sleep(300);
  expect(requests).toBe(soon);
});

test('a run waits no longer than the time of the rate limit, also after the burst of an earlier run', async () => {
  for (const _ of ['first', 'second']) {
    for await (const event of events(['billing'])) {
      if (event.kind === 'wait') expect(event.wait.milliseconds).toBeLessThan(3_000);
      if (event.kind === 'report') expect(event.report.verdict).toBe('conforms');
    }
  }
});

test('runEvents yields the reasons for waiting', async () => {
  const gateway = await createReferenceServer({
    rules: [{ match: { times: 1 }, change: { refuse: 'too-frequent' } }],
  });
  try {
    const selection = { only: ['auth/no-key/operation=chat'] };
    const waits: RunEvent[] = [];
    for await (const event of runEvents(gateway.profile, { ...selection, perSecond: 50 }))
      if (event.kind === 'wait') waits.push(event);
    const milliseconds: unknown = expect.any(Number);
    expect(waits).toContainEqual({
      kind: 'wait',
      wait: { cause: 'limited', status: 429, isStated: true, milliseconds },
    });
    expect(waits).toContainEqual({ kind: 'wait', wait: { cause: 'rate', perSecond: 50, milliseconds } });
  } finally {
    await gateway.close();
  }
});

test('runEvents sends and throws nothing before the iteration, and an error rejects its first step', async () => {
  const before = requests;
  const unused = runEvents(server.profile);
  const invalid = runEvents('no-such-profile.yaml');
  await expect(invalid.next()).rejects.toThrow(DataFileError);
  await expect(invalid.next()).resolves.toEqual({ done: true, value: undefined });
  await expect(runEvents(server.profile, { repeat: 0 }).next()).rejects.toThrow(UsageError);
  await unused.return();
  expect(requests).toBe(before);
});

test('an invalid selection rejects the first step', async () => {
  await expect(events(['no-such-suite']).next()).rejects.toThrow(UsageError);
});
