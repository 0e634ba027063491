import { beforeAll, describe, expect, test } from 'vitest';
import { DataFileError, parseDataFile } from '../../common/data-file.ts';
import { loadSchemas, type Schemas } from '../../common/schemas.ts';
import { isFailed, type Outcome } from '../judge/outcome.ts';
import { type Severity, severities } from '../judge/severity.ts';
import type { CheckReport } from '../report/report.ts';
import { type CheckId, createBaselineLookup, listEntryStatuses } from './apply-baseline.ts';
import type { CheckResults } from './baseline.ts';
import { type Baseline, readBaseline } from './baseline.ts';
import { type UpdateSource, updateBaseline } from './update-baseline.ts';

let schemas: Schemas;
beforeAll(async () => {
  schemas = await loadSchemas();
});

function read(...lines: readonly string[]): Baseline {
  return readBaseline(parseDataFile('b.yaml', `${lines.join('\n')}\n`), schemas);
}

const today = '2027-01-31';
const known = [
  { requirement: 'auth/bad', case: 'auth/x/1' },
  { requirement: 'auth/bad', case: 'auth/x/2' },
  { requirement: 'auth/bad', case: 'auth/y/1' },
  { requirement: 'auth/good', case: 'auth/x/1' },
];

/** Returns a check, with the severity `wrong-type` if it failed. */
function checkOf(requirement: string, outcome: Outcome, severity: Severity = 'wrong-type'): CheckReport {
  return { requirement, outcome, findings: [], ...(isFailed(outcome) && { severity }) };
}

/**
 * Returns a run in which the checks of `known` have these outcomes, in the same order. The run does not contain the
 * checks with the outcome `undefined`.
 */
function judged(...outcomes: readonly (Outcome | undefined)[]): UpdateSource {
  return {
    requirements: [
      { id: 'auth/bad', level: 'must' },
      { id: 'auth/good', level: 'should' },
    ],
    stopped: null,
    cases: known.flatMap(({ requirement, case: id }, index) => {
      const outcome = outcomes[index];
      return outcome ? [{ id, checks: [checkOf(requirement, outcome)] }] : [];
    }),
  };
}

describe('the reader of baselines', () => {
  test.each<[string, string[], RegExp]>([
    [
      'an unknown member',
      ['violation: []'],
      /^b\.yaml:1: unknown property "violation"\. Did you mean "violations"\?/,
    ],
    [
      'an unknown member of an entry',
      ['violations:', '  - requirement: a', '    reasn: b', '    reason: b'],
      /^b\.yaml:3: unknown property "reasn" in violations\[0\]\. Did you mean "reason"\?/,
    ],
    [
      'no reason',
      ['violations:', '  - requirement: a'],
      /^b\.yaml:2: violations\[0\] has no property "reason"/,
    ],
    [
      'an `intermittent` that is not a boolean',
      ['violations:', '  - requirement: a', '    reason: b', '    intermittent: sometimes'],
      /^b\.yaml:4: /,
    ],
    [
      'a violation without a severity',
      ['violations:', '  - requirement: a', '    reason: b'],
      /^b\.yaml:2: the entry has no `severity`\. .* `severity: wrong-type`/,
    ],
    [
      'an unknown severity',
      ['violations:', '  - requirement: a', '    severity: bad', '    reason: b'],
      /^b\.yaml:3: /,
    ],
    [
      'a severity outside of `violations`',
      ['inconclusive:', '  - requirement: a', '    severity: wrong-type', '    reason: b'],
      /^b\.yaml:3: unknown property "severity"/,
    ],
    [
      'access in all cases',
      ['violations:', '  - requirement: a', '    severity: unauthorized-access', '    reason: b'],
      /^b\.yaml:2: an entry with `severity: unauthorized-access` must list the IDs of its cases/,
    ],
    [
      'access in a pattern of cases',
      [
        'violations:',
        '  - requirement: a',
        '    severity: unauthorized-access',
        '    reason: b',
        '    case: [x, y/*]',
      ],
      /^b\.yaml:5: an entry with `severity: unauthorized-access` must list/,
    ],
    ['an empty reason', ['violations:', '  - requirement: a', "    reason: ''"], /^b\.yaml:3: /],
    [
      'neither requirement nor case',
      ['violations:', '  - reason: a'],
      /^b\.yaml:2: an entry needs a `requirement`, a `case`/,
    ],
    [
      'an invalid date',
      ['violations:', '  - requirement: a', '    reason: b', '    until: 2027-02-30'],
      /^b\.yaml:4: violations\[0\]\.until must be a date, such as 2026-12-31\./,
    ],
    ['invalid YAML', ['violations: ['], /^b\.yaml:\d: /],
  ])('rejects %s with the line', (_, lines, message) => {
    const reading = (): Baseline => read(...lines);
    expect(reading).toThrow(DataFileError);
    expect(reading).toThrow(message);
  });
  test.each(['# nothing yet', 'violations:', 'violations: []'])('reads %j as an empty baseline', (text) => {
    expect(read(text).patterns).toEqual([]);
  });
});

