import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { digest, isIn, type Part, readValue, type Unit } from './files.ts';
import type { FrozenReports, FrozenRun, FrozenRuns, Scripts } from './inputs.ts';
import {
  checkExchanges,
  checkRecording,
  type PlainExchange,
  type PlainReport,
  planCases,
  profiles,
  recordings,
  revision,
  run,
  setups,
  viewReport,
  viewReports,
} from './project.ts';
import { openAtStart, replay, type Script, textOf } from './script.ts';
import { advanceTo, passedTime, restartTime, seedRandom, startOfTime } from './virtual.ts';

/** Returns the units of one part of a border. */
export type Border = (folder: string, part: Part) => Promise<readonly Unit[]>;

/** The planned cases of five profiles, with their requests. */
const plan: Border = async (_folder, part) => {
  const units: Unit[] = part.number === 1 ? [{ key: 'requirements | revision', value: revision }] : [];
  const asked = [
    ...Object.keys(profiles).map((name) => ({ name, thorough: false })),
    { name: 'reference-with-setup', thorough: true },
  ];
  for (const [index, { name, thorough }] of asked.entries()) {
    if (!isIn(part, index)) continue;
    restartTime();
    seedRandom(name);
    const profile = profiles[name]?.();
    if (!profile) continue;
    const beginning = thorough ? `${name}, thorough` : name;
    const cases = planCases(profile, thorough);
    units.push({ key: `${beginning} | profile`, value: JSON.parse(JSON.stringify(profile)) });
    units.push({ key: `${beginning} | order`, value: digest(cases.map(({ id }) => id).join('\n')) });
    // A thorough plan has so many cases that only a digest of each is compared.
    for (const { id, value } of cases)
      units.push({ key: `${beginning} | ${id}`, value: thorough ? digest(JSON.stringify(value)) : value });
  }
  return units;
};

/** Reads the scripts of all parts. */
function readScripts(folder: string): Scripts {
  const [first, ...others] = readdirSync(folder)
    .filter((file) => file.startsWith('scripts-'))
    .sort()
    .map((file) => readValue<Scripts>(join(folder, file)));
  if (!first) throw new Error(`${folder} has no scripts.`);
  return { ...first, own: Object.assign({}, first.own, ...others.map(({ own }) => own)) };
}

/** The responses of all setups to frozen requests: of each setup, those that differ from the conforming gateway's. */
const server: Border = async (folder, part) => {
  const { common, extra, own } = readScripts(folder);
  const scripts = { common, extra };
  const units: Unit[] = [];
  const expected: Record<string, readonly string[]> = {};
  for (const [name, script] of Object.entries(scripts)) {
    const texts = await replay(script, openAtStart('conforming'));
    expected[name] = texts;
    if (part.number > 1) continue;
    const responses = labels(script).map((label, index) => [label, digest(texts[index] ?? '')]);
    units.push({ key: `conforming | ${name}`, value: Object.fromEntries(responses) });
  }
  for (const [index, { id }] of setups.entries()) {
    if (index === 0 || !isIn(part, index) || !isAsked(id)) continue;
    const mine = own[id];
    if (mine) {
      expected.own = await replay(mine, openAtStart(id, true));
      units.push({ key: `conforming | as ${id}`, value: digest(expected.own.join('\n\n')) });
    }
    for (const [name, script] of Object.entries({ ...scripts, own: mine })) {
      if (!script) continue;
      const texts = await replay(script, openAtStart(id));
      const names = labels(script);
      const moved = texts.flatMap((text, at) =>
        text === expected[name]?.[at] ? [] : [[names[at] ?? '', digest(text)]],
      );
      units.push({ key: `${id} | ${name}`, value: Object.fromEntries(moved) });
    }
  }
  return units;
};

/** Whether the comparison is about this setup. */
const isAsked = (id: string): boolean =>
  process.env.FREEZE_ONLY?.split(',').some((text) => id.includes(text)) ?? true;

const requestsOf = (script: Script) =>
  script.flatMap((event) => (event.kind === 'request' ? [event.request] : []));
const labels = (script: Script): string[] =>
  requestsOf(script).map(({ method, path }, index) => `${index} ${method} ${path.slice(0, 60)}`);

