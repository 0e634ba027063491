import fc from 'fast-check';
import { XmlDocument, XmlElement } from 'libxml2-wasm';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../../runner/report/report.ts';
import { createView } from '../../../runner/view/view.ts';
import { junit } from '../../support/reporters.ts';
import { createSampleReport, withHostileTexts, withRarities } from '../../support/sample-report.ts';

let report: Report;
beforeAll(async () => {
  report = withRarities(await createSampleReport());
});

const unreachable = { kind: 'unreachable', operation: undefined, message: 'No connection.' } as const;
const stopped = {
  kind: 'time',
  reason: 'The run reached its time limit of 1 s. Raise the limit (--max-time, or maxMs in the library).',
} as const;

/** Parses the document with libxml2 and returns the result of `ask`. */
function readXml<T>(text: string, ask: (find: (xpath: string) => XmlElement[]) => T): T {
  const document = XmlDocument.fromString(text);
  try {
    return ask((xpath) => document.find(xpath).filter((node) => node instanceof XmlElement));
  } finally {
    document.dispose();
  }
}

function attribute(element: XmlElement | undefined, name: string): string | undefined {
  return element?.attr(name)?.value;
}

/** The IDs of the requirements that a case of the report checks. */
function checked({ requirements, cases }: Report): string[] {
  const ids = new Set(cases.flatMap((item) => item.checks.map(({ requirement }) => requirement)));
  return requirements.map(({ id }) => id).filter((id) => ids.has(id));
}

