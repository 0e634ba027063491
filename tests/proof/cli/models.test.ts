import { beforeAll, describe, expect, test } from 'vitest';
import { packageInfo } from '../../../common/package-info.ts';
import { createReferenceGateway } from '../../../reference-server/create-reference-gateway.ts';
import type { ReferenceServerOptions } from '../../../reference-server/create-reference-server.ts';
import { faults } from '../../../reference-server/index.ts';
import { type Catalog, catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import { compareReports } from '../../../runner/compare/compare-reports.ts';
import type { Result, WireRequest } from '../../../runner/exchange/exchange.ts';
import { defaultRetryPolicy } from '../../../runner/exchange/retry-policy.ts';
import { chooseExitCode } from '../../../runner/gate/exit-code.ts';
import { createEverythingProfile } from '../../../runner/profile/everything-profile.ts';
import { UsageError } from '../../../runner/profile/profile.ts';
import { createPromise } from '../../../runner/profile/promise.ts';
import { parseProfile } from '../../../runner/profile/read-profile.ts';
import { mergeReports } from '../../../runner/report/merge/merge-reports.ts';
import type { ModelReport, Report } from '../../../runner/report/report.ts';
import { joinReportText } from '../../../runner/reporters/reporter.ts';
import { reporters } from '../../../runner/reporters/reporters.ts';
import type { EngineOptions } from '../../../runner/run/options.ts';
import { runSuite } from '../../../runner/run/run.ts';
import type { Transport } from '../../../runner/send/http.ts';
import { createView } from '../../../runner/view/view.ts';
import { createInProcessTransport } from '../../support/gateways/in-process.ts';
import { fleetOf, gatewayOf } from '../../support/gateways/model-fleet.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await catalogOfPackage();
});

// A gateway in this process recovers immediately or never.
const retryPolicy = { ...defaultRetryPolicy, firstPauseMs: 2 };
const style = { colour: false, verbose: false, width: 100 };
const lenient = { strict: false, strictShould: false };
/** A selection with few cases for each model. */
const few = {
  suites: [],
  only: ['requests/chat-body-values/operation=chat/problem=message*', 'streams/good-call'],
};

/** Returns a result that replaces the response of the gateway, or undefined to call the gateway. */
type Respond = (request: WireRequest) => Result | undefined;

/** Returns the report of a run against a new gateway in this process, after a conversion to JSON and back. */
async function judge(
  options: ReferenceServerOptions,
  asked: EngineOptions,
  respond: Respond = () => undefined,
): Promise<Report> {
  const { gateway, profileAt } = createReferenceGateway(options);
  const { baseUrl, keys, ...rest } = profileAt('http://127.0.0.1');
  const inner = createInProcessTransport(gateway);
  const transport: Transport = {
    ...inner,
    send: async (request, how) => respond(request) ?? inner.send(request, how),
  };
  const report = await runSuite(createPromise(catalog, parseProfile({ baseUrl, keys, ...rest }, catalog)), {
    retryPolicy,
    transport,
    ...asked,
  });
  return JSON.parse(JSON.stringify(report));
}

const itemsOf = (report: Report): readonly ModelReport[] => report.models?.items ?? [];
const ofModels = (report: Report) => report.cases.filter(({ model }) => model !== undefined);

/** Expects every count to be the sum of its parts, and the report to be valid under its schema. */
function expectConsistent(report: Report): void {
  const all = [
    report.summary.cases,
    report.summary.requirements,
    ...itemsOf(report).map(({ cases }) => cases),
    ...(report.models?.requirements ?? []).map(({ models }) => models),
  ];
  for (const { planned, ...parts } of all)
    expect(Object.values(parts).reduce((sum, count) => sum + count, 0)).toBe(planned);
  const own = report.cases.filter(({ model }) => model === undefined).length;
  expect(itemsOf(report).reduce((sum, { cases }) => sum + cases.planned, own)).toBe(
    report.summary.cases.planned,
  );
  expect(catalog.schemas.problems('report', report)).toEqual([]);
}

test('leaves out an entry of the model list that is a pattern', async () => {
  const pattern = { id: 'gpt*', protocols: ['chat'], images: true } as const;
  const report = await judge(gatewayOf([pattern, ...fleetOf(2)]), {
    models: ['gpt*', 'claude-2'],
    ...few,
  });
  expect(itemsOf(report).map(({ id }) => id)).toEqual(expect.arrayContaining(['gpt-1', 'claude-2']));
  expect(itemsOf(report).map(({ id }) => id)).not.toContain('gpt*');
});

