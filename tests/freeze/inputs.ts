import { join } from 'node:path';
import { isIn, type Part, writeValue } from './files.ts';
import {
  addRarities,
  checkExchanges,
  checkRecording,
  type PlainExchange,
  type PlainOptions,
  type PlainReport,
  type PlainRequest,
  type PlainResponse,
  recordings,
  run,
  setups,
} from './project.ts';
import { createSeeding, openAtStart, type Script, type ScriptEvent, textOf } from './script.ts';
import { advanceTo, passedTime, startOfTime } from './virtual.ts';

/** The frozen exchanges of one run of the suite. */
export type FrozenRun = {
  readonly name: string;
  readonly profile: object;
  readonly options: PlainOptions;
  readonly changes: readonly Readonly<Record<string, string>>[];
  /** For each request, the indexes of the request and of its response in `FrozenRuns`. */
  readonly exchanges: readonly (readonly [request: number, response: number])[];
};

export type FrozenRuns = {
  readonly requests: readonly PlainRequest[];
  readonly responses: readonly PlainResponse[];
  readonly runs: readonly FrozenRun[];
};

/** The requests to replay on each setup. A setup with a profile of its own also has a script of its own. */
export type Scripts = {
  readonly common: Script;
  readonly extra: Script;
  readonly own: Readonly<Record<string, Script>>;
};

/** The reports to view, by name. */
export type FrozenReports = Readonly<Record<string, PlainReport>>;

const conforming = 'conforming';
const faultsInSample = 60;
const variantsInSample = 30;
/** The setups of the sample whose reports are viewed: one in so many. */
const viewedEvery = 9;

/** Runs in addition to those of the sample, with the options that change the shape of a report. */
const others: readonly (readonly [setup: string, how: string, options: PlainOptions])[] = [
  [conforming, 'thorough', { thorough: true }],
  [conforming, 'safe', { safe: true }],
  [conforming, 'models', { models: ['all'] }],
  [conforming, 'generated', { fuzz: { count: 200, seed: 7 } }],
  ['fault error-body/called-text', 'generated', { fuzz: { count: 200, seed: 7 } }],
  ['fault error-body/called-text', 'models', { models: ['all'] }],
  ['fault error-body/called-text', 'twice', { repeat: 2 }],
];

type Chosen = { readonly setup: string; readonly name: string; readonly options: PlainOptions };

/** Returns the runs whose exchanges are frozen, the conforming gateway first. */
function chooseRuns(): readonly Chosen[] {
  const sample = [conforming, ...spread('fault ', faultsInSample), ...spread('variant ', variantsInSample)];
  return [
    ...sample.map((setup) => ({ setup, name: setup, options: {} })),
    ...others
      .filter(([setup]) => setups.some(({ id }) => id === setup))
      .map(([setup, how, options]) => ({ setup, name: `${setup}, ${how}`, options })),
  ];
}

/** Returns so many setups with this beginning of their IDs, in turn from each topic. */
function spread(beginning: string, count: number): readonly string[] {
  const topics = new Map<string, string[]>();
  for (const { id } of setups) {
    if (!id.startsWith(beginning)) continue;
    const [topic = ''] = id.split('/');
    topics.set(topic, [...(topics.get(topic) ?? []), id]);
  }
  const rows = [...topics.values()];
  const longest = Math.max(...rows.map((ids) => ids.length));
  return Array.from({ length: longest }, (_, index) => rows.flatMap((ids) => ids[index] ?? []))
    .flat()
    .slice(0, count);
}

/** Records everything that both sides of a comparison are fed with, and writes the files of this part. */
export async function recordInputs(folder: string, part: Part): Promise<void> {
  const requests = createTable<PlainRequest>();
  const responses = createTable<PlainResponse>();
  const runs: FrozenRun[] = [];
  const reports: Record<string, PlainReport> = {};
  for (const [index, { setup, name, options }] of chooseRuns().entries()) {
    // Each part has the conforming gateway, with which the others are compared.
    if (index > 0 && !isIn(part, index)) continue;
    const { profile, changes, exchanges, report } = await record(setup, options);
    const rows = exchanges.map(
      ({ request, response }) => [requests.add(request), response ? responses.add(response) : -1] as const,
    );
    runs.push({ name, options, profile, changes, exchanges: rows });
    if (index === 0 && part.number > 1) continue;
    if (index === 0) reports[name] = report;
    else if (index % viewedEvery === 0 || name !== setup) reports[name] = shorten(report);
    if (index === 2) await addOtherReports(reports, report, exchanges);
  }
  const frozen: FrozenRuns = { requests: requests.rows, responses: responses.rows, runs };
  writeValue(join(folder, `runs-${part.number}.json.gz`), frozen);
  writeValue(join(folder, `reports-${part.number}.json.gz`), reports satisfies FrozenReports);
  writeValue(join(folder, `scripts-${part.number}.json.gz`), await recordScripts(part));
}

