import { describe, expect, test } from 'vitest';
import { createCase, createCheck, createExchange, createReport } from '../../tests/support/reports.ts';
import type { Finding } from '../judge/finding.ts';
import type { Outcome } from '../judge/outcome.ts';
import type { CaseReport, Report } from '../report/report.ts';
import { type Cause, countOf } from './causes.ts';
import { formatWhere } from './counts.ts';
import { findCommonStatuses, headlinesOf } from './headlines.ts';
import { isInTitle } from './symptom-groups.ts';
import { createView } from './view.ts';

const bearer = { operation: 'chat', surface: 'model', header: 'bearer', accepted: 'true', request: 'valid' };
const status = (actual: number, expected = '401'): Finding => ({ kind: 'wrong-status', expected, actual });
const type = (actual: unknown): Finding => ({ kind: 'wrong-type', expected: ['invalid_api_key'], actual });
const missing = (place: string): Finding => ({ kind: 'missing', place });

interface CaseSetup {
  readonly outcome?: Outcome;
  readonly attributes?: Record<string, string>;
  readonly findings?: readonly Finding[];
  readonly response?: { readonly status: number; readonly body: unknown } | undefined;
  readonly expected?: string;
}

/** Creates a case with one exchange, which has the given findings. Without findings, the case conforms by default. */
function caseOf(id: string, requirement: string, given: CaseSetup): CaseReport {
  const { findings = [], outcome = findings.length > 0 ? 'violates' : 'conforms', expected } = given;
  const attributes = { ...bearer, key: 'good', ...given.attributes };
  const { status: code, body } = given.response ?? { status: 401, body: {} };
  const exchange = createExchange(`${id}#1`, {
    attributes,
    response: { status: code, headers: {}, body: { text: JSON.stringify(body), bytes: 1 }, pieces: 1 },
  });
  const check = createCheck(requirement, outcome, {
    findings: findings.map((finding) => ({ exchange: exchange.id, message: finding.kind, finding })),
    ...(expected !== undefined && { expected }),
  });
  return createCase(id, [check], { attributes, exchanges: [exchange] });
}

const badKey = (key: string, finding: Finding, more: CaseSetup = {}): CaseReport =>
  caseOf(`auth/${key}/${JSON.stringify(more.attributes ?? {})}`, 'auth/bad-bearer-token', {
    ...more,
    attributes: { key, ...more.attributes },
    findings: [finding],
  });
const causesOf = (report: Report): readonly Cause[] => createView(report).causes;
const titles = (cases: readonly CaseReport[]): string[] =>
  causesOf(createReport(cases)).map(({ title }) => title);