describe('the JUnit report', () => {
  test('has a test case for each requirement with checks, the stop and each stale entry, and correct counts', () => {
    readXml(junit(report), (find) => {
      expect(find('//testcase').map((item) => attribute(item, 'name'))).toEqual(
        expect.arrayContaining([...checked(report), 'stopped', 'known.yaml:3', 'conformance.yaml:9']),
      );
      expect(find('//testcase')).toHaveLength(checked(report).length + 3);
      for (const suite of [...find('/testsuites'), ...find('/testsuites/testsuite')]) {
        const inside = (path: string): string =>
          String(suite.find(`${path}[not(ancestor-or-self::properties)]`).length);
        expect({
          tests: attribute(suite, 'tests'),
          failures: attribute(suite, 'failures'),
          errors: attribute(suite, 'errors'),
          skipped: attribute(suite, 'skipped'),
        }).toEqual({
          tests: inside('.//testcase'),
          failures: inside('.//failure'),
          errors: inside('.//error'),
          skipped: inside('.//skipped'),
        });
      }
    });
  });

  test('uses a different element for each kind of result', () => {
    readXml(junit(report), (find) => {
      const elements = {
        failed: 'failure',
        errored: 'error',
        skipped: 'skipped',
        warned: 'system-out',
        declared: 'system-out',
        known: 'skipped',
        passed: undefined,
      };
      for (const { name, kind } of createView(report).tests)
        expect(
          find(`//testcase[@name="${name}"]/*[name() != "properties"]`).map((element) => element.name),
        ).toEqual([elements[kind] ?? []].flat());
    });
  });

  test('says what is declared in a test that passes', () => {
    readXml(junit(report), (find) => {
      expect(find('//testcase[@name="auth/missing-credential"]/system-out')[0]?.content).toBe(
        'as declared in 3 cases: types.missing_auth_credential: no_key (https://docs.example/errors)',
      );
    });
  });

  test('names each cause of a failure, and lists the cases', () => {
    readXml(junit(report), (find) => {
      const [failure] = find('//testcase[@classname!="baseline"]/failure');
      const name = attribute(failure?.parent ?? undefined, 'name');
      const cases = report.cases.filter((item) =>
        item.checks.some(
          ({ requirement, outcome, expected }) =>
            requirement === name && outcome === 'violates' && expected === undefined,
        ),
      );
      expect(attribute(failure, 'message')).toContain(`such as ${cases[0]?.id}`);
      for (const { id } of cases) expect(failure?.content).toContain(id);
    });
  });

  test('has a failed test case for each stale baseline entry', () => {
    readXml(junit(report), (find) => {
      const [failure, ...others] = find('//testcase[@classname="baseline" and @name="known.yaml:3"]/failure');
      expect(others).toEqual([]);
      expect(attribute(failure, 'message')).toBe('"models/listed" is no longer violated. Remove the entry.');
    });
  });

  test('has a failed test case for a violated `must` for clients only if the violation fails the command', () => {
    const failedDuties = (text: string): unknown =>
      readXml(text, (find) =>
        find('//testcase[@classname="clients"]').map((item) => [
          attribute(item, 'name'),
          item.find('failure').map(({ content }) => content),
        ]),
      );
    expect(failedDuties(junit(report))).toEqual([]);
    expect(failedDuties(junit(report, { strictClient: true }))).toEqual([
      [
        'client/a',
        [
          'violated in 1 of 4 requests: A client must send its key in exactly one of the three accepted `header` fields.\nPOST /v1/chat/completions?a=1 → no response: The request has 2 credentials instead of 1. (page.har entry 7)',
        ],
      ],
    ]);
  });

  test.each([
    ['the gateway cannot be reached', { diagnosis: [unreachable], stopped: null }, 'unreachable'],
    ['the run was stopped', { diagnosis: [], stopped }, 'stopped'],
  ])('has one error, and skips the cases that were not judged, if %s', (_what, change, name) => {
    const cases = report.cases.map((item) => ({
      ...item,
      checks: item.checks.map((own) =>
        own.outcome === 'inconclusive' ? { ...own, reason: stopped.reason } : own,
      ),
    }));
    readXml(junit({ ...report, ...change, cases }), (find) => {
      expect(find('//testcase[error]').map((item) => attribute(item, 'name'))).toEqual([name]);
      expect(attribute(find('/testsuites')[0], 'errors')).toBe('1');
      const skipped = find('//testcase/skipped').map((item) => attribute(item, 'message'));
      expect(skipped.some((message) => message?.includes(stopped.reason))).toBe(true);
    });
  });

  test('has no error for a run that --bail stopped, since a violation is the cause', () => {
    const bail = { ...stopped, kind: 'bail' as const };
    readXml(junit({ ...report, diagnosis: [], stopped: bail }), (find) => {
      expect(find('//testcase[@classname="run"]')).toEqual([]);
    });
  });

  test('has the clause, the finding, the expected and the received response, and a curl line of a failure', () => {
    readXml(junit(report), (find) => {
      const text = find('//failure')[0]?.content ?? '';
      for (const word of ['clause', 'expected', 'found', 'received', 'at', 'time', 'trace ID', 'curl']) {
        expect(text).toMatch(new RegExp(`^${word} +\\S`, 'm'));
      }
    });
  });

  test('has the sentence, the clause and the level of the requirement as properties', () => {
    readXml(junit(report), (find) => {
      const [id] = checked(report);
      const requirement = report.requirements.find((one) => one.id === id);
      const values = find(`//testcase[@name="${id}"]/properties/property`).map((property) => [
        attribute(property, 'name'),
        attribute(property, 'value'),
      ]);
      expect(values).toEqual([
        ['says', requirement?.says],
        ['clause', requirement?.clause],
        ['level', requirement?.level],
      ]);
    });
  });

  test('has the same elements whatever a gateway sends', () => {
    // The names of suites, which order the tests, are parts of texts.
    const shape = (text: string): unknown =>
      readXml(text, (find) =>
        find('//testcase//*')
          .map((element) => `${element.parent?.name} ${element.name}`)
          .sort(),
      );
    const expected = shape(junit(report, { strictClient: true }));
    fc.assert(
      fc.property(withHostileTexts(report), (spoilt) => {
        expect(shape(junit(spoilt, { strictClient: true }))).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });
});