/** The verdicts on frozen exchanges: of each run, those that differ from the run against the conforming gateway. */
const judge: Border = async (folder, part) => {
  const frozen = readValue<FrozenRuns>(join(folder, `runs-${part.number}.json.gz`));
  const units: Unit[] = [];
  const base = new Map<string, string>();
  const keep = (name: string, own: readonly Unit[]): void => {
    for (const { key, value } of own) {
      const text = JSON.stringify(value);
      if (base.get(key) !== text) units.push({ key: `${name} | ${key}`, value });
    }
  };
  for (const [index, one] of frozen.runs.entries()) {
    if (index > 0 && !isAsked(one.name)) continue;
    const own = await judgeFrozen(one, frozen);
    if (index > 0) keep(one.name, own);
    else {
      if (part.number === 1) keep(one.name, own);
      for (const { key, value } of own) base.set(key, JSON.stringify(value));
    }
  }
  const asTraffic = new Map<string, string>();
  for (const [index, one] of frozen.runs.entries()) {
    if (index % 3 !== 0 || (index > 0 && !isAsked(one.name))) continue;
    restartTime();
    const known = index % 6 === 0 ? one.profile : undefined;
    const own = splitReport(checkExchanges(exchangesOf(one, frozen), known));
    for (const { key, value } of own) {
      const text = JSON.stringify(value);
      if (asTraffic.get(key) === text) continue;
      if (index > 0 || part.number === 1) units.push({ key: `${one.name}, as traffic | ${key}`, value });
      if (index === 0) asTraffic.set(key, text);
    }
  }
  for (const [index, name] of recordings.entries()) {
    if (!isIn(part, index)) continue;
    for (const { key, value } of splitReport(await checkRecording(name)))
      units.push({ key: `recording ${name} | ${key}`, value });
  }
  return units;
};

const exchangesOf = (one: FrozenRun, { requests, responses }: FrozenRuns): readonly PlainExchange[] =>
  one.exchanges.flatMap(([request, response]) => {
    const sent = requests[request];
    return sent ? [{ request: sent, response: responses[response] }] : [];
  });

/** Runs the suite against frozen exchanges. The same request gets its responses in the frozen order. */
async function judgeFrozen(one: FrozenRun, frozen: FrozenRuns): Promise<readonly Unit[]> {
  restartTime();
  seedRandom(one.name);
  const queues = new Map<string, PlainExchange['response'][]>();
  for (const { request, response } of exchangesOf(one, frozen)) {
    const text = textOf(request);
    queues.set(text, [...(queues.get(text) ?? []), response]);
  }
  const changes = [...one.changes];
  const missing: string[] = [];
  const report = await run(
    {
      profile: one.profile,
      async send(request) {
        advanceTo(startOfTime + passedTime() + 0.001);
        const queue = queues.get(textOf(request)) ?? [];
        if (queue.length === 0) missing.push(`${request.method} ${request.path}`);
        // A request that is sent more often than before gets the last response again.
        return queue.length > 1 ? queue.shift() : queue[0];
      },
      change: () => changes.shift() ?? {},
    },
    one.options,
  );
  const unused = [...queues].flatMap(([text, queue]) => queue.slice(1).map(() => text.split('\n')[0]));
  return [...splitReport(report), { key: 'frozen exchanges', value: { missing, unused } }];
}

/** Returns the parts of a report as units, without times and without the digest of the requirements. */
function splitReport(report: PlainReport): readonly Unit[] {
  const { cases, requirements, others, spec: _, ...rest } = report;
  const units = [
    { key: 'report', value: rest },
    ...requirements.map((item) => ({ key: `requirement ${item.id}`, value: item })),
    ...cases.map((item) => ({ key: `case ${item.id}`, value: item })),
    ...others.map((item, index) => ({ key: `other ${index} ${item.id}`, value: item })),
  ];
  return units.map(({ key, value }) => ({ key, value: withoutTimes(value) }));
}

function withoutTimes(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (name, item) => (name === 'startedAt' || name === 'durationMs' ? undefined : item)),
  );
}

/** The texts of all reporters for frozen reports. */
const view: Border = async (folder, part) => {
  const units: Unit[] = [];
  const reports = readValue<FrozenReports>(join(folder, `reports-${part.number}.json.gz`));
  const names = Object.keys(reports);
  for (const [index, name] of names.entries()) {
    const report = reports[name];
    const before = reports[names[index - 1] ?? ''];
    if (!report) continue;
    for await (const [how, text] of viewReport(report)) units.push({ key: `${name} | ${how}`, value: text });
    if (!before || index % 3 !== 1) continue;
    for await (const [how, text] of viewReports(before, report))
      units.push({ key: `${names[index - 1]} and ${name} | ${how}`, value: text });
  }
  return units;
};

/** The borders, by name. */
export const borders: Readonly<Record<string, Border>> = { plan, server, judge, view };

/** Returns the request and the response of one frozen request to a setup. */
export async function explainResponse(folder: string, key: string, label: string): Promise<string> {
  const [id = '', name = ''] = key.split(' | ');
  const { common, extra, own } = readScripts(folder);
  const script = { common, extra, own: own[id] }[name] ?? [];
  const index = Number.parseInt(label, 10);
  const request = requestsOf(script)[index];
  const texts = await replay(script, openAtStart(id));
  return `${request ? textOf(request) : ''}\n\n${texts[index] ?? ''}`;
}