describe('a run of 40 models, three with a defect,', () => {
  const defects: Readonly<Record<string, string>> = {
    'gpt-4': 'chat-body/validation-500',
    'claude-17': 'trace/header-missing',
    'gemini-30': 'chat-body/role-optional',
  };
  let report: Report;
  beforeAll(async () => {
    report = await judge(gatewayOf(fleetOf(40), defects), { models: ['gpt-*', 'claude-*', 'gemini-*'] });
  }, 60_000);

  test('has consistent counts', () => {
    expectConsistent(report);
    expect(report.models?.requirements.length).toBeGreaterThan(30);
  });

  test('finds exactly the models with a defect', () => {
    const broken = itemsOf(report).filter((item) => item.broken.length > 0);
    expect(broken.map(({ id }) => id)).toEqual(Object.keys(defects));
    for (const item of broken) {
      const { violates } = faults.find(({ id }) => id === defects[item.id]) ?? { violates: [] };
      expect(violates).toEqual(expect.arrayContaining(item.broken.map(({ requirement }) => requirement)));
    }
    expect(
      report.cases.filter(({ model, outcome }) => model === undefined && outcome === 'violates'),
    ).toEqual([]);
    expect(chooseExitCode(report, lenient)).toBe(1);
  });

  test('has evidence for each violation, and only counts for conforming models', () => {
    for (const { id, broken } of itemsOf(report)) {
      for (const { requirement } of broken) {
        const shown = ofModels(report).filter(
          ({ model, checks, exchanges }) =>
            model === id && exchanges.length > 0 && checks.some((one) => one.requirement === requirement),
        );
        expect(shown.length).toBeGreaterThan(0);
        for (const item of shown) expect(item.id).toMatch(new RegExp(`/model-id=${id}$`));
      }
    }
    expect(ofModels(report).filter(({ outcome }) => outcome === 'conforms')).toEqual([]);
  });

  test('has one test for each model in JUnit and TAP', async () => {
    const [junit, tap] = [
      (await reporters.junit())(createView(report)),
      (await reporters.tap())(createView(report)),
    ];
    const checked = report.cases.flatMap(({ model, checks }) =>
      model === undefined ? checks.map(({ requirement }) => requirement) : [],
    );
    const own = new Set(checked).size;
    expect(junit.match(/<testcase /g)).toHaveLength(own + itemsOf(report).length);
    expect(tap).toContain(`1..${own + itemsOf(report).length}\n`);
    expect(tap.match(/^not ok .*listed-models/gm)).toHaveLength(3);
  });

  test.each(['terminal', 'markdown', 'html', 'github'] as const)(
    'names the failed models in the %s report',
    async (name) => {
      const text = joinReportText((await reporters[name]())(createView(report), style));
      for (const id of Object.keys(defects)) expect(text).toContain(id);
    },
  );
});

