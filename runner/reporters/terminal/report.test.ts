import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createCase, createCheck, createExchange, createReport } from '../../../tests/support/reports.ts';
import type { Finding } from '../../judge/finding.ts';
import type { Outcome } from '../../judge/outcome.ts';
import type { CaseReport, CheckReport, ExchangeReport, Report } from '../../report/report.ts';
import { createView } from '../../view/view.ts';
import type { TextStyle } from '../reporter.ts';
import { terminal as layOut } from './report.ts';

const terminal = (report: Report, style: TextStyle): string => layOut(createView(report), style);

const wrongType: Finding = { kind: 'wrong-type', expected: ['invalid_api_key'], actual: 'auth_error' };
const wrongStatus: Finding = { kind: 'wrong-status', expected: '401', actual: 200 };
const curl = `curl -sS -i 'http://127.0.0.1:8787/v1/models' -H 'authorization: Bearer '"$GATEWAY_API_KEY" -H 'x-long: ${'x'.repeat(90)}'`;

const exchange = (id: string, changes: Partial<ExchangeReport> = {}): ExchangeReport =>
  createExchange(`${id}#1`, {
    durationMs: 12.3,
    request: { method: 'POST', url: 'http://127.0.0.1:8787/v1', headers: { 'x-sent': 'yes' }, body: null },
    response: {
      status: 401,
      headers: { 'x-came': 'yes' },
      body: { text: '{"error":{}}', bytes: 12 },
      pieces: 1,
    },
    traceId: 'trace-1',
    curl,
    ...changes,
  });

/**
 * Creates a case in which each requirement has the outcome. If the outcome is `violates` or `warns`, each exchange has
 * the finding.
 */
function caseOf(
  id: string,
  requirements: readonly string[],
  outcome: Outcome,
  { finding = wrongType, ...changes }: Partial<CaseReport & CheckReport> & { finding?: Finding } = {},
): CaseReport {
  const pairs = id.split('/').flatMap((part) => (part.includes('=') ? [part.split('=')] : []));
  const attributes = Object.fromEntries(pairs);
  const { expected, reason, add, exchanges = [exchange(id, { attributes })], ...rest } = changes;
  const findings =
    outcome === 'violates' || outcome === 'warns'
      ? exchanges.map((one) => ({ exchange: one.id, message: 'worded', finding }))
      : [];
  const checks = requirements.map((requirement) =>
    createCheck(requirement, outcome, {
      findings,
      ...(expected !== undefined && { expected }),
      ...(reason !== undefined && { reason }),
      ...(add !== undefined && { add }),
    }),
  );
  return createCase(id, checks, { attributes, exchanges, ...rest });
}

function reportOf(cases: readonly CaseReport[], changes: Partial<Report> = {}): Report {
  const made = {
    target: { baseUrl: 'http://127.0.0.1:8787' },
    durationMs: 1234,
    ...changes,
  };
  return createReport(cases, made, (id) => ({
    clause: '5 rule 2; 7.1 401 invalid_api_key',
    quotes: ['Failure always returns HTTP 401.', ''],
    says: `What ${id} says.`,
    expects: 'status 401, error.type invalid_api_key',
  }));
}

const plain = { colour: false, verbose: false, width: Number.POSITIVE_INFINITY };
const operations = ['chat', 'responses', 'models'];
const rejected = (key: string, outcome: Outcome, requirement = 'auth/bad', finding: Finding = wrongType) =>
  operations.map((operation) =>
    caseOf(`auth/rejected-key/operation=${operation}/header=bearer/key=${key}`, [requirement], outcome, {
      finding,
    }),
  );