describe('causes', () => {
  test('are sorted by severity, then by the number of requests', () => {
    const wrongTypes = Array.from({ length: 30 }, (_, index) =>
      badKey('unknown', type('one_api_error'), { attributes: { given: `${index}` } }),
    );
    const causes = causesOf(
      createReport([
        caseOf('a', 'model-error/trace', { findings: [missing('/trace_id')] }),
        ...wrongTypes,
        caseOf('b', 'requests/body', {
          attributes: { fault: 'unparseable' },
          findings: [status(500, '400')],
        }),
        caseOf('w', 'streams/should', { outcome: 'warns', findings: [status(200, '400')] }),
        badKey('suffixed', status(403)),
        badKey('prefix-less', status(200), { response: { status: 200, body: { id: 'a' } } }),
        caseOf('c', 'chat/role', { attributes: { fault: 'missing' }, findings: [status(200, '400')] }),
      ]),
    );
    expect(causes.map(({ severity, title }) => [severity, title])).toEqual([
      ['unauthorized-access', 'A key without its prefix is accepted on `chat`'],
      ['invalid-accepted', 'Requests with an invalid body succeed'],
      ['server-error', 'Requests whose body is not JSON get 500 instead of 400'],
      ['wrong-status', 'Requests with a key with a suffix appended get 403 instead of 401'],
      [
        'wrong-type',
        'Requests with an unknown key: error.type is "one_api_error" instead of `invalid_api_key`',
      ],
      ['wrong-detail', 'trace_id is missing'],
      ['recommendation', expect.stringContaining('200')],
    ]);
  });

  test('name the operations that fail only when streamed', () => {
    const good = (operation: string, streamed: string): CaseReport =>
      caseOf(`${operation}/${streamed}`, 'streams/good', {
        attributes: { operation, streamed, header: 'any', request: 'valid', key: 'good', fault: 'none' },
        findings: [status(500, '2xx')],
      });
    expect(titles([good('models', 'false'), good('chat', 'true')])).toEqual([
      'Valid requests get 500 on `models` and `chat` (streamed)',
    ]);
    expect(titles([good('chat', 'false'), good('chat', 'true'), good('streamGenerate', 'true')])).toEqual([
      'Valid requests get 500 on `chat` and `streamGenerate`',
    ]);
  });

  test('name an empty body if no other invalid JSON has the same result', () => {
    const answered = (...faults: readonly string[]): string[] =>
      titles(
        faults.map((fault) =>
          caseOf(fault, 'requests/body', { attributes: { fault }, findings: [status(500, '400')] }),
        ),
      );
    expect(answered('empty-body')).toEqual(['Requests with an empty body get 500 instead of 400']);
    expect(answered('empty-body', 'unparseable')).toEqual([
      'Requests whose body is not JSON get 500 instead of 400',
    ]);
  });

  test('do not mix severities', () => {
    const causes = causesOf(
      createReport([
        badKey('unknown', type('x')),
        badKey('prefix-less', status(200), { response: { status: 200, body: {} } }),
      ]),
    );
    expect(causes.map(({ severity, cases }) => [severity, cases.length])).toEqual([
      ['unauthorized-access', 1],
      ['wrong-type', 1],
    ]);
  });

  test('of accepted requests are grouped by the fault of the credential', () => {
    const served = { response: { status: 200, body: { id: 'a' } } };
    expect(
      titles([
        badKey('good', status(200), { ...served, attributes: { header: 'query', accepted: 'false' } }),
        badKey('good', status(200), { ...served, attributes: { header: 'raw', accepted: 'false' } }),
        badKey('deleted', status(200), served),
        badKey('truncated', status(200), served),
        badKey('other-case', status(200), { ...served, attributes: { operation: 'models' } }),
      ]),
    ).toEqual([
      'Wrong keys are accepted on `chat` and `models`: the first half of a key, a key with upper and lower case swapped',
      'A key in the query (`?key=`) is accepted on `chat`',
      'A key in `Authorization` without a scheme is accepted on `chat`',
      'A deleted key is accepted on `chat`',
    ]);
  });

  test('of a generated wrong key do not include other accepted keys', () => {
    const served = { response: { status: 200, body: { id: 'a' } } };
    const generated = caseOf('fuzz/key/seed=1/n=1', 'auth/bad-bearer-token', {
      ...served,
      attributes: { key: 'unknown' },
      findings: [status(200)],
    });
    expect(titles([generated, badKey('deleted', status(200), served)])).toEqual([
      'A key changed in one place is accepted on `chat`',
      'A deleted key is accepted on `chat`',
    ]);
  });

  test('are two for an operation that accepts requests without a key and with one kind of wrong key', () => {
    const served = { response: { status: 200, body: { id: 'a' } } };
    const attributes = { header: 'none', accepted: 'false' };
    const found = titles([
      badKey('none', status(200), { ...served, attributes }),
      badKey('other-case', status(200), served),
    ]);
    expect(found).toEqual([
      'Requests without a key succeed on `chat`',
      'A key with upper and lower case swapped is accepted on `chat`',
    ]);
  });

  test('are one for an operation that accepts requests without a key and with an unknown key', () => {
    const served = { response: { status: 200, body: { id: 'a' } } };
    const none = { header: 'none', accepted: 'false' };
    expect(
      titles([
        badKey('none', status(200), { ...served, attributes: none }),
        badKey('unknown', status(200), served),
        badKey('deleted', status(200), served),
        badKey('deleted', status(200), { ...served, attributes: { operation: 'models' } }),
      ]),
    ).toEqual([
      'Requests without a key succeed on `chat`, like requests with a wrong key or a deleted key',
      'A deleted key is accepted on `models`',
    ]);
  });

  test('of a 2xx with an error in the body are a wrong status', () => {
    const response = { status: 200, body: { error: { type: 'a', message: 'b' } } };
    const [cause] = causesOf(createReport([badKey('unknown', status(200), { response })]));
    expect(cause?.severity).toBe('wrong-status');
    expect(cause?.title).toBe(
      'Requests with an unknown key get 200 with an error in the body instead of 401',
    );
  });

  test('of a valid request with a wrong 2xx name an error in the body only if the body contains one', () => {
    const answered = (body: unknown): string[] =>
      titles([
        caseOf('a', 'requests/a', { findings: [status(202, '200')], response: { status: 202, body } }),
      ]);
    expect(answered({ id: 'a' })).toEqual([
      'Valid requests with the key in `Authorization` get 202 instead of 200 on `chat`',
    ]);
    expect(answered({ error: { type: 'a' } })).toEqual([
      'Valid requests with the key in `Authorization` get 202 with an error in the body instead of 200 on `chat`',
    ]);
  });

  test('of checks without a finding have no requests and are not merged', () => {
    const report = createReport(
      ['a', 'b'].map((id) => caseOf(id, `requests/${id}`, { outcome: 'violates' })),
    );
    const cases = report.cases.map((item) => ({
      ...item,
      checks: item.checks.map((check) => ({ ...check, reason: `reason ${item.id}` })),
    }));
    const causes = causesOf({ ...report, cases });
    expect(causes.map(({ title, requests }) => [title, requests])).toEqual([
      ['reason a', []],
      ['reason b', []],
    ]);
    expect(causes.flatMap(({ symptoms }) => symptoms.flatMap(({ requests }) => requests))).toEqual([]);
  });

  test('of requests with several invalid parts are those of a part that fails alone', () => {
    const both = badKey('unknown', status(500), { attributes: { request: 'invalid', fault: 'unparseable' } });
    expect(titles([badKey('unknown', status(500)), both])).toEqual([
      'Requests with an unknown key get 500 instead of 401',
    ]);
    expect(titles([both])).toEqual([
      'Requests with an unknown key and with an invalid body or model get 500 instead of 401',
    ]);
  });

  test('of a wrong status contain what else is wrong with the same responses', () => {
    const item = caseOf('models/unlisted', 'models/unlisted', { findings: [status(404, '400')] });
    const [exchange] = item.exchanges;
    const pooled = createCase('pooled/operation', [
      createCheck('model-error/shape', 'violates', {
        findings: [{ exchange: exchange?.id ?? '', message: 'missing', finding: missing('/trace_id') }],
      }),
    ]);
    const [cause, ...others] = causesOf(createReport([item, pooled]));
    expect(others).toEqual([]);
    expect(cause?.requirements.map(({ id }) => id)).toEqual(['models/unlisted', 'model-error/shape']);
    expect(cause?.example?.case).toBe('models/unlisted');
  });

  test('are merged for details that the same responses lack', () => {
    const own = (id: string, ...places: string[]): CaseReport => {
      const item = caseOf(id, 'model-error/a', { findings: [missing(places[0] ?? '')] });
      return {
        ...item,
        checks: places.map((place) => ({
          requirement: `model-error${place}`,
          outcome: 'violates' as const,
          findings: [{ exchange: `${id}#1`, message: 'missing', finding: missing(place) }],
        })),
      };
    };
    const cases = [own('a', '/trace_id', '/error/details'), own('b', '/trace_id', '/error/details')];
    expect(titles([...cases, own('c', '/other')])).toEqual([
      'trace_id is missing; error.details is missing',
      'other is missing',
    ]);
  });

  test('name the requests whose response body is not JSON', () => {
    const html: Finding = { kind: 'not-json', place: '/error/type', actual: '<p>' };
    const [cause] = causesOf(createReport([badKey('unknown', html), badKey('empty', html)]));
    expect(cause?.severity).toBe('not-json');
    expect(cause?.title).toBe('Requests without a valid credential on `chat`: the response body is not JSON');
    expect(isInTitle('The response body is not JSON', cause?.title ?? '')).toBe(true);
    expect(isInTitle('not JSON', cause?.title ?? '')).toBe(false);
  });

  test('omit failures that the baseline expects', () => {
    expect(titles([badKey('unknown', status(403), { expected: 'Ticket 7' })])).toEqual([]);
  });

  test('of requests of an unknown kind are grouped by the first part of the requirement ID', () => {
    const unknown = { request: 'invalid', header: 'any' };
    const cases = ['chat/a', 'chat/b', 'billing/c'].map((requirement) =>
      caseOf(requirement, requirement, { attributes: unknown, findings: [status(418, '400')] }),
    );
    expect(causesOf(createReport(cases)).map((cause) => cause.cases)).toEqual([
      ['chat/a', 'chat/b'],
      ['billing/c'],
    ]);
  });
});

