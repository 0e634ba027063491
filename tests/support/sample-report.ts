import fc from 'fast-check';
import { combineSetups, createReferenceServer, faults } from '../../reference-server/index.ts';
import { catalogOfPackage } from '../../runner/catalog/catalog.ts';
import { defaultRetryPolicy } from '../../runner/exchange/retry-policy.ts';
import { outcomes } from '../../runner/judge/outcome.ts';
import { createPromise } from '../../runner/profile/promise.ts';
import { parseProfile } from '../../runner/profile/read-profile.ts';
import type { CaseReport, Report } from '../../runner/report/report.ts';
import { countOutcomes } from '../../runner/report/summarize.ts';
import { runSuite } from '../../runner/run/run.ts';

const sampleFaults = ['bad-key/beginning-is-enough-for-the-model-list', 'error-body/called-text'];
/** A type of error of the gateway, and the deviation that declares it. */
const ownType = {
  rule: { match: { operation: 'models', refused: 'missing-credential' }, change: { type: 'no_key' } },
  deviation: {
    types: { missing_auth_credential: 'no_key' },
    reason: 'https://docs.example/errors',
    until: '2099-12-31',
  },
} as const;
const only = [
  'auth/good-key/operation=models/*',
  'auth/rejected-key/operation=models/*',
  'auth/rejected-key/operation=messages/*',
  'auth/no-key/operation=models',
  'model-error/content-type',
];

let sample: Promise<Report> | undefined;

/**
 * Returns the report of a real run with violations of a `must` and of a `should`, with a declared deviation, and with
 * inconclusive and not applicable cases. The test files of a worker share the report.
 */
export function createSampleReport(): Promise<Report> {
  sample ??= runSample();
  return sample;
}

async function runSample(): Promise<Report> {
  const catalog = await catalogOfPackage();
  const setups = faults.filter(({ id }) => sampleFaults.includes(id)).map(({ setup }) => setup());
  const server = await createReferenceServer({ ...combineSetups(setups), rules: [ownType.rule] });
  try {
    const { deleted: _, ...keys } = server.profile.keys;
    const { messages } = server.profile.models;
    const models = { ...server.profile.models, messages: { ...messages, good: 'no-such-model' } };
    const profile = { ...server.profile, keys, models, deviations: [ownType.deviation] };
    const promise = createPromise(catalog, parseProfile(profile, catalog));
    // A gateway on this machine recovers immediately or never.
    const retryPolicy = { ...defaultRetryPolicy, firstPauseMs: 2 };
    const report = await runSuite(promise, { only, retryPolicy });
    // The pooled requirement needs the exchanges of all other cases. A report with all of these exchanges would make
    // every test slow.
    return { ...report, others: report.others.slice(0, 20) };
  } finally {
    await server.close();
  }
}

/**
 * Returns the report with parts that a short run seldom has: a baseline, an expired deviation, an unstable case, a request without a
 * response, a stop at the time limit, and a part about recorded traffic.
 */
export function withRarities(report: Report): Report {
  const violated = report.cases.filter(({ outcome }) => outcome === 'violates');
  const change = (item: CaseReport): CaseReport => {
    if (item === violated[0]) return { ...item, unstable: true, outcomes: ['conforms', 'violates'] };
    if (item === violated[1]) return markExpected(item);
    return item;
  };
  const silent = report.cases.find(
    ({ outcome, exchanges }) => outcome === 'conforms' && exchanges.length > 0,
  );
  return {
    ...report,
    rounds: 2,
    stopped: {
      kind: 'time',
      reason: 'The run reached its time limit of 2 s. Raise the limit (--max-time, or maxMs in the library).',
    },
    diagnosis: [
      ...report.diagnosis,
      {
        kind: 'stopped',
        operation: undefined,
        message:
          'The run reached its time limit of 2 s. Raise the limit (--max-time, or maxMs in the library).',
      },
    ],
    baseline: {
      file: 'known.yaml',
      expected: 1,
      problems: [{ line: 3, message: '"models/listed" is no longer violated. Remove the entry.' }],
    },
    deviations: {
      parts: report.deviations?.parts ?? [],
      problems: [
        {
          place: 'conformance.yaml:9',
          status: 'expired',
          message: 'The deviation codes.rate_limited expired after 2026-01-31. Remove it, or extend `until`.',
        },
      ],
    },
    cases: report.cases.map(change).map((item) => removeResponse(item, silent?.exchanges[0]?.id)),
    recording,
  };
}

const duty = {
  clause: '5 headers',
  says: 'A client must send its key in exactly one of the three accepted `header` fields.',
  kept: 3,
};
const finding = {
  exchange: 'page.har entry 7',
  startedAt: '2026-11-21T12:00:00.000Z',
  request: 'POST /v1/chat/completions?a=1',
  status: null,
  message: 'The request has 2 credentials instead of 1.',
};

/** The part of a report about recorded traffic, with duties of the client of every level and with every result. */
const recording: NonNullable<Report['recording']> = {
  exchanges: 9,
  judged: 5,
  notJudged: [
    {
      reason: 'The method and path match no operation of the specification or the profile.',
      count: 4,
      example: 'page.har entry 1',
    },
  ],
  client: {
    requests: 8,
    duties: [
      { ...duty, id: 'client/a', level: 'must', broken: 1, findings: [finding] },
      {
        ...duty,
        id: 'client/b',
        level: 'should',
        broken: 2,
        findings: [finding, { ...finding, status: 400 }],
      },
      { ...duty, id: 'client/c', level: 'observe', broken: 1, findings: [finding] },
      { ...duty, id: 'client/d', level: 'must', broken: 0, findings: [] },
      { ...duty, id: 'client/e', level: 'should', kept: 0, broken: 0, findings: [] },
    ],
  },
};