describe('a run with --models sends', () => {
  test('only the model list if a pattern matches nothing, and suggests the nearest name', async () => {
    const paths: string[] = [];
    const asked = judge(gatewayOf(fleetOf(3)), { models: ['gpt-1', 'claud-2'] }, ({ path }) => {
      paths.push(path);
      return undefined;
    });
    await expect(asked).rejects.toThrow(
      new UsageError('No model of the model list matches "claud-2". Did you mean "claude-2"?'),
    );
    expect(paths).toEqual(['/v1/models']);
  });

  test('only the model list if more requests may be billed than allowed', async () => {
    const paths: string[] = [];
    const options = { ...few, models: ['gpt-*'], maxBillable: 30 };
    await expect(judge(gatewayOf(fleetOf(30)), options, ({ path }) => void paths.push(path))).rejects.toThrow(
      /would make \d+ calls that may be billed, including \d+ for 14 models/,
    );
    expect(paths).toEqual(['/v1/models']);
  });

  test('the estimated requests, with one accepted header', async () => {
    const headers = new Set<string>();
    let planned = 0;
    let sent = 0;
    await judge(
      gatewayOf(fleetOf(2)),
      {
        ...few,
        models: ['gpt-1'],
        onEvent: (event) => {
          if (event.kind === 'planned') planned = event.estimate.requests;
        },
      },
      (request) => {
        sent += 1;
        const ofModel = request.body?.includes('"gpt-1"');
        if (ofModel) headers.add(request.headers['x-api-key'] === undefined ? 'bearer' : 'x-api-key');
        return undefined;
      },
    );
    expect(sent).toBe(planned);
    expect([...headers]).toEqual(['bearer']);
  });

  test('only the controls of the model list if the list cannot be read', async () => {
    const sent: WireRequest[] = [];
    const failing: Respond = (request) => {
      sent.push(request);
      return { kind: 'failure', failure: { reason: 'refused', detail: 'the gateway is down' } };
    };
    const selection = { only: [...few.only, 'auth/rejected-key/operation=models/*'] };
    await judge(gatewayOf(fleetOf(1)), { ...selection, models: ['all'] }, failing);
    const lists = sent.filter(({ method, path }) => method === 'GET' && path === '/v1/models');
    expect(new Set(lists.map(({ headers }) => headers.authorization ?? headers['x-api-key'])).size).toBe(2);
    expect(sent.filter(({ method }) => method === 'PATCH')).toEqual([]);
  });

  test('only the case whose ID is given together with a model', async () => {
    const id = 'requests/chat-body-values/operation=chat/problem=messages-zero/model-id=gpt-4';
    const report = await judge(gatewayOf(fleetOf(4)), {
      models: ['all'],
      only: [id],
    });
    expectConsistent(report);
    expect(report.summary.cases).toMatchObject({ planned: 1, conforms: 1 });
    expect(itemsOf(report).find((item) => item.id === 'gpt-4')?.cases.conforms).toBe(1);
    await expect(judge({}, { only: [id] })).rejects.toThrow(/--models/);
  });

  test('the cases of the model in a pattern, which other models with the same operations lack', async () => {
    let cases: number | undefined;
    const report = await judge(gatewayOf(fleetOf(4)), {
      models: ['gpt-*'],
      only: ['requests/chat-body-values/*/model-id=gpt-4'],
      onEvent: (event) => {
        if (event.kind === 'planned') cases = event.models?.cases;
      },
    });
    const planned = itemsOf(report).filter((item) => item.cases.planned > 0);
    expect(planned.map(({ id }) => id)).toEqual(['gpt-4']);
    expect(cases).toBe(planned[0]?.cases.planned);
  });

  test('fewer requests if stopped, but counts all cases', async () => {
    let sent = 0;
    const stop = new AbortController();
    const report = await judge(
      gatewayOf(fleetOf(20)),
      { ...few, models: ['gpt-*', 'claude-*'], signal: stop.signal },
      ({ body }) => {
        if (body?.includes('claude-')) sent += 1;
        if (sent === 10) stop.abort();
        return undefined;
      },
    );
    expectConsistent(report);
    expect(report.stopped?.kind).toBe('interrupted');
    expect(itemsOf(report)).toHaveLength(22);
    expect(report.summary.cases.inconclusive).toBeGreaterThan(22);
    expect(chooseExitCode(report, lenient)).toBe(130);
  });
});

describe('a run of many models', () => {
  const body = { suites: [], only: ['requests/chat-body/operation=chat/place=messages'] };
  const calls =
    (seen: string[]): Respond =>
    ({ body }) => {
      seen.push(...(/"model":"((?:gpt|claude)-\d+)"/.exec(body ?? '')?.slice(1) ?? []));
      return undefined;
    };

  test('stops at the first violation with --bail', async () => {
    const seen: string[] = [];
    const report = await judge(
      gatewayOf(fleetOf(20), { 'gpt-4': 'chat-body/messages-missing-422' }),
      { ...body, models: ['gpt-*', 'claude-*'], stopAfter: ({ outcome }) => outcome === 'violates' },
      calls(seen),
    );
    expectConsistent(report);
    expect(report.stopped?.kind).toBe('bail');
    expect(seen).toContain('gpt-4');
    expect(seen).not.toContain('claude-20');
  });

  test('stops after --max-time with the results so far', async () => {
    const report = await judge(gatewayOf(fleetOf(20)), {
      ...few,
      models: ['gpt-*', 'claude-*'],
      perSecond: 50,
      maxMs: 1_000,
    });
    expectConsistent(report);
    expect(report.stopped?.kind).toBe('time');
    expect(chooseExitCode(report, lenient)).toBe(3);
  });

  test('makes no billed calls except the controls with --safe', async () => {
    const billed: string[] = [];
    const report = await judge(gatewayOf(fleetOf(6)), {
      models: ['gpt-*', 'claude-*'],
      safe: true,
      concurrency: 8,
      perSecond: 1_000,
      onEvent: (event) => {
        if (event.kind !== 'exchange') return;
        const { id, model = '', response } = event.describe();
        if (/-\d$/.test(model) && response?.status === 200) billed.push(id);
      },
    });
    expectConsistent(report);
    expect(billed.length).toBeGreaterThan(itemsOf(report).length);
    expect(billed.filter((id) => !/^(auth|streams)\/good/.test(id))).toEqual([]);
  });
});