describe('failures of overlapping requests', () => {
  const overlapping = { attributes: { overlapping: 'true' } };
  const served = { response: { status: 200, body: { id: 'a' } } };
  const good = (id: string, attributes: Record<string, string>): CaseReport =>
    caseOf(id, 'requests/good', { attributes, findings: [status(401, '2xx')] });

  test('are named in the title, and the place to look at first is shared state', () => {
    const accepted = causesOf(createReport([badKey('unknown', status(200), { ...served, ...overlapping })]));
    const refused = causesOf(createReport([good('a', overlapping.attributes)]));
    expect([...accepted, ...refused].map(({ title }) => title)).toEqual([
      'An unknown key is accepted on `chat` while other requests are under way',
      'Valid requests with the key in `Authorization` get 401 on `chat` while other requests are under way',
    ]);
    for (const { lookAt } of [...accepted, ...refused]) {
      expect(lookAt).toMatch(/^state that requests share.* other keys were under way .*curl line alone/);
    }
  });

  test('have no cause of their own if other requests fail in the same way', () => {
    const causes = causesOf(createReport([good('a', overlapping.attributes), good('b', {})]));
    expect(causes.map(({ title }) => title)).toEqual([
      'Valid requests with the key in `Authorization` get 401 on `chat`',
    ]);
    expect(causes[0]?.lookAt).not.toContain('under way');
    expect(causes[0]?.example?.case).toBe('b');
  });

  test('are separate from failures with a deleted key', () => {
    const found = titles([
      badKey('unknown', status(200), { ...served, ...overlapping }),
      badKey('deleted', status(200), served),
    ]);
    expect(found).toEqual([
      'An unknown key is accepted on `chat` while other requests are under way',
      'A deleted key is accepted on `chat`',
    ]);
  });
});