describe('a violation', () => {
  test('has its cause, its requirement, the expected and the received response, and a curl line', () => {
    const text = terminal(reportOf(rejected('unknown', 'violates')), plain);
    for (const part of [
      '✗ Requests with an unknown key: error.type is "auth_error" instead of `invalid_api_key`  Wrong error type\n',
      '  Violates auth/bad\n    What auth/bad says.\n    5 rule 2: “Failure always returns HTTP 401.”\n',
      'Look first at `error.type` in the response body (expected: `invalid_api_key`).\n',
      'expected error.type invalid_api_key, got "auth_error"',
      'expected  status 401, error.type invalid_api_key',
      'received  401 {"error":{}}',
      'at        error.type',
      'trace ID  trace-1, 2026-01-02T03:04:05.678Z',
      'example   auth/rejected-key/operation=chat/header=bearer/key=unknown\n',
      curl,
    ]) {
      expect(text).toContain(part);
    }
  });

  test('in 99 cases with the same cause is one entry with its values', () => {
    const keys = Array.from({ length: 34 }, (_, index) => `k${index}`);
    const cases = keys.flatMap((key) => rejected(key, key === 'k0' ? 'conforms' : 'violates'));
    const text = terminal(reportOf(cases), plain);
    expect(text.match(/^ +curl/gm)).toHaveLength(1);
    expect(text).toContain(
      '99 of 102 cases: only with k1, k2, k3, k4 and 29 more. Conforms: the same request with k0.',
    );
  });

  test('of several requirements with the same cause is one entry', () => {
    const other: Finding = { ...wrongType, expected: ['invalid_bearer_token'] };
    const cases = [
      ...rejected('a', 'violates', 'auth/one'),
      ...rejected('b', 'violates', 'streams/two', other),
    ];
    const text = terminal(reportOf(cases), plain);
    expect(text).toContain('✗ Requests with a wrong key: error.type is "auth_error"  Wrong error type\n');
    expect(text).toContain('  Violates auth/one, streams/two\n');
    expect(text.match(/^ +curl/gm)).toHaveLength(1);
  });

  test('of several details that the same responses lack is one entry', () => {
    const id = 'requests/x/operation=chat';
    const item = caseOf(id, ['a/trace', 'a/code'], 'violates');
    const [first, second] = item.checks;
    const cases = [
      {
        ...item,
        checks: [first, second].flatMap((entry, index) =>
          entry
            ? [
                {
                  ...entry,
                  findings: entry.findings.map((found) => ({
                    ...found,
                    finding: {
                      kind: 'missing',
                      place: index === 0 ? '/trace_id' : '/error/code',
                    } as const,
                  })),
                },
              ]
            : [],
        ),
      },
    ];
    const text = terminal(reportOf(cases), plain);
    expect(text).toContain('✗ trace_id is missing; error.code is missing  Wrong detail\n');
    expect(text).toContain('at        trace_id, error.code');
    expect(text.match(/^ +curl/gm)).toHaveLength(1);
  });

  test('is separate from the same status in response to other requests', () => {
    const faulty = caseOf('requests/x/operation=chat/fault=missing', ['chat/two'], 'violates', {
      finding: { kind: 'wrong-status', expected: '400', actual: 403 },
    });
    const refused: Finding = { kind: 'wrong-status', expected: '401', actual: 403 };
    const text = terminal(
      reportOf([...rejected('truncated', 'violates', 'auth/one', refused), faulty]),
      plain,
    );
    expect(text).toContain('✗ Requests with the first half of a key get 403 instead of 401');
    expect(text).toContain('✗ Requests with an invalid body get 403 instead of 400');
  });

  test('with different values is one entry with the number of values', () => {
    const cases = ['req_1', 'req_2', 'req_2', 'req_3'].map((actual, index) =>
      caseOf(`pooled/x/operation=o${index}`, ['trace/uuid'], 'violates', {
        finding: { kind: 'wrong-value', place: '/trace_id', expected: 'must be a UUID', actual },
      }),
    );
    const text = terminal(reportOf(cases), plain);
    expect(text).toContain('→ trace_id must be a UUID, got "req_2", and 2 other values in other responses');
  });

  test('has a line for each requirement above the verdict, failures before warnings', () => {
    const cases = [
      ...rejected('a', 'warns', 'auth/should'),
      ...rejected('b', 'violates', 'auth/must'),
      ...rejected('c', 'conforms', 'auth/must'),
    ];
    const text = terminal(reportOf(cases), plain);
    expect(text.slice(text.indexOf('Failed\n'))).toMatch(
      /^Failed\n {2}✗ auth\/must +3 of 6 .*\nWarnings\n {2}▲ auth\/should +3 of 3 /,
    );
  });

  test('is shown with every case and its exchange if verbose', () => {
    const report = reportOf(rejected('unknown', 'violates'));
    const text = terminal(report, { ...plain, verbose: true });
    for (const { id } of report.cases) expect(text).toContain(`      ${id}\n`);
    expect(text).toContain('> POST http://127.0.0.1:8787/v1\n    > x-sent: yes');
    expect(text).toContain('< 401 in 12.3 ms\n    < x-came: yes\n    < \n    < {"error":{}}');
    expect(terminal(report, plain)).not.toContain('x-came');
  });
});