async function addOtherReports(
  reports: Record<string, PlainReport>,
  report: PlainReport,
  exchanges: readonly PlainExchange[],
): Promise<void> {
  reports['rare parts'] = shorten(addRarities(report));
  reports['frozen exchanges as traffic'] = shorten(checkExchanges(exchanges, undefined));
  for (const name of recordings.slice(0, 6)) reports[`recording ${name}`] = await checkRecording(name);
}

const shownFailures = 150;
const shownOthers = 60;

/** Returns a report with fewer cases. The numbers of the report stay as they are. */
function shorten(report: PlainReport): PlainReport {
  const isFailure = ({ outcome }: { readonly outcome: string }): boolean =>
    outcome !== 'conforms' && outcome !== 'not-applicable';
  const kept = new Set([
    ...report.cases.filter(isFailure).slice(0, shownFailures),
    ...report.cases.filter((item) => !isFailure(item)).slice(0, shownOthers),
  ]);
  const cases = report.cases.filter((item) => kept.has(item));
  const ids = new Set(cases.map(({ id }) => id));
  const requirements = report.requirements.map((item) => ({
    ...item,
    cases: item.cases.filter((id) => ids.has(id)),
  }));
  return { ...report, cases, requirements, others: report.others.slice(0, 20) };
}

type Recorded = {
  readonly profile: object;
  readonly key: string;
  readonly changes: readonly Readonly<Record<string, string>>[];
  readonly exchanges: readonly PlainExchange[];
  readonly events: Script;
  readonly report: PlainReport;
};

/** Virtual milliseconds between two requests: so few that the requests of a run are sent in the same second. */
const step = 0.001;

/** Runs the suite against a setup, and records what was sent and received. */
async function record(id: string, options: PlainOptions): Promise<Recorded> {
  const gateway = openAtStart(id);
  const seed = createSeeding();
  const exchanges: PlainExchange[] = [];
  const events: ScriptEvent[] = [];
  const changes: Readonly<Record<string, string>>[] = [];
  const { profile, key } = gateway;
  const report = await run(
    {
      profile,
      async send(request) {
        advanceTo(startOfTime + passedTime() + step);
        seed(textOf(request));
        events.push({ kind: 'request', at: passedTime(), request });
        const response = await gateway.handle(request, 'one');
        exchanges.push({ request, response });
        return response;
      },
      change(change) {
        seed(JSON.stringify(change));
        const created = gateway.change(change);
        events.push({ kind: 'change', at: passedTime(), change, created });
        changes.push(created);
        return created;
      },
    },
    options,
  );
  return { profile, key, changes, exchanges, events, report };
}

/** Gives each different value an index. */
function createTable<Row>(): { readonly rows: readonly Row[]; readonly add: (row: Row) => number } {
  const indexes = new Map<string, number>();
  const rows: Row[] = [];
  return {
    rows,
    add(row) {
      const text = JSON.stringify(row);
      const index = indexes.get(text) ?? rows.push(row) - 1;
      indexes.set(text, index);
      return index;
    },
  };
}

async function recordScripts(part: Part): Promise<Scripts> {
  const { profile, key, events, exchanges } = await record(conforming, {});
  const own: Record<string, Script> = {};
  const differs = ({ id }: { readonly id: string }): boolean =>
    JSON.stringify(openAtStart(id).profile) !== JSON.stringify(profile);
  for (const [index, { id }] of setups.filter(differs).entries())
    if (isIn(part, index)) own[id] = (await record(id, {})).events;
  return { common: events, extra: createExtraScript(key, exchanges, events), own };
}

const overlapping = 24;
const batches = 8;

/**
 * Returns what a run with one request after another doesn't send: batches of requests that overlap, on connections of
 * their own; a key that is created, used on two connections, drained, topped up, deleted and used again, also later;
 * and requests that the specification leaves open, but a variant answers in its own way.
 */
