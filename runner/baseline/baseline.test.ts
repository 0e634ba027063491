import { beforeAll, describe, expect, test } from 'vitest';
import { DataFileError, parseDataFile } from '../../contract/data-file.ts';
import { loadSchemas, type Schemas } from '../../contract/schemas.ts';
import type { Outcome } from '../judge/outcome.ts';
import { entryStatuses, makeExpect } from './apply-baseline.ts';
import { type Baseline, readBaseline } from './baseline.ts';
import type { Judged } from './model-entries.ts';
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

/** What a run made of the duties above, in their order; undefined where it left one out. */
function judged(...outcomes: readonly (Outcome | undefined)[]): UpdateSource {
  return {
    requirements: [
      { id: 'auth/bad', level: 'must' },
      { id: 'auth/good', level: 'should' },
    ],
    stopped: null,
    cases: known.flatMap(({ requirement, case: id }, index) => {
      const outcome = outcomes[index];
      return outcome ? [{ id, obligations: [{ requirement, outcome, findings: [] }] }] : [];
    }),
  };
}

describe('a baseline that is not of its form is refused with the line', () => {
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
      'an intermittent that is no truth value',
      ['violations:', '  - requirement: a', '    reason: b', '    intermittent: sometimes'],
      /^b\.yaml:4: /,
    ],
    ['an empty reason', ['violations:', '  - requirement: a', "    reason: ''"], /^b\.yaml:3: /],
    [
      'neither requirement nor case',
      ['violations:', '  - reason: a'],
      /^b\.yaml:2: an entry names a `requirement`, a `case`/,
    ],
    [
      'a date that is none',
      ['violations:', '  - requirement: a', '    reason: b', '    until: 2027-02-30'],
      /^b\.yaml:4: violations\[0\]\.until must match format "date"/,
    ],
    ['no YAML', ['violations: ['], /^b\.yaml:\d: /],
  ])('%s', (_, lines, message) => {
    const reading = (): Baseline => read(...lines);
    expect(reading).toThrow(DataFileError);
    expect(reading).toThrow(message);
  });
  test.each(['# nothing yet', 'violations:', 'violations: []'])('while %j is empty', (text) => {
    expect(read(text).claims).toEqual([]);
  });
});

/** A run in which one thing could not be judged because of a violation that is accepted already. */
const dependent: UpdateSource = {
  ...judged(),
  cases: [
    {
      id: 'auth/x/1',
      obligations: [
        { requirement: 'auth/bad', outcome: 'not-applicable', findings: [], dependsOn: 'auth/good' },
      ],
    },
  ],
};