describe('the place to look at first for a wrong key', () => {
  const kinds = ['truncated', 'extended', 'altered', 'swapped'];
  const lookAt = (accepts: (key: string, operation: string) => boolean): string | undefined => {
    const cases = kinds.flatMap((key) =>
      ['chat', 'models', 'messages'].map((operation) =>
        accepts(key, operation)
          ? badKey(key, status(200), { attributes: { operation }, response: { status: 200, body: {} } })
          : caseOf(`auth/${key}/${operation}`, 'auth/bad-bearer-token', { attributes: { key, operation } }),
      ),
    );
    return causesOf(createReport(cases))[0]?.lookAt;
  };

  test.each<[string, (key: string, operation: string) => boolean]>([
    ['one kind of key', (key) => key === 'truncated'],
    ['all keys of one operation', (_, operation) => operation === 'models'],
    ['one kind of key on one operation', (key, operation) => key === 'swapped' && operation === 'models'],
  ])('is the comparison of keys if %s is accepted', (_, accepts) => {
    expect(lookAt(accepts)).toBe('how keys are compared: the whole key must match');
  });

  test('includes stored results if most similar requests are rejected', () => {
    const some = ['truncated chat', 'extended models', 'altered messages'];
    expect(lookAt((key, operation) => some.includes(`${key} ${operation}`))).toBe(
      'how keys are compared, and at results of earlier requests that are stored on the connection or in a cache. Most similar requests are rejected',
    );
  });

  test('is the lookup of keys if an unknown key is accepted', () => {
    const served = { response: { status: 200, body: { id: 'a' } } };
    expect(causesOf(createReport([badKey('unknown', status(200), served)]))[0]?.lookAt).toMatch(
      /^whether the gateway looks up each key/,
    );
  });
});

test('the places to look at first after the run deleted a key are caches, connections and the profile', () => {
  const served = { response: { status: 200, body: { id: 'a' } } };
  const attributes = { key: 'deleted', lifecycle: 'deleted' };
  const failed = caseOf('lifecycle/deleted-key', 'auth/deleted-bearer-token', {
    attributes,
    findings: [status(200)],
    ...served,
  });
  expect(causesOf(createReport([failed]))[0]?.lookAt).toMatch(/^caches and connections .*`setup\.deleteKey`/);
});