describe('the grid of credentials', () => {
  const conforming = ['good', 'b', 'c', 'd'].flatMap((key) => rejected(key, 'conforms'));

  test('merges keys with the same results into one row', () => {
    const text = terminal(reportOf([...conforming, ...rejected('truncated', 'violates')]), plain);
    const grid = text.slice(text.indexOf('Credentials'), text.indexOf('Requirements'));
    expect(grid.split('\n').slice(0, 4)).toEqual([
      'Credentials            chat  responses  models',
      '  bearer  truncated    ≠401    ≠401      ≠401',
      '          the other 4  ✓401    ✓401      ✓401',
      '  ≠ correct status, wrong error body, ✓ correct',
    ]);
  });

  test('is left out if everything is correct, unless verbose', () => {
    expect(terminal(reportOf(conforming), plain)).not.toContain('Credentials');
    expect(terminal(reportOf(conforming), { ...plain, verbose: true })).toMatch(/bearer {2}all 4 tested/);
  });

  test('is left out if no case was judged', () => {
    expect(terminal(reportOf(rejected('a', 'inconclusive')), plain)).not.toContain('Credentials');
  });

  test('is left out if no credential was tried, even if verbose', () => {
    expect(terminal(reportOf([]), { ...plain, verbose: true })).not.toContain('Credentials');
  });

  test.each([
    [
      120,
      /chat {2}responses {2}models {2}messages {2}generate {2}streamGenerate {2}balance {2}usage {2}record/,
    ],
    [80, /chat {2}resp {2}list {2}msgs {2}gen {3}sgen {2}bal {3}use {3}rec/],
    [60, /ch re li ms ge sg ba us rc/],
  ])('fits %i columns', (width, names) => {
    const every = [
      'chat',
      'responses',
      'models',
      'messages',
      'generate',
      'streamGenerate',
      'balance',
      'usage',
      'record',
    ];
    const cases = every.flatMap((operation) =>
      ['truncated', 'a', 'b'].map((key) =>
        caseOf(
          `auth/k/operation=${operation}/header=x-api-key/key=${key}`,
          ['auth/x'],
          key === 'a' ? 'violates' : 'conforms',
        ),
      ),
    );
    const text = terminal(reportOf(cases), { ...plain, width });
    expect(text).toMatch(names);
    expect(longest(text, 'Credentials')).toBeLessThanOrEqual(width);
  });

  test('shows inconclusive cells, unless the run was stopped', () => {
    const report = reportOf([...conforming, ...rejected('deleted', 'inconclusive')]);
    expect(terminal(report, plain)).toMatch(/bearer {2}deleted +\? +\? +\?/);
    const stopped = { kind: 'interrupted', reason: 'The run was interrupted.' } as const;
    expect(terminal({ ...report, stopped }, plain)).not.toContain('Credentials');
  });

  test('leaves out correct rows if there are too many', () => {
    const cases = Array.from({ length: 60 }, (_, index) =>
      ['good', 'none'].map((key) =>
        caseOf(
          `auth/k/operation=chat/header=h${index}/key=${key}`,
          ['auth/x'],
          index < 9 && key === 'good' ? 'violates' : 'conforms',
        ),
      ),
    ).flat();
    const text = terminal(reportOf(cases), plain);
    const grid = text.slice(text.indexOf('Credentials'), text.indexOf('Requirements'));
    expect(grid.match(/good +≠401/g)).toHaveLength(9);
    expect(grid.split('\n').length).toBeLessThan(30);
  });

  test('merges places with the same results into one row', () => {
    const places = ['query', 'api-key', 'basic', 'raw'];
    const cases = places.map((place) =>
      caseOf(
        `auth/k/operation=chat/header=${place}/key=good`,
        ['auth/x'],
        place === 'basic' ? 'violates' : 'conforms',
      ),
    );
    const text = terminal(reportOf(cases), plain);
    expect(text).toMatch(/^ {2}query \+2 {2}good {2}✓401\n {2}basic +good {2}≠401$/m);
  });

  test('does not merge places that were sent to different operations', () => {
    const sent = { query: ['chat', 'models'], 'query-token': ['chat'], basic: ['chat'] };
    const cases = Object.entries(sent).flatMap(([place, operations]) =>
      operations.map((operation) =>
        caseOf(
          `auth/k/operation=${operation}/header=${place}/key=good`,
          ['auth/x'],
          operation === 'models' ? 'violates' : 'conforms',
        ),
      ),
    );
    const text = terminal(reportOf(cases), plain);
    expect(text).toMatch(/^ {2}query +good {2}✓401 +≠401\n {2}query-token \+1 {2}good {2}✓401 +·$/m);
  });

  test.each<[string, string, Finding, Record<string, string>]>([
    ['a wrongly accepted key', '»200', wrongStatus, {}],
    ['a server error', '✗500', { ...wrongStatus, actual: 500 }, {}],
    ['a wrong status', '✗403', { ...wrongStatus, actual: 403 }, {}],
    ['a wrong error body', '≠401', wrongType, {}],
    ['an error of another request', '✗500*', { ...wrongStatus, actual: 500 }, { request: 'invalid' }],
  ])('shows its own sign and status for %s', (_, shown, finding, attributes) => {
    const id = 'operation=chat/header=bearer/key=truncated';
    const plainCase = caseOf(`auth/a/${id}`, ['auth/x'], 'conforms');
    const bad = caseOf(`auth/b/${id}`, ['auth/x'], 'violates', { finding });
    const cases = [plainCase, { ...bad, attributes: { ...bad.attributes, ...attributes } }].map((item) => ({
      ...item,
      exchanges: item.exchanges.map((one) => ({ ...one, attributes: item.attributes })),
    }));
    expect(terminal(reportOf(cases), plain)).toContain(`truncated  ${shown}\n`);
  });

  test('is left out if there is no room', () => {
    const report = reportOf(rejected('a', 'violates'));
    expect(terminal(report, { ...plain, width: 59 })).not.toContain('Credentials');
  });
});