function markExpected(item: CaseReport): CaseReport {
  const checks = item.checks.map((own) => ({
    ...own,
    expected: 'Ticket 12: to be fixed in May.',
  }));
  return { ...item, checks };
}

function removeResponse(item: CaseReport, id: string | undefined): CaseReport {
  const failure = { reason: 'timeout', detail: 'No response was received within 10 s.' };
  const exchanges = item.exchanges.map((own) =>
    own.id === id ? { ...own, response: null, failure, traceId: null } : own,
  );
  return { ...item, exchanges };
}

/** Texts that would take effect in some output format without escaping. */
const attacks = [
  '\n::error title=x::y\r\n::set-output name=a::b',
  '##[error]x',
  '%0A::warning::z',
  ']]></failure><![CDATA[',
  '--><script>alert(1)</script><!--',
  '"/><img src=x onerror=alert(1)>',
  '`` ` ``` ~~~\n```\n# heading\n',
  '| a | b |\n|---|---|\n',
  '</details></summary></code></pre>',
  '[link](https://evil.example) ![image](https://evil.example/i.png) <https://evil.example>',
  '@octocat @org/team #1 https://evil.example www.evil.example a@evil.example',
  '**bold** _italic_ ~~gone~~ $x$ :smile: \\',
  '\n  ...\n1..0\nok 99 - x\nBail out! # SKIP # TODO\n---\n',
  '\u0000\u0001\u0008\u000b\u001b[31m\u007f\u0085\u009f\ufeff\ufffe\uffff\u2028\u2029\u202e',
  '\ud800 \udc00 \udfff\ud800',
  '{0} {{keys.valid}} %s ${x} \\u0000',
];

/**
 * Generates copies of the report with a hostile text before or after every text, except dates and the values of closed
 * lists.
 */
export function withHostileTexts(report: Report): fc.Arbitrary<Report> {
  const attack = fc.oneof(fc.constantFrom(...attacks), fc.string({ unit: 'binary', maxLength: 40 }));
  return fc.array(attack, { minLength: 1, maxLength: 6 }).map((texts) => {
    // Equal texts stay equal, so that references by ID stay valid.
    const spoil = (text: string, name: string): string => {
      const evil = texts[text.length % texts.length] ?? '';
      // The beginning of a URL stays, since the base URL is validated.
      return text.length % 3 === 0 && name !== 'url' ? `${evil}${text}` : `${text}${evil}`;
    };
    const walk = (value: unknown, name: string): unknown => {
      if (typeof value === 'string') return fixed.includes(name) ? value : spoil(value, name);
      if (Array.isArray(value)) return value.map((item) => walk(item, name));
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item, key)]));
    };
    return walk(report, '') as Report;
  });
}

const fixed = ['kind', 'level', 'outcome', 'outcomes', 'pattern', 'status', 'verdict', 'startedAt', 'way'];

/** The maximum number of cases with each outcome in a small report. */
const shownOfOutcome = 2;

/** Returns a small report for golden files, without anything that differs between two runs. */
export async function createGoldenReport(): Promise<Report> {
  const report = withRarities(await createSampleReport());
  const cases = outcomes
    .flatMap((outcome) => report.cases.filter((item) => item.outcome === outcome).slice(0, shownOfOutcome))
    .map((item) => ({
      ...item,
      checks: item.checks.map((own) => ({ ...own, findings: own.findings.slice(0, 3) })),
    }));
  const ids = new Set(cases.map(({ id }) => id));
  const own = (requirement: string): boolean =>
    cases.some(({ checks }) => checks.some((one) => one.requirement === requirement));
  const requirements = report.requirements
    .filter(({ id }) => own(id))
    .map((item) => ({ ...item, cases: item.cases.filter((id) => ids.has(id)) }));
  const requests = { ...report.requests, sent: 40, billed: 8 };
  const small = {
    ...report,
    cases,
    requirements,
    requests,
    others: [],
    observations: report.observations.slice(0, 2),
  };
  const summary = { cases: countOutcomes(cases), requirements: countOutcomes(requirements) };
  return fix({ ...small, summary }, '');
}

/** Returns a value in which ports, times and random IDs are replaced by constants. */
function fix<T>(value: T, name: string): T;
function fix(value: unknown, name: string): unknown {
  if (typeof value === 'string') return fixText(value, name);
  if (typeof value === 'number') return name === 'durationMs' ? 12 : value;
  if (Array.isArray(value)) return value.map((item) => fix(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fix(item, key)]));
}

function fixText(text: string, name: string): string {
  if (name === 'revision') return 'revision';
  if (name === 'date') return 'Fri, 02 Jan 2026 03:04:05 GMT';
  return text
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:8787')
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '11111111-2222-4333-8444-555555555555')
    .replace(/20\d\d-\d\d-\d\dT[\d:.]+Z/g, '2026-01-02T03:04:05.678Z');
}