describe('counts of a cause', () => {
  test('omit the cases that were not judged', () => {
    const open = (['not-applicable', 'inconclusive', 'conforms'] as const).map((outcome) =>
      caseOf(`auth/${outcome}`, 'auth/bad-bearer-token', { outcome }),
    );
    const [cause] = causesOf(createReport([badKey('unknown', status(403)), ...open]));
    expect(cause && countOf(cause)).toEqual({ number: 1, of: 2 });
  });

  test('count requests in a pooled case, and all attempts of a request once', () => {
    const found = ['chat/a#1~1', 'chat/a#1~2', 'chat/a#1', 'chat/b#1', 'chat/b#1@2', 'chat/b#1~1@2'].map(
      (exchange) => ({
        exchange,
        message: 'missing',
        finding: missing('/trace_id'),
      }),
    );
    const pooled = createCase('pooled/chat', [
      createCheck('model-error/trace', 'violates', { findings: found }),
    ]);
    const [cause] = causesOf(createReport([pooled]));
    expect(cause && countOf(cause)).toEqual({ number: 3, of: undefined });
  });
});

describe('the example of a cause', () => {
  test('is an exchange with the failure', () => {
    const item = badKey('unknown', type('x'));
    const other = createExchange('auth/other#1', { attributes: item.attributes });
    const withOther = { ...item, exchanges: [other, ...item.exchanges, other] };
    expect(causesOf(createReport([withOther]))[0]?.example?.exchange.id).toBe(item.exchanges[0]?.id);
    expect(causesOf(createReport([{ ...item, exchanges: [other] }]))[0]?.example).toBeUndefined();
  });

  test('is a request that is neither streamed nor invalid, if such a request failed', () => {
    const streamed = badKey('unknown', type('x'), { attributes: { streamed: 'true' } });
    const faulty = badKey('unknown', type('x'), { attributes: { request: 'invalid' } });
    const plain = badKey('unknown', type('x'));
    expect(causesOf(createReport([streamed, faulty, plain]))[0]?.example?.case).toBe(plain.id);
  });
});