function longest(text: string, from: string): number {
  return Math.max(
    ...text
      .slice(text.indexOf(from))
      .split('\n')
      .map(({ length }) => length),
  );
}

describe('lines', () => {
  const report = reportOf([
    ...rejected('truncated', 'violates', 'auth/a-requirement-with-a-rather-long-name'),
    ...rejected('b', 'not-applicable', 'auth/b').map((item) => ({
      ...item,
      checks: item.checks.map((one) => ({ ...one, reason: 'r '.repeat(80), add: 'keys.deleted' })),
    })),
  ]);

  test.each([60, 80, 120])('are at most %i columns long, except commands and ids', (width) => {
    const lines = terminal(report, { ...plain, width }).split('\n');
    const copied = (line: string): boolean => /^ +(curl|example|-H) /.test(line);
    expect(lines.filter((line) => line.length > width && !copied(line))).toEqual([]);
    const start = lines.findIndex((line) => line.includes('curl'));
    const command = lines.slice(start, start + 3).map((line) => line.trim().replace(/ \\$/, ''));
    expect(command.join(' ')).toBe(curl);
  });

  test('are not wrapped in a pipe', () => {
    expect(terminal(report, plain)).toContain('r r r'.padEnd(150, ' r'));
  });

  test('have no colour for a remedy that does not exist', () => {
    const open = reportOf(rejected('a', 'inconclusive', 'auth/bad'));
    const text = terminal(open, { ...plain, colour: true });
    expect(text).toContain('Not tested');
    expect(text).not.toContain('\u001b[36m\u001b[39m');
  });

  test('have the same text with and without colour', () => {
    for (const width of [80, Number.POSITIVE_INFINITY]) {
      const coloured = terminal(report, { colour: true, verbose: true, width });
      expect(coloured).toContain('\u001b[31m✗');
      expect(stripVTControlCharacters(coloured)).toBe(terminal(report, { ...plain, verbose: true, width }));
    }
  });
});