/** A run with a check that is not applicable because another requirement is violated. */
const dependent: UpdateSource = {
  ...judged(),
  cases: [
    {
      id: 'auth/x/1',
      checks: [{ requirement: 'auth/bad', outcome: 'not-applicable', findings: [], dependsOn: 'auth/good' }],
    },
  ],
};

describe('an entry', () => {
  const violation = ['violations:', '  - requirement: auth/bad', '    severity: wrong-type', '    reason: r'];
  const inCase = (pattern: string): string[] => [...violation, `    case: ${pattern}`];
  test.each<[string, string[], CheckResults, string[]]>([
    [
      'applies if all of its checks are violated',
      violation,
      judged('violates', 'violates', 'violates'),
      ['applies'],
    ],
    [
      'applies if some of its checks are violated',
      violation,
      judged('violates', 'conforms', 'conforms'),
      ['applies'],
    ],
    ['applies if a `should` is violated', violation, judged('warns', 'conforms', 'conforms'), ['applies']],
    [
      'is stale if none of its checks are violated',
      violation,
      judged('conforms', 'conforms', 'conforms'),
      ['stale'],
    ],
    [
      'is stale if the other checks are not applicable',
      violation,
      judged('conforms', 'conforms', 'not-applicable'),
      ['stale'],
    ],
    [
      'is unknown if some of its checks were not sent',
      violation,
      judged('conforms', 'conforms'),
      ['unknown'],
    ],
    [
      'is unknown if some of its checks were inconclusive',
      violation,
      judged('conforms', 'conforms', 'inconclusive'),
      ['unknown'],
    ],
    [
      'is unknown if none of its checks are applicable',
      violation,
      judged('not-applicable', 'not-applicable', 'not-applicable'),
      ['unknown'],
    ],
    [
      'with a case pattern depends only on the cases that match',
      inCase('auth/x/*'),
      judged('conforms', 'conforms', 'violates'),
      ['stale'],
    ],
    [
      'with several patterns has a status for each pattern',
      inCase('[auth/x, auth/y/1]'),
      judged('conforms', 'conforms', 'violates'),
      ['stale', 'applies'],
    ],
    [
      'without a requirement applies if one requirement of its case is violated',
      ['violations: [{ case: auth/x/1, severity: wrong-type, reason: r }]'],
      judged('conforms', 'conforms', 'conforms', 'violates'),
      ['applies'],
    ],
    [
      'matches nothing if the requirement does not exist',
      ['violations: [{ requirement: auth/bat, severity: wrong-type, reason: r }]'],
      judged('violates'),
      ['matches-nothing'],
    ],
    [
      'matches nothing if no case of its pattern checks the requirement',
      ['violations: [{ requirement: auth/good, severity: wrong-type, case: auth/y/*, reason: r }]'],
      judged('violates'),
      ['matches-nothing'],
    ],
    [
      'applies on its last day',
      [...violation, '    until: 2027-01-31'],
      judged('violates', 'violates', 'violates'),
      ['applies'],
    ],
    [
      'is expired on the day after its last day',
      [...violation, '    until: 2027-01-30'],
      judged('violates', 'violates', 'violates'),
      ['expired'],
    ],
    [
      'is expired if none of its checks were sent',
      [...violation, '    until: 2027-01-30'],
      judged(),
      ['expired'],
    ],
    [
      'is stale, not expired, if none of its checks are violated after its last day',
      [...violation, '    until: 2027-01-30'],
      judged('conforms', 'conforms', 'conforms'),
      ['stale'],
    ],
    [
      'that is intermittent is not stale after a run without its violations',
      [...violation, '    intermittent: true'],
      judged('conforms', 'conforms', 'conforms'),
      ['unknown'],
    ],
    [
      'that is intermittent applies after a run with its violations',
      [...violation, '    intermittent: true'],
      judged('conforms', 'violates', 'conforms'),
      ['applies'],
    ],
    [
      'that is intermittent expires',
      [...violation, '    intermittent: true', '    until: 2027-01-30'],
      judged('conforms', 'conforms', 'conforms'),
      ['expired'],
    ],
    [
      'for not applicable checks applies if the checks are not applicable',
      ['notApplicable: [{ requirement: auth/*, reason: r }]'],
      judged('not-applicable', 'conforms', 'conforms', 'conforms'),
      ['applies'],
    ],
    [
      'for not applicable checks is stale if the checks were judged',
      ['notApplicable: [{ requirement: auth/*, reason: r }]'],
      judged('violates', 'conforms', 'conforms', 'conforms'),
      ['stale'],
    ],
  ])('%s', (_, lines, report, statuses) => {
    expect(listEntryStatuses(read(...lines), report, known, today).map(({ status }) => status)).toEqual(
      statuses,
    );
  });

  test.each<[string, Outcome, boolean]>([
    ['violations', 'violates', true],
    ['violations', 'inconclusive', true],
    ['inconclusive', 'inconclusive', true],
    ['inconclusive', 'violates', false],
    ['notApplicable', 'inconclusive', false],
  ])('in `%s` accepts the outcome %s: %j', (section, outcome, expected) => {
    const severity = section === 'violations' ? ', severity: wrong-type' : '';
    const look = createBaselineLookup(
      read(`${section}: [{ requirement: auth/bad, reason: r${severity} }]`),
      today,
    );
    const { reason } = look({ requirement: 'auth/bad', case: 'auth/x/1' }, checkOf('auth/bad', outcome));
    expect(reason === 'r').toBe(expected);
  });

  test('accepts no other check, no check that is not applicable, and nothing after its last day', () => {
    const check = { requirement: 'auth/bad', case: 'auth/x/1' };
    const reasonFor = (entry: readonly string[], id: CheckId, outcome: Outcome): string | undefined =>
      createBaselineLookup(read(...entry), today)(id, checkOf(id.requirement, outcome)).reason;
    const entry = inCase('auth/x');
    expect(reasonFor(entry, check, 'violates')).toBe('r');
    expect(reasonFor(entry, check, 'not-applicable')).toBeUndefined();
    expect(reasonFor(entry, { ...check, case: 'auth/y/1' }, 'violates')).toBeUndefined();
    expect(reasonFor([...violation, '    until: 2027-01-30'], check, 'violates')).toBeUndefined();
  });
});

