import { expect, test } from 'vitest';
import type { Report } from '../../../runner/report/report.ts';
import { wholeText } from '../../../runner/reporters/reporter.ts';
import { type ReporterName, reporters, showAllExchanges } from '../../../runner/reporters/reporters.ts';
import { sampleReport } from '../../support/sample-report.ts';

const sample = await sampleReport();
const conforming = {
  ...sample,
  diagnosis: [],
  stopped: null,
  cases: sample.cases.filter(({ outcome }) => outcome === 'conforms' || outcome === 'not-applicable'),
};
const withoutExchanges = {
  ...conforming,
  cases: conforming.cases.map((item) => ({ ...item, exchanges: [] })),
  others: [],
};
const style = { colour: false, verbose: false, width: 100 };

test('the sample has exchanges of conforming cases', () => {
  expect(conforming.cases.flatMap(({ exchanges }) => exchanges)).not.toEqual([]);
});

test.each(Object.entries(reporters))(
  'the reporter %s is listed in `showAllExchanges` only if its report of conforming cases depends on exchanges',
  async (name, load) => {
    const format = await load();
    const textOf = (report: Report): string => wholeText(format(report, style));
    const dependsOnExchanges = textOf(conforming) !== textOf(withoutExchanges);
    expect(showAllExchanges.some((listed: ReporterName) => listed === name)).toBe(dependsOnExchanges);
  },
);