describe('text from a gateway', () => {
  test.each([
    ['escape sequences', '\u001b[2J\u001b]0;owned\u0007\u009b31m'],
    ['line breaks', 'a\r\nb\nc\u2028d\u0085e'],
    ['changes of the writing direction', '\u202egnp.exe\u2066\u061c'],
    ['invisible characters', '\u200b\ufeff\u00ad\u{e0041}\ud800'],
    ['ten thousand letters', 'x'.repeat(10_000)],
  ])('is escaped and truncated: %s', (_, hostile) => {
    const answered = exchange('auth/x', {
      traceId: `trace${hostile}`,
      response: {
        status: 200,
        headers: { [`x-${hostile}`]: hostile },
        body: { text: `body${hostile}`, bytes: 1 },
        pieces: 1,
      },
      earlier: [null, 503],
    });
    const failed = exchange('auth/y', { response: null, failure: { reason: 'reset', detail: hostile } });
    const cases = [
      caseOf('auth/x', ['auth/x'], 'violates', {
        exchanges: [answered],
        finding: { ...wrongType, actual: hostile },
      }),
      caseOf('auth/y', ['auth/y'], 'warns', { exchanges: [failed], finding: wrongStatus }),
      caseOf('auth/z', ['auth/z'], 'inconclusive', { reason: hostile }),
    ];
    const report = reportOf(cases, {
      diagnosis: [{ kind: 'control-failed', operation: 'chat', message: hostile }],
      stopped: { kind: 'bail', reason: hostile },
      observations: [{ kind: 'open-point', case: 'a', about: '', clause: '', seen: hostile }],
    });
    const short = terminal(report, plain);
    for (const text of [short, terminal(report, { ...plain, verbose: true })]) {
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
      expect(text).not.toMatch(/^[bcde]/m);
    }
    const others = short.split('\n').filter((line) => !/^[!?]/.test(line));
    expect(Math.max(...others.map(({ length }) => length))).toBeLessThan(400);
  });
});