describe('an entry', () => {
  const violation = ['violations:', '  - requirement: auth/bad', '    reason: r'];
  const inCase = (pattern: string): string[] => [...violation, `    case: ${pattern}`];
  test.each<[string, string[], Judged, string[]]>([
    [
      'applies where all of it is violated',
      violation,
      judged('violates', 'violates', 'violates'),
      ['applies'],
    ],
    ['applies where some of it is', violation, judged('violates', 'conforms', 'conforms'), ['applies']],
    ['applies where a `should` is not kept', violation, judged('warns', 'conforms', 'conforms'), ['applies']],
    ['is over where none of it is', violation, judged('conforms', 'conforms', 'conforms'), ['over']],
    [
      'is over where the rest is not applicable',
      violation,
      judged('conforms', 'conforms', 'not-applicable'),
      ['over'],
    ],
    ['can still apply where not all of it was sent', violation, judged('conforms', 'conforms'), ['unknown']],
    [
      'can still apply where some of it was inconclusive',
      violation,
      judged('conforms', 'conforms', 'inconclusive'),
      ['unknown'],
    ],
    [
      'can still apply where none of it is applicable',
      violation,
      judged('not-applicable', 'not-applicable', 'not-applicable'),
      ['unknown'],
    ],
    [
      'of some cases asks for those alone',
      inCase('auth/x/*'),
      judged('conforms', 'conforms', 'violates'),
      ['over'],
    ],
    [
      'of several patterns is held by each',
      inCase('[auth/x, auth/y/1]'),
      judged('conforms', 'conforms', 'violates'),
      ['over', 'applies'],
    ],
    [
      'of cases alone speaks of every requirement',
      ['violations: [{ case: auth/x/1, reason: r }]'],
      judged('conforms', 'conforms', 'conforms', 'violates'),
      ['applies'],
    ],
    [
      'matches nothing where there is no such requirement',
      ['violations: [{ requirement: auth/bat, reason: r }]'],
      judged('violates'),
      ['matches-nothing'],
    ],
    [
      'matches nothing where no such case judges it',
      ['violations: [{ requirement: auth/good, case: auth/y/*, reason: r }]'],
      judged('violates'),
      ['matches-nothing'],
    ],
    [
      'holds on its last day',
      [...violation, '    until: 2027-01-31'],
      judged('violates', 'violates', 'violates'),
      ['applies'],
    ],
    [
      'is expired on the day after',
      [...violation, '    until: 2027-01-30'],
      judged('violates', 'violates', 'violates'),
      ['expired'],
    ],
    [
      'is expired where nothing of it was sent',
      [...violation, '    until: 2027-01-30'],
      judged(),
      ['expired'],
    ],
    [
      'is over rather than expired',
      [...violation, '    until: 2027-01-30'],
      judged('conforms', 'conforms', 'conforms'),
      ['over'],
    ],
    [
      'is not over after a run without it if it is intermittent',
      [...violation, '    intermittent: true'],
      judged('conforms', 'conforms', 'conforms'),
      ['unknown'],
    ],
    [
      'applies in a run with it if it is intermittent',
      [...violation, '    intermittent: true'],
      judged('conforms', 'violates', 'conforms'),
      ['applies'],
    ],
    [
      'expires even if it is intermittent',
      [...violation, '    intermittent: true', '    until: 2027-01-30'],
      judged('conforms', 'conforms', 'conforms'),
      ['expired'],
    ],
    [
      'of what is not applicable applies where it is',
      ['notApplicable: [{ requirement: auth/*, reason: r }]'],
      judged('not-applicable', 'conforms', 'conforms', 'conforms'),
      ['applies'],
    ],
    [
      'of what is not applicable is over where it was judged',
      ['notApplicable: [{ requirement: auth/*, reason: r }]'],
      judged('violates', 'conforms', 'conforms', 'conforms'),
      ['over'],
    ],
  ])('%s', (_, lines, report, standings) => {
    expect(entryStatuses(read(...lines), report, known, today).map(({ standing }) => standing)).toEqual(
      standings,
    );
  });

  test.each<[string, string, Outcome, boolean]>([
    ['a violation', 'violations', 'violates', true],
    ['a violation that could not be judged this time', 'violations', 'inconclusive', true],
    ['what could not be judged', 'inconclusive', 'inconclusive', true],
    ['no violation of what could not be judged', 'inconclusive', 'violates', false],
    ['no missing judgement of what does not apply', 'notApplicable', 'inconclusive', false],
  ])('accepts %s', (_, section, outcome, expected) => {
    const reasonFor = makeExpect(read(`${section}: [{ requirement: auth/bad, reason: r }]`), today);
    expect(reasonFor({ requirement: 'auth/bad', case: 'auth/x/1' }, outcome) === 'r').toBe(expected);
  });

  test('expects what it speaks of, and nothing when it is expired', () => {
    const duty = { requirement: 'auth/bad', case: 'auth/x/1' };
    const reasonFor = makeExpect(read(...inCase('auth/x')), today);
    expect(reasonFor(duty, 'violates')).toBe('r');
    expect(reasonFor(duty, 'not-applicable')).toBeUndefined();
    expect(reasonFor({ ...duty, case: 'auth/y/1' }, 'violates')).toBeUndefined();
    expect(makeExpect(read(...violation, '    until: 2027-01-30'), today)(duty, 'violates')).toBeUndefined();
  });
});