function createExtraScript(key: string, exchanges: readonly PlainExchange[], events: Script): Script {
  const every = Math.floor(exchanges.length / (overlapping * batches));
  const spreadOut = exchanges.filter((_, index) => index % every === 0).slice(0, overlapping * batches);
  const valid = listValidRequests(key, exchanges);
  const made = events.find((event) => event.kind === 'change' && event.change.action === 'createKey');
  const created = made?.kind === 'change' ? made.created : {};
  return [
    ...spreadOut.map(
      ({ request }, index): ScriptEvent => ({
        kind: 'request',
        at: 1,
        request,
        connection: `overlapping ${index % overlapping}`,
        batch: Math.floor(index / overlapping),
      }),
    ),
    ...createKeyScript(key, created, valid),
    ...valid
      .flatMap((request) => varyRequest(key, request))
      .map((request): ScriptEvent => ({ kind: 'request', at: 100_000, request })),
  ];
}

/** Returns one successful request with the key for each method, path and form of response. */
function listValidRequests(key: string, exchanges: readonly PlainExchange[]): readonly PlainRequest[] {
  const found = new Map<string, PlainRequest>();
  for (const { request, response } of exchanges) {
    const isPlain = Object.values(request.headers).some((value) => value.endsWith(key));
    const form = `${request.method} ${request.path} ${request.body?.includes('"stream":true')}`;
    if (isPlain && response?.status === 200 && !found.has(form)) found.set(form, request);
  }
  return [...found.values()];
}

function createKeyScript(
  key: string,
  created: Readonly<Record<string, string>>,
  valid: readonly PlainRequest[],
): Script {
  const script: ScriptEvent[] = [];
  const withKey = valid.map((request) => replaceText(request, key, created.key ?? key));
  let at = 10;
  const change = (action: string): void => {
    const isNew = action === 'createKey';
    script.push({
      kind: 'change',
      at,
      change: { action, values: isNew ? {} : created },
      created: isNew ? created : {},
    });
  };
  const use = (later: number): void => {
    at += later;
    for (const connection of ['first', 'second'])
      for (const request of withKey) script.push({ kind: 'request', at, request, connection });
  };
  for (const action of ['createKey', 'drain', 'topUp', 'deleteKey']) {
    change(action);
    use(1);
  }
  for (const later of [1_500, 5_000, 70_000]) use(later);
  return script;
}

const replaceText = (
  { method, path, headers, body }: PlainRequest,
  from: string,
  to: string,
): PlainRequest => ({
  method,
  path: path.replaceAll(from, to),
  headers: Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replaceAll(from, to)]),
  ),
  body: body?.replaceAll(from, to),
});

/** Returns requests that differ from a valid request in one thing. */
function varyRequest(key: string, request: PlainRequest): readonly PlainRequest[] {
  const { path, headers, body } = request;
  const { 'user-agent': _, ...unnamed } = headers;
  const wrong = 'sk-wrong-0123456789abcdefghij';
  const models = ['gpt-reference', 'claude-reference', 'gemini-reference'];
  const withQuery = (change: (query: URLSearchParams) => void): PlainRequest => {
    const [pathname, search = ''] = path.split('?');
    const query = new URLSearchParams(search);
    change(query);
    return { ...request, path: query.size === 0 ? `${pathname}` : `${pathname}?${query}` };
  };
  const names = [...new URLSearchParams(path.split('?')[1] ?? '').keys()];
  return [
    { ...request, headers: unnamed },
    { ...request, headers: { ...headers, authorization: `Bearer ${wrong}`, 'x-api-key': key } },
    { ...request, headers: { ...headers, authorization: `Bearer ${key}`, 'x-api-key': wrong } },
    { ...request, headers: { ...headers, authorization: `Bearer ${key}`, 'x-api-key': key } },
    ...['\u00a0', '\t ', 'é'].map((more) => replaceText(request, key, `${more}${key}${more}`)),
    ...(body?.startsWith('{') ? [{ ...request, body: body.replace('{', '{"unheard_of":1,') }] : []),
    ...(body?.includes('"messages":[{')
      ? [{ ...request, body: body.replace('[{', '[{"unheard_of":1,') }]
      : []),
    ...models.flatMap((model) =>
      textOf(request).includes(model)
        ? [
            replaceText(request, model, model.toUpperCase()),
            ...['-retired', '-text'].map((end) => replaceText(request, model, `${model}${end}`)),
            ...models
              .filter((other) => other !== model)
              .map((other) => replaceText(request, model, `${other}-retired`)),
          ]
        : [],
    ),
    ...names.map((name) => withQuery((query) => query.delete(name))),
    ...names.map((name) => withQuery((query) => query.set(name, '4102444800'))),
    ...(names.length > 1
      ? [
          withQuery((query) => query.set(names[1] ?? '', query.get(names[0] ?? '') ?? '')),
          withQuery((query) => query.set(names[0] ?? '', '1000000000')),
        ]
      : []),
  ];
}