describe('a severity', () => {
  const check = { requirement: 'auth/bad', case: 'auth/x/1' };
  const entryOf = (severity: Severity): string[] => [
    'violations:',
    '  - requirement: auth/bad',
    `    severity: ${severity}`,
    '    case: auth/x/1',
    '    reason: r',
  ];
  test.each(
    severities.flatMap((accepted, at) =>
      severities.map((seen, rank) => [accepted, seen, rank >= at] as const),
    ),
  )('%s accepts %s: %j', (accepted, seen, isAccepted) => {
    const look = createBaselineLookup(read(...entryOf(accepted)), today);
    expect(look(check, checkOf('auth/bad', 'violates', seen))).toEqual(
      isAccepted
        ? { reason: 'r', acceptedSeverity: undefined }
        : { reason: undefined, acceptedSeverity: accepted },
    );
  });
  test('is the highest if a failed check states none', () => {
    const look = createBaselineLookup(read(...entryOf('valid-request-fails')), today);
    expect(look(check, { outcome: 'violates' }).reason).toBeUndefined();
  });
  test('above wrong-status accepts only the whole ID of a case', () => {
    const look = createBaselineLookup(read(...entryOf('server-error')), today);
    const longer = { ...check, case: 'auth/x/1/more' };
    expect(look(longer, checkOf('auth/bad', 'violates', 'server-error')).reason).toBeUndefined();
  });
  test('above wrong-status may accept all cases of one listed model', () => {
    const entries = (glob: string): string[] => [
      ...entryOf('valid-request-fails').slice(0, 3),
      `    case: '${glob}'`,
      '    reason: r',
    ];
    expect(read(...entries('*/model-id=m')).patterns).toHaveLength(1);
    expect(() => read(...entries('*/model-id=*'))).toThrow('must list the IDs');
  });
  test('keeps an entry whose checks are worse now from being stale', () => {
    const worse: CheckResults = {
      cases: [{ id: 'auth/x/1', checks: [checkOf('auth/bad', 'violates', 'unauthorized-access')] }],
    };
    expect(listEntryStatuses(read(...entryOf('wrong-type')), worse, known, today)).toMatchObject([
      { status: 'applies' },
    ]);
  });
});