describe('a model', () => {
  const body = { error: { message: 'no', type: 'model_not_available', code: 400, details: null } };
  const respondTo =
    (model: string, status: number): Respond =>
    (request) =>
      request.body?.includes(`"${model}"`)
        ? {
            kind: 'answer',
            answer: {
              status,
              headers: {},
              text: JSON.stringify(body),
              size: 1,
              content: { kind: 'json', value: body },
              pieces: 1,
            },
          }
        : undefined;

  test.each([
    [400, 'notApplicable', 0],
    [403, 'notApplicable', 0],
    [401, 'inconclusive', 3],
    [502, 'inconclusive', 3],
  ] as const)('that responds with %i to valid calls is %s', async (status, outcome, code) => {
    const options = { ...few, models: ['gpt-1', 'claude-2'] };
    const report = await judge(gatewayOf(fleetOf(2)), options, respondTo('gpt-1', status));
    expectConsistent(report);
    const [gpt, claude] = itemsOf(report);
    expect(gpt?.cases[outcome]).toBe(gpt?.cases.planned);
    expect(claude?.cases.conforms).toBe(claude?.cases.planned);
    expect(chooseExitCode(report, lenient)).toBe(code);
  });

  test('that no operation accepts is not suggested if the profile already names the model', async () => {
    const options = { ...few, models: ['gpt-1'] };
    const report = await judge(gatewayOf(fleetOf(1)), options, respondTo('gpt-1', 400));
    const refused = report.models?.notJudged.filter(({ reason }) => /returned 400/.test(reason)) ?? [];
    expect(refused.map(({ reason, add }) => [/calls to (\w+)/.exec(reason)?.[1], add])).toEqual([
      ['chat', undefined],
      ['responses', undefined],
    ]);
  });

  test('of the profile keeps its plain cases and is not tested twice', async () => {
    const report = await judge({}, { ...few, models: ['gpt-reference'] });
    expect(itemsOf(report)).toMatchObject([
      { id: 'gpt-reference', operations: [], own: ['chat', 'responses'], cases: { planned: 0 } },
    ]);
  });

  test('has an outcome in each round', async () => {
    const report = await judge(gatewayOf(fleetOf(4), { 'gpt-4': 'chat-body/validation-500' }), {
      models: ['gpt-*'],
      repeat: 2,
      only: ['requests/chat-body/operation=chat/place=messages'],
    });
    expectConsistent(report);
    expect(new Set(ofModels(report).map(({ outcomes }) => outcomes?.join()))).toEqual(
      new Set(['violates,violates']),
    );
  });
});

test('an unreadable model list is reported, and the run is inconclusive', async () => {
  const report = await judge({}, { ...few, models: ['all'] }, ({ path }) =>
    path === '/v1/models' ? { kind: 'failure', failure: { reason: 'tls', detail: 'no' } } : undefined,
  );
  expect(report.models).toMatchObject({ items: [], unread: 'The model list cannot be read: no.' });
  expect(chooseExitCode(report, lenient)).toBe(3);
});

test('shards divide the models, and their merged report is equal to the report of an undivided run', async () => {
  const options = gatewayOf(fleetOf(9), { 'claude-5': 'trace/header-missing' });
  const asked = { models: ['gpt-*', 'claude-*'], ...few };
  const whole = await judge(options, asked);
  const parts = await Promise.all(
    [1, 2].map(async (index) => ({
      file: `${index}.json`,
      report: await judge(options, { ...asked, ...few, shard: { index, of: 2 } }),
    })),
  );
  const merged = mergeReports(parts, {
    tool: packageInfo,
    promise: createPromise(catalog, createEverythingProfile(catalog)),
  });
  expectConsistent(merged);
  expect(merged.models).toEqual(whole.models);
  expect(merged.summary).toEqual(whole.summary);
  expect(ofModels(merged).map(({ id }) => id)).toEqual(ofModels(whole).map(({ id }) => id));
});

test('diff lists the models that violate a requirement in only one of two reports', async () => {
  const selection = { only: ['requests/chat-body/operation=chat/place=messages'] };
  const asked = { models: ['gpt-*'], ...selection };
  const good = await judge(gatewayOf(fleetOf(4)), asked);
  const bad = await judge(gatewayOf(fleetOf(4), { 'gpt-4': 'chat-body/messages-missing-422' }), asked);
  const changes = (was: Report, is: Report) =>
    compareReports(
      [
        { target: 'before', report: was },
        { target: 'now', report: is },
      ],
      'changes',
    ).differing.map(({ change, id, cases }) => ({ change, requirement: id, cases }));
  const [requirement, cases] = ['chat/messages-missing', ['*/model-id=gpt-4']];
  expect(changes(good, bad)).toEqual([{ change: 'newly-violated', requirement, cases }]);
  expect(changes(bad, good)).toEqual([{ change: 'fixed', requirement, cases }]);
  expect(changes(bad, bad)).toEqual([]);
});
