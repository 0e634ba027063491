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

test('no time is shown for recordings without times', async () => {
  const text = JSON.stringify(await createSampleReport());
  const timeless: Report = JSON.parse(
    text.replace(/"startedAt":"[^"]+"/g, '"startedAt":"1970-01-01T00:00:00.000Z"'),
  );
  for (const [name, load] of Object.entries(reporters)) {
    // HAR requires a time, and a JSON report keeps its members.
    if (name === 'har' || name === 'json') continue;
    const format = await load();
    const shown = joinReportText(format(createView(timeless), { colour: false, verbose: true, width: 100 }));
    expect(shown, name).not.toContain('1970');
  }
});