describe('an update', () => {
  const scope = { strict: false, strictShould: false, today };
  const text = [
    '# known at our place',
    'violations:',
    '  # the first',
    '  - requirement: auth/bad # short',
    '    severity: wrong-type',
    '    case: [auth/x/1, auth/y/1]',
    "    reason: 'JIRA-1: long'",
    '    until: 2027-03-01',
    '',
    '  # the second',
    '  - { requirement: auth/good, severity: wrong-type, reason: old }',
  ];
  test('changes nothing if the results are the same', () => {
    expect(
      updateBaseline(judged('violates', 'conforms', 'violates', 'violates'), read(...text), known, scope),
    ).toBeUndefined();
  });
  test('removes stale entries and keeps the rest with its comments', () => {
    const update = updateBaseline(
      judged('violates', 'conforms', 'conforms', 'conforms'),
      read(...text),
      known,
      scope,
    );
    expect(update?.text.split('\n')).toEqual([
      ...text.slice(0, 5),
      '    case: [ auth/x/1 ]',
      ...text.slice(6, 8),
      '',
    ]);
  });
  test.each<[string, string, UpdateSource, boolean]>([
    [
      'removes an entry in `inconclusive` whose applicable checks were judged',
      '',
      judged('conforms', 'violates', 'not-applicable'),
      true,
    ],
    [
      'keeps an intermittent entry in `inconclusive`',
      ', intermittent: true',
      judged('conforms', 'warns', 'warns'),
      false,
    ],
    [
      'keeps an entry in `inconclusive` with a check that is inconclusive again',
      '',
      judged('conforms', 'conforms', 'inconclusive'),
      false,
    ],
    [
      'keeps an entry in `inconclusive` with a check that was not sent',
      '',
      judged('conforms', 'conforms', undefined),
      false,
    ],
    [
      'keeps an entry in `inconclusive` whose checks are not applicable',
      '',
      judged('not-applicable', 'not-applicable', 'not-applicable'),
      false,
    ],
  ])('%s', (_, more, report, isRemoved) => {
    const accepted = read(`inconclusive: [{ requirement: auth/bad, reason: r${more} }]`);
    const update = updateBaseline(report, accepted, known, scope);
    expect(update?.removed ?? 0).toBe(isRemoved ? 1 : 0);
  });
  test('adds an entry without cases only if all applicable checks of a requirement are violated', () => {
    const update = updateBaseline(
      judged('violates', 'violates', 'not-applicable', 'violates'),
      read('violations: []'),
      known,
      scope,
    );
    expect(update?.text).toBe(
      'violations:\n  - requirement: auth/bad\n    severity: wrong-type\n    reason: "TODO: explain why this is accepted"\n  - requirement: auth/good\n    severity: wrong-type\n    reason: "TODO: explain why this is accepted"\n',
    );
    const part = updateBaseline(
      judged('violates', 'violates', 'conforms'),
      read('violations: []'),
      known,
      scope,
    );
    expect(part?.text).toContain('    case:\n      - auth/x/1\n      - auth/x/2\n');
  });
  test('adds one entry for each severity, and names the cases of all but the lowest', () => {
    const report: UpdateSource = {
      ...judged('violates', 'violates', 'violates'),
      cases: [
        { id: 'auth/x/1', checks: [checkOf('auth/bad', 'violates', 'unauthorized-access')] },
        { id: 'auth/x/2', checks: [checkOf('auth/bad', 'violates', 'wrong-status')] },
        { id: 'auth/y/1', checks: [checkOf('auth/bad', 'violates', 'wrong-type')] },
      ],
    };
    const update = updateBaseline(report, read('violations: []'), known, scope);
    const entries = parseDataFile('b.yaml', update?.text ?? '').value;
    const reason = 'TODO: explain why this is accepted';
    expect(entries).toEqual({
      violations: [
        { requirement: 'auth/bad', severity: 'unauthorized-access', case: 'auth/x/1', reason },
        { requirement: 'auth/bad', severity: 'wrong-status', case: 'auth/x/2', reason },
        { requirement: 'auth/bad', severity: 'wrong-type', reason },
      ],
    });
    expect(updateBaseline(report, read(...(update?.text ?? '').split('\n')), known, scope)).toBeUndefined();
  });
  test('names the cases of access even if all cases have it, and adds a check that is worse than accepted', () => {
    const accesses: UpdateSource = {
      ...judged(),
      cases: [{ id: 'auth/x/1', checks: [checkOf('auth/good', 'violates', 'unauthorized-access')] }],
    };
    const mild = read('violations: [{ requirement: auth/good, severity: wrong-type, reason: r }]');
    expect(updateBaseline(accesses, mild, known, scope)?.text).toMatch(
      /severity: unauthorized-access,?\s+case: auth\/x\/1/,
    );
  });
  test('adds to a section without entries', () => {
    const update = updateBaseline(judged('violates'), read('# why', 'violations:'), known, scope);
    expect(update?.text).toMatch(/^# why\nviolations:\n {2}- requirement: auth\/bad\n/);
  });
  test('names the violated case if other cases of the requirement were not sent', () => {
    const update = updateBaseline(judged('violates'), read('# none'), known, scope);
    expect(update?.text).toContain('case: auth/x/1');
  });
  test('does not renew an expired entry', () => {
    const expired = read(
      'violations: [{ requirement: auth/bad, severity: wrong-type, reason: r, until: 2020-01-01 }]',
    );
    expect(updateBaseline(judged('violates', 'violates', 'violates'), expired, known, scope)).toBeUndefined();
  });
  test.each<[string, UpdateSource, Partial<typeof scope>, RegExp | undefined]>([
    ['adds no warnings', judged('warns'), {}, undefined],
    [
      'adds warnings with --strict-should',
      judged('warns'),
      { strictShould: true },
      /violations:\n.*auth\/bad/,
    ],
    ['adds no checks that are not applicable', judged('not-applicable'), {}, undefined],
    [
      'adds not applicable checks with --strict',
      judged('not-applicable'),
      { strict: true },
      /notApplicable:\n.*auth\/bad/,
    ],
    [
      'adds an inconclusive check of a `must`',
      judged('inconclusive'),
      {},
      /inconclusive:\n.*auth\/bad\n.*auth\/x\/1\n.*TODO: explain why this is accepted/,
    ],
    [
      'adds no inconclusive check of a `should`',
      judged(undefined, undefined, undefined, 'inconclusive'),
      {},
      undefined,
    ],
    [
      'adds no inconclusive checks of a stopped run',
      { ...judged('inconclusive'), stopped: { kind: 'time', reason: 'The time is up.' } },
      {},
      undefined,
    ],
    ['adds no checks that depend on a violation, even with --strict', dependent, { strict: true }, undefined],
  ])('%s', (_, report, more, expected) => {
    const update = updateBaseline(report, read('violations: []'), known, { ...scope, ...more });
    if (expected) expect(update?.text).toMatch(expected);
    else expect(update).toBeUndefined();
  });
});

describe('violations of listed models', () => {
  const counts = {
    planned: 5,
    conforms: 5,
    violates: 0,
    warns: 0,
    inconclusive: 0,
    deviates: 0,
    notApplicable: 0,
  };
  /**
   * Returns a report of two models. The model `m2` violates a requirement in `unshown` more cases than the report
   * contains.
   */
  const ofModels = (unshown: number): UpdateSource => ({
    requirements: [{ id: 'auth/bad', level: 'must' }],
    stopped: null,
    cases: [
      {
        id: 'auth/x/1/model-id=m2',
        model: 'm2',
        checks: [checkOf('auth/bad', 'violates')],
      },
    ],
    models: {
      patterns: ['all'],
      listed: 2,
      items: [
        { id: 'm1', operations: ['chat'], own: [], cases: counts, broken: [] },
        {
          id: 'm2',
          operations: ['chat'],
          own: [],
          cases: counts,
          broken: [
            { requirement: 'auth/bad', outcome: 'violates', cases: 1 + unshown, severity: 'wrong-type' },
          ],
        },
      ],
      requirements: [{ id: 'auth/bad', models: counts }],
      notJudged: [],
    },
  });
  const violation = (pattern: string): string[] => [
    'violations:',
    '  - requirement: auth/bad',
    '    severity: wrong-type',
    '    reason: r',
    `    case: "${pattern}"`,
  ];

  test.each<[string, string, number, string]>([
    ['a pattern for all cases of the model applies', '*/model-id=m2', 3, 'applies'],
    ['a case in the report applies', 'auth/x/1/model-id=m2', 3, 'applies'],
    ['a case that is not in the report is unknown', 'auth/x/2/model-id=m2', 3, 'unknown'],
    ['a case that is not in a complete report is stale', 'auth/x/2/model-id=m2', 0, 'stale'],
    ['a model without violations is stale', '*/model-id=m1', 3, 'stale'],
    ['a model that is not listed is unknown', '*/model-id=m3', 3, 'unknown'],
    ['a pattern for all models applies', '*/model-id=*', 3, 'applies'],
  ])('an entry with %s', (_, pattern, unshown, status) => {
    const baseline = read(...violation(pattern));
    expect(listEntryStatuses(baseline, ofModels(unshown), known, today).map((item) => item.status)).toEqual([
      status,
    ]);
  });

  test('leave an entry for another case of the model unknown if checks of the model were inconclusive', () => {
    const { models, ...rest } = ofModels(0);
    const items = models?.items.map((item) => ({ ...item, cases: { ...counts, inconclusive: 1 } })) ?? [];
    const report = { ...rest, ...(models && { models: { ...models, items } }) };
    const status = (baseline: Baseline): unknown =>
      listEntryStatuses(baseline, report, [], today).map((item) => item.status);
    expect(status(read(...violation('auth/x/2/model-id=m2')))).toEqual(['unknown']);
    expect(status(read('inconclusive: [{ requirement: auth/bad, reason: r }]'))).toEqual(['applies']);
  });

  test('are unknown after a run without models', () => {
    const baseline = read(...violation('*/model-id=m2'));
    expect(listEntryStatuses(baseline, judged('conforms'), known, today).map((item) => item.status)).toEqual([
      'unknown',
    ]);
  });

  test('are added by model to an updated baseline, which then expects these violations', () => {
    const scope = { strict: false, strictShould: false, today };
    const update = updateBaseline(ofModels(3), read('violations: []'), known, scope);
    expect(update?.text).toContain('case: "*/model-id=m2"');
    const renewed = readBaseline(parseDataFile('b.yaml', update?.text ?? ''), schemas);
    expect(updateBaseline(ofModels(3), renewed, known, scope)).toBeUndefined();
  });
});
