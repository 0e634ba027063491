import schema from '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json' with { type: 'json' };
import AjvDraft04 from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../../runner/report/report.ts';
import { createView } from '../../../runner/view/view.ts';
import { sarif } from '../../support/reporters.ts';
import { createSampleReport, withHostileTexts, withRarities } from '../../support/sample-report.ts';

/** The properties of a result that the tests read. */
interface Result {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly rank: number;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: { readonly text: string };
  readonly partialFingerprints: { readonly primaryLocationLineHash: string };
  readonly suppressions?: readonly { readonly justification: string }[];
  readonly webRequest?: { readonly index: number };
}

// The SARIF schema has a pattern that is invalid in Unicode mode.
const ajv = new AjvDraft04.default({ strict: false, unicodeRegExp: false });
addFormats.default(ajv);
const validate = ajv.compile(schema);

let report: Report;
beforeAll(async () => {
  report = withRarities(await createSampleReport());
});

function runOf(text: string) {
  return JSON.parse(text).runs[0];
}

function resultsOf(text: string): readonly Result[] {
  return runOf(text).results;
}

function problems(text: string): unknown {
  return validate(JSON.parse(text)) ? [] : validate.errors;
}

describe('the SARIF report', () => {
  test('is valid under the schema of SARIF 2.1.0', () => {
    expect(problems(sarif(report))).toEqual([]);
    expect(problems('{"version":"2.1.0","runs":[{"results":[]}]}')).not.toEqual([]);
  });

  test('has one result for each cause, and one for each requirement whose failures the baseline expects', () => {
    const text = sarif(report);
    const { rules } = runOf(text).tool.driver;
    const results = resultsOf(text);
    const { causes, expected } = createView(report);
    expect(causes.length * expected.length).toBeGreaterThan(0);
    expect(results.map(({ ruleId }) => ruleId)).toEqual([
      ...causes.map(({ requirements }) => requirements[0]?.id),
      ...expected.map(({ requirement }) => requirement.id),
    ]);
    expect(results.map(({ suppressions }) => suppressions !== undefined)).toEqual([
      ...causes.map(() => false),
      ...expected.map(() => true),
    ]);
    expect(new Set(results.map(({ level }) => level))).toEqual(new Set(['error', 'warning']));
    for (const { ruleId, ruleIndex } of results) expect(rules[ruleIndex].id).toBe(ruleId);
    expect(rules.map(({ id }: { id: string }) => id)).toEqual(report.requirements.map(({ id }) => id));
  });

  test('has the most severe cause first, each with its rank and severity', () => {
    const results = resultsOf(sarif(report)).filter(({ suppressions }) => !suppressions);
    const ranks = results.map(({ rank }) => rank);
    expect(ranks).toEqual([...ranks].sort((a, b) => b - a));
    expect([ranks[0], results[0]?.properties.severity]).toEqual([100, 'Unauthorized access']);
    expect([ranks.at(-1), results.at(-1)?.properties.severity]).toEqual([10, 'Recommendation']);
  });

  test('has notifications for inconclusive and not applicable checks and for a stale baseline entry', () => {
    const { toolExecutionNotifications } = runOf(sarif(report)).invocations[0];
    const texts = JSON.stringify(toolExecutionNotifications);
    expect(texts).toContain('inconclusive');
    expect(texts).toContain('not applicable');
    expect(texts).toContain('known.yaml:3: \\"models/listed\\" is no longer violated. Remove the entry.');
    expect(texts).toContain('conformance.yaml:9: The deviation codes.rate_limited expired');
  });

  test('has no result for what deviates as declared, and says in its rule what is declared', () => {
    const id = 'auth/missing-credential';
    expect(resultsOf(sarif(report)).filter(({ ruleId }) => ruleId === id)).toEqual([]);
    const { rules } = runOf(sarif(report)).tool.driver;
    const [rule] = rules.filter((one: { id: string }) => one.id === id);
    expect(rule.fullDescription.text).toContain(
      'Declared instead: types.missing_auth_credential: no_key (https://docs.example/errors).',
    );
  });

  test('has unique fingerprints that are the same in every run', () => {
    const prints = (of: Report): string[] =>
      resultsOf(sarif(of)).map(({ partialFingerprints }) => partialFingerprints.primaryLocationLineHash);
    const later = {
      ...report,
      startedAt: '2031-01-01T00:00:00.000Z',
      target: { baseUrl: 'http://x.example' },
    };
    expect(new Set(prints(report)).size).toBe(prints(report).length);
    expect(prints(later)).toEqual(prints(report));
  });

  test('suppresses violations that the baseline expects', () => {
    const suppressed = resultsOf(sarif(report)).flatMap(({ suppressions = [] }) => suppressions);
    expect(suppressed.length).toBeGreaterThan(0);
    for (const { justification } of suppressed) expect(justification).toContain('Ticket 12');
  });

  test('links the first result to its request and response', () => {
    const { webRequests, webResponses, results } = runOf(sarif(report));
    const [first]: readonly Result[] = results;
    const lines = first?.message.text.split('\n') ?? [];
    const exchange = report.cases
      .flatMap((item) => item.exchanges)
      .find(({ curl }) => lines.includes(`curl: ${curl}`));
    const index = first?.webRequest?.index ?? -1;
    expect(webRequests[index].target).toBe(exchange?.request.url);
    expect(webResponses[index].statusCode ?? 0).toBe(exchange?.response?.status ?? 0);
  });

  test('stays valid, with the same results and no links, whatever a gateway sends', () => {
    const expected = resultsOf(sarif(report)).map(({ level }) => level);
    fc.assert(
      fc.property(withHostileTexts(report), (spoilt) => {
        const text = sarif(spoilt);
        expect(problems(text)).toEqual([]);
        expect(resultsOf(text).map(({ level }) => level)).toEqual(expected);
        for (const { message } of resultsOf(text)) expect(message.text).not.toContain('](');
      }),
      { numRuns: 30 },
    );
  });
});
