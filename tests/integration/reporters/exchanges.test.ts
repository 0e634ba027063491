import { expect, test } from 'vitest';
import type { Report } from '../../../runner/report/report.ts';
import { joinReportText } from '../../../runner/reporters/reporter.ts';
import {
  type ReporterName,
  reporters,
  reportersWithAllExchanges,
} from '../../../runner/reporters/reporters.ts';
import { createView } from '../../../runner/view/view.ts';
import { createSampleReport } from '../../support/sample-report.ts';

const sample = await createSampleReport();
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
  'the reporter %s is listed in `reportersWithAllExchanges` only if its report of conforming cases depends on exchanges',
  async (name, load) => {
    const format = await load();
    const textOf = (report: Report): string => joinReportText(format(createView(report), style));
    const dependsOnExchanges = textOf(conforming) !== textOf(withoutExchanges);
    expect(reportersWithAllExchanges.some((listed: ReporterName) => listed === name)).toBe(
      dependsOnExchanges,
    );
  },
);
