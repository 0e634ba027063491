import fc from 'fast-check';
import { XmlDocument, XmlElement } from 'libxml2-wasm';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../../runner/report/report.ts';
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

describe('the JUnit report', () => {
  test('has a test suite for each suite file, a test case for each case, the stop and each stale entry, and correct counts', () => {
    readXml(junit(report), (find) => {
      expect(
        find('//testcase')
          .map((item) => attribute(item, 'name'))
          .sort(),
      ).toEqual([...report.cases.map(({ id }) => id), 'stopped', 'known.yaml:3'].sort());
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

  test('uses a different element for each outcome', () => {
    readXml(junit(report), (find) => {
      const kinds = ['failure', 'error', 'skipped', 'system-out'];
      const counts = Object.fromEntries(kinds.map((kind) => [kind, find(`//testcase/${kind}`).length]));
      const known = report.cases.filter((item) => item.checks.some((own) => own.expected !== undefined));
      const of = (outcome: string): number => report.cases.filter((item) => item.outcome === outcome).length;
      expect(known).toHaveLength(1);
      expect(counts).toEqual({
        failure: of('violates') - 1 + (report.baseline?.problems.length ?? 0),
        error: of('inconclusive') + 1,
        skipped: of('not-applicable') + 1,
        'system-out': of('warns') + 1,
      });
      expect(of('violates') * of('inconclusive') * of('not-applicable') * of('warns')).toBeGreaterThan(0);
      const [skipped] = find(`//testcase[@name="${known[0]?.id}"]/skipped`);
      expect(attribute(skipped, 'message')).toContain('expected by the baseline: Ticket 12');
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

  test('lists the clause of every requirement in the properties of a case', () => {
    readXml(junit(report), (find) => {
      const [item] = report.cases;
      const values = find(`//testcase[@name="${item?.id}"]/properties/property`).map((property) => [
        attribute(property, 'name'),
        attribute(property, 'value'),
      ]);
      expect(values).toEqual(
        item?.checks.flatMap(({ requirement }) => [
          ['requirement', requirement],
          ['clause', report.requirements.find(({ id }) => id === requirement)?.clause],
        ]),
      );
    });
  });

  test('has the same elements whatever a gateway sends', () => {
    const shape = (text: string): unknown =>
      readXml(text, (find) => find('//*').map((element) => [element.name, element.parent?.name]));
    const expected = shape(junit(report, { strictClient: true }));
    fc.assert(
      fc.property(withHostileTexts(report), (spoilt) => {
        expect(shape(junit(spoilt, { strictClient: true }))).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  });
});