describe('headlines', () => {
  const headlines = (cases: readonly CaseReport[]): string[] => {
    const report = createReport(cases);
    const causes = causesOf(report);
    return headlinesOf(report, causes, findCommonStatuses(report, causes));
  };
  const served = { response: { status: 200, body: { id: 'a' } } };
  const none = { header: 'none', accepted: 'false', key: 'none' };
  const keys = ['unknown', 'truncated', 'altered', 'deleted', 'empty', 'extended'];
  const every = (operation: string, finding: Finding, response: CaseSetup['response']): CaseReport[] => [
    badKey('none', finding, { response, attributes: { ...none, operation } }),
    ...keys.map((key) => badKey(key, finding, { response, attributes: { operation } })),
  ];
  const right = (id: string): CaseReport =>
    caseOf(`auth/right-${id}`, 'auth/bad-bearer-token', {
      attributes: { key: 'unknown', operation: id },
      response: { status: 401, body: { error: { type: 'invalid_bearer_token' } } },
    });

  test('name the operations that check no credential', () => {
    const open = [
      ...every('chat', status(200), served.response),
      ...every('models', status(200), served.response),
    ];
    expect(headlines(open)).toEqual([
      'Credentials are not checked: requests without a key succeed on chat, models.',
    ]);
    expect(headlines([...open, right('messages')])).toEqual([
      'Credentials are not checked on chat, models: requests without a key succeed.',
    ]);
    const [withoutKey] = open;
    expect(headlines([...(withoutKey ? [withoutKey] : []), right('chat')])).toEqual([]);
  });

  test('state a common wrong status of bad credentials', () => {
    const wrong = ['chat', 'models'].flatMap((operation) => every(operation, status(500), undefined));
    expect(headlines([...wrong, right('chat')])).toContain(
      'Requests without a valid credential get 500 instead of 401: 14 of 15 cases.',
    );
    const half = wrong.map((_, index) => right(`${index}`));
    expect(headlines([...wrong, ...half])).toEqual([]);
  });

  const errors = (count: number, body: unknown, ...findings: Finding[]): CaseReport[] =>
    Array.from({ length: count }, (_, index) =>
      caseOf(`requests/${JSON.stringify(body)}/${index}`, 'chat/role', {
        attributes: { fault: 'missing', request: 'invalid' },
        findings,
        response: { status: 400, body },
      }),
    );

  test('state the common type of all or most errors', () => {
    const wrong = errors(20, { error: { type: 'one_api_error' } }, type('one_api_error'));
    const others = (count: number) => errors(count, { error: { type: 'invalid_request_error' } });
    expect(headlines(wrong)).toEqual([
      'Every error response of a model endpoint has the type "one_api_error". Section 7.1 requires another type for most errors.',
    ]);
    expect(headlines([...wrong, ...others(2)])).toEqual([
      '20 of 22 error responses of model endpoints have the type "one_api_error". Section 7.1 requires another type for most errors.',
    ]);
    expect(headlines([...wrong, ...others(10)])).toEqual([]);
  });

  test('state the common type of refused credentials if other errors differ', () => {
    const body = { error: { type: 'auth_error' } };
    const refused = ['chat', 'models'].flatMap((operation) =>
      every(operation, type('auth_error'), { status: 401, body }),
    );
    expect(headlines([...refused, ...errors(9, { error: { type: 'invalid_request_error' } })])).toEqual([
      'Every error response to a bad credential has the type "auth_error". Section 7.1 requires another type for most errors.',
    ]);
  });

  test('state the members that every error lacks', () => {
    const lacking = errors(12, { error: { type: 'a' } }, missing('/trace_id'));
    const header = errors(12, { error: { type: 'b' } }, missing('/trace_id'), missing('header x-trace-id'));
    expect(headlines(lacking)).toEqual(['Every error response of a model endpoint lacks `trace_id`.']);
    expect(headlines(header)).toEqual([
      'Every error response of a model endpoint lacks `trace_id` and the header `x-trace-id`.',
    ]);
    expect(headlines([...lacking, ...errors(5, { trace_id: 'x' })])).toEqual([]);
  });

  test('state that errors are not JSON', () => {
    const text = errors(12, undefined, { kind: 'not-json', place: 'body', actual: 'oops' });
    expect(headlines(text)).toEqual(['No error response of a model endpoint is JSON.']);
  });

  test('are empty for few failures and for recorded traffic', () => {
    expect(headlines(errors(9, { error: { type: 'x' } }, type('x')))).toEqual([]);
    const report = createReport(errors(20, { error: { type: 'x' } }, type('x')));
    const recording = { exchanges: 20, judged: 20, notJudged: [] };
    const traffic = { ...report, recording };
    const causes = causesOf(report);
    expect(headlinesOf(traffic, causes, findCommonStatuses(traffic, causes))).toEqual([]);
  });
});

test('the place of a failure is that of the failed step, not of the last step of the case', () => {
  const item = caseOf('models/list', 'models/unlisted', {
    attributes: { operation: 'models' },
    findings: [status(502, '400')],
  });
  const exchanges = item.exchanges.map((exchange) => ({
    ...exchange,
    attributes: { ...exchange.attributes, operation: 'chat', model: 'unlisted' },
  }));
  const [cause] = causesOf(createReport([{ ...item, exchanges }]));
  expect(cause && formatWhere(cause)).toBe('1 case: on `chat`');
});

describe('a violated recommendation', () => {
  const wrong = (id: string, requirement: string, operation: string, outcome: Outcome): CaseReport =>
    caseOf(id, requirement, { outcome, findings: [missing('/trace_id')], attributes: { operation } });

  test('that repeats a violation on the same operation is part of its cause', () => {
    const [cause, ...others] = causesOf(
      createReport([
        wrong('a', 'model-error/trace-id-present', 'chat', 'violates'),
        wrong('b', 'accept/error-body', 'chat', 'warns'),
      ]),
    );
    expect(others).toEqual([]);
    expect(cause?.outcome).toBe('violates');
    expect(cause?.cases).toEqual(['a']);
    expect(cause?.requirements.map(({ id }) => id)).toEqual([
      'model-error/trace-id-present',
      'accept/error-body',
    ]);
  });

  test('on another operation has a cause of its own', () => {
    const causes = causesOf(
      createReport([
        wrong('a', 'model-error/trace-id-present', 'chat', 'violates'),
        wrong('b', 'accept/error-body', 'responses', 'warns'),
      ]),
    );
    expect(causes.map(({ outcome }) => outcome)).toEqual(['violates', 'warns']);
  });
});