describe('an update', () => {
  const scope = { strict: false, strictShould: false, today };
  const text = [
    '# known at our place',
    'violations:',
    '  # the first',
    '  - requirement: auth/bad # short',
    '    case: [auth/x/1, auth/y/1]',
    "    reason: 'JIRA-1: long'",
    '    until: 2027-03-01',
    '',
    '  # the second',
    '  - { requirement: auth/good, reason: old }',
  ];
  test('changes nothing where nothing changed', () => {
    expect(
      updateBaseline(judged('violates', 'conforms', 'violates', 'violates'), read(...text), known, scope),
    ).toBeUndefined();
  });
  test('takes out what is over, and keeps the rest with its comments', () => {
    const update = updateBaseline(
      judged('violates', 'conforms', 'conforms', 'conforms'),
      read(...text),
      known,
      scope,
    );
    expect(update?.text.split('\n')).toEqual([
      ...text.slice(0, 4),
      '    case: [ auth/x/1 ]',
      ...text.slice(5, 7),
      '',
    ]);
  });
  test('adds a requirement where all of it is violated, and else its cases', () => {
    const update = updateBaseline(
      judged('violates', 'violates', 'not-applicable', 'violates'),
      read('violations: []'),
      known,
      scope,
    );
    expect(update?.text).toBe(
      'violations:\n  - requirement: auth/bad\n    reason: "TODO: say why this is accepted"\n  - requirement: auth/good\n    reason: "TODO: say why this is accepted"\n',
    );
    const part = updateBaseline(
      judged('violates', 'violates', 'conforms'),
      read('violations: []'),
      known,
      scope,
    );
    expect(part?.text).toContain('    case:\n      - auth/x/1\n      - auth/x/2\n');
  });
  test('adds to a section without entries', () => {
    const update = updateBaseline(judged('violates'), read('# why', 'violations:'), known, scope);
    expect(update?.text).toMatch(/^# why\nviolations:\n {2}- requirement: auth\/bad\n/);
  });
  test('names the cases where others of the requirement were not sent', () => {
    const update = updateBaseline(judged('violates'), read('# none'), known, scope);
    expect(update?.text).toContain('case: auth/x/1');
  });
  test('leaves an expired entry to be renewed by hand', () => {
    const expired = read('violations: [{ requirement: auth/bad, reason: r, until: 2020-01-01 }]');
    expect(updateBaseline(judged('violates', 'violates', 'violates'), expired, known, scope)).toBeUndefined();
  });
  test.each<[string, UpdateSource, Partial<typeof scope>, RegExp | undefined]>([
    ['warnings are none', judged('warns'), {}, undefined],
    ['with --strict-should they are', judged('warns'), { strictShould: true }, /violations:\n.*auth\/bad/],
    ['what is not applicable is left out', judged('not-applicable'), {}, undefined],
    [
      'with --strict it is taken in',
      judged('not-applicable'),
      { strict: true },
      /notApplicable:\n.*auth\/bad/,
    ],
    [
      'a must that could not be judged is taken in',
      judged('inconclusive'),
      {},
      /inconclusive:\n.*auth\/bad\n.*auth\/x\/1\n.*TODO: say why this is accepted/,
    ],
    [
      'a should that could not be judged is left out',
      judged(undefined, undefined, undefined, 'inconclusive'),
      {},
      undefined,
    ],
    [
      'what a stopped run did not get to is left out',
      { ...judged('inconclusive'), stopped: { kind: 'time', reason: 'The time is up.' } },
      {},
      undefined,
    ],
    ['what depends on a violation is left out with --strict, too', dependent, { strict: true }, undefined],
  ])('takes in what would fail: %s', (_, report, more, expected) => {
    const update = updateBaseline(report, read('violations: []'), known, { ...scope, ...more });
    if (expected) expect(update?.text).toMatch(expected);
    else expect(update).toBeUndefined();
  });
});

describe('what listed models broke', () => {
  const counts = { planned: 5, conforms: 5, violates: 0, warns: 0, inconclusive: 0, notApplicable: 0 };
  /** A report of two models, the second of which breaks a requirement in so many cases more than are shown. */
  const ofModels = (unshown: number): UpdateSource => ({
    requirements: [{ id: 'auth/bad', level: 'must' }],
    stopped: null,
    cases: [
      {
        id: 'auth/x/1/model-id=m2',
        model: 'm2',
        obligations: [{ requirement: 'auth/bad', outcome: 'violates', findings: [] }],
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
          broken: [{ requirement: 'auth/bad', outcome: 'violates', cases: 1 + unshown }],
        },
      ],
      requirements: [{ id: 'auth/bad', models: counts }],
      notJudged: [],
    },
  });
  const violation = (pattern: string): string[] => [
    'violations:',
    '  - requirement: auth/bad',
    '    reason: r',
    `    case: "${pattern}"`,
  ];

  test.each<[string, string, number, string]>([
    ['a pattern of all its cases applies', '*/model-id=m2', 3, 'applies'],
    ['a case that is shown applies', 'auth/x/1/model-id=m2', 3, 'applies'],
    ['of a case that is not shown, nobody knows', 'auth/x/2/model-id=m2', 3, 'unknown'],
    ['where all are shown, a case that is not is over', 'auth/x/2/model-id=m2', 0, 'over'],
    ['a model that keeps it is over', '*/model-id=m1', 3, 'over'],
    ['of a model that is not listed, nobody knows', '*/model-id=m3', 3, 'unknown'],
    ['a pattern of all models applies', '*/model-id=*', 3, 'applies'],
  ])('%s', (_, pattern, unshown, standing) => {
    const baseline = read(...violation(pattern));
    expect(entryStatuses(baseline, ofModels(unshown), known, today).map((item) => item.standing)).toEqual([
      standing,
    ]);
  });

  test('is not judged by a run without models', () => {
    const baseline = read(...violation('*/model-id=m2'));
    expect(entryStatuses(baseline, judged('conforms'), known, today).map((item) => item.standing)).toEqual([
      'unknown',
    ]);
  });

  test('is taken into a renewed baseline by the model, and expected from then on', () => {
    const scope = { strict: false, strictShould: false, today };
    const update = updateBaseline(ofModels(3), read('violations: []'), known, scope);
    expect(update?.text).toContain('case: "*/model-id=m2"');
    const renewed = readBaseline(parseDataFile('b.yaml', update?.text ?? ''), schemas);
    expect(updateBaseline(ofModels(3), renewed, known, scope)).toBeUndefined();
  });
});