describe('a baseline', () => {
  const baseline = { file: 'conformance-baseline.yaml', expected: 3, problems: [] };
  const known = rejected('a', 'violates').map((item) => ({
    ...item,
    checks: item.checks.map((one) => ({ ...one, expected: 'ticket 7' })),
  }));

  test('leads to a number of expected violations, which are not shown as failures', () => {
    const text = terminal(reportOf(known, { baseline }), plain);
    expect(text).toContain('≈ Expected  3 violations, listed in conformance-baseline.yaml');
    expect(text).toContain('≈ PASSED with 3 expected violations (baseline)');
    expect(text).not.toContain('✗');
    expect(text).not.toContain('ticket 7');
  });

  test('leads to a list of expected violations, if verbose', () => {
    const text = terminal(reportOf(known, { baseline }), { ...plain, verbose: true });
    expect(text).toContain('     3 auth/bad failed: ticket 7');
  });

  test('does not hide unexpected violations', () => {
    const text = terminal(reportOf([...known, ...rejected('b', 'violates')], { baseline }), plain);
    expect(text).toContain('3 of 6 cases');
    expect(text).toMatch(
      /bearer {2}b( +≠401){3}\n +a( +≈401){3}\n {2}≠ correct status, wrong error body, ≈ expected \(baseline\)\n/,
    );
    expect(text).toContain('✗ VIOLATES  http');
  });

  test('with a stale entry is reported after the causes, with the line', () => {
    const problems = [{ line: 7, message: 'auth/bad conforms now.' }];
    const text = terminal(
      reportOf(rejected('b', 'violates'), { baseline: { ...baseline, problems } }),
      plain,
    );
    expect(text).toMatch(
      /^✗ .*error\.type[\s\S]*^✗ Stale {2}conformance-baseline.yaml:7: auth\/bad conforms now\./m,
    );
  });

  test('names the reason why an entry fails the run', () => {
    const problems = (['expired', 'matches-nothing'] as const).map((status, line) => ({
      line,
      message: 'No.',
      status,
    }));
    const text = terminal(
      reportOf(rejected('b', 'violates'), { baseline: { ...baseline, problems } }),
      plain,
    );
    expect(text).toContain('✗ Expired  conformance-baseline.yaml:0: No.');
    expect(text).toContain('✗ Unmatched  conformance-baseline.yaml:1: No.');
  });
});

describe('the end', () => {
  test('has the reason why a run was stopped', () => {
    const stopped = {
      kind: 'time',
      reason:
        'The run reached its time limit of 60 s. Raise the limit (--max-time, or maxMs in the library).',
    } as const;
    const text = terminal(reportOf(rejected('a', 'conforms'), { stopped }), plain);
    expect(text).toMatch(/! The run reached its time limit of 60 s\. .*\n✓ CONFORMS.*\n$/);
    expect(text.match(/reached its time limit/g)).toHaveLength(1);
  });

  test('names the shard of a divided run', () => {
    const text = terminal(
      reportOf(rejected('a', 'conforms'), { shard: { index: 2, of: 5, plan: [], judged: 0 } }),
      plain,
    );
    expect(text).toContain('✓ CONFORMS  shard 2 of 5  http://127.0.0.1:8787');
  });

  test('follows the diagnosis immediately if nothing was judged', () => {
    const cases = rejected('a', 'inconclusive').map((item) => ({
      ...item,
      checks: item.checks.map((one) => ({ ...one, reason: 'No answer.' })),
    }));
    const diagnosis = [{ kind: 'unreachable', operation: undefined, message: 'Not there.' }] as const;
    const text = terminal(reportOf(cases, { diagnosis }), plain);
    expect(text).toMatch(/^! Not there\.\n\n\? INCONCLUSIVE {2}http:.*\n$/);
  });
});

test('unstable cases are listed with the number of failures', () => {
  const item = caseOf('auth/x', ['auth/x'], 'violates', {
    unstable: true,
    outcomes: ['conforms', 'violates', 'conforms'],
  });
  const text = terminal(reportOf([item], { rounds: 3 }), plain);
  expect(text).toContain('Unstable  1 case with different results in 3 rounds\n  ± auth/x  failed in 1 of 3');
});

test('requests that recovered in a retry are counted', () => {
  const observation = {
    kind: 'unstable',
    case: 'auth/x#1',
    about: '',
    clause: '',
    seen: '500, then 401',
  } as const;
  const text = terminal(
    reportOf([caseOf('auth/x', ['auth/x'], 'conforms')], { observations: [observation] }),
    plain,
  );
  expect(text).toMatch(
    /Unstable +1 request got a 5xx or no response in one attempt, and a different\s+response in another attempt/,
  );
});
