import { beforeAll, describe, expect, test } from 'vitest';
import { packageInfo } from '../../../common/package-info.ts';
import type { Fault } from '../../../reference-server/faults/fault.ts';
import { faults } from '../../../reference-server/index.ts';
import { type Catalog, catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import { createPromise } from '../../../runner/profile/promise.ts';
import { parseProfile } from '../../../runner/profile/read-profile.ts';
import type { Report } from '../../../runner/report/report.ts';
import { joinReportText } from '../../../runner/reporters/reporter.ts';
import { createTrafficChecker } from '../../../runner/traffic/check-traffic.ts';
import { readHarEntry } from '../../../runner/traffic/recordings/read-har-entry.ts';
import { reportOn } from '../../support/gateways/judge-gateway.ts';
import { har } from '../../support/reporters.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await catalogOfPackage();
});

/** Returns the report of `check` for a recording, without a profile of the gateway. */
async function checkHar(text: string): Promise<Report> {
  const profile = {
    ...parseProfile({ baseUrl: 'http://unknown.example', keys: { valid: 'sk-no-one-knows' } }, catalog),
    baseUrl: '',
  };
  const check = createTrafficChecker({
    source: 'recording',
    promise: createPromise(catalog, profile),
    tool: packageInfo,
  });
  const { log } = JSON.parse(text);
  for (const [name, value] of Object.entries(log)) check.setMetadata(name, value);
  for (const [index, value] of log.entries.entries()) {
    const entry = readHarEntry(value, `entry ${index + 1}`, true);
    if (entry.kind !== 'exchange') throw new Error(entry.problem);
    check.judge(entry.recorded);
  }
  return check.report();
}

/** Returns the outcomes of the requirements that the run judged. */
function outcomes({ requirements }: Report, run: Report): Record<string, string> {
  const judged = new Set(run.requirements.filter(({ cases }) => cases.length > 0).map(({ id }) => id));
  return Object.fromEntries(
    requirements.filter(({ id }) => judged.has(id)).map(({ id, outcome }) => [id, outcome]),
  );
}

/**
 * Returns a small set of faults that violates every requirement that any fault violates. Tests of all faults would
 * take minutes.
 */
function listCoveringFaults(): Fault[] {
  const left = new Set(faults.flatMap(({ violates }) => violates));
  const chosen: Fault[] = [];
  while (left.size > 0) {
    const open = ({ violates }: Fault): number => violates.filter((id) => left.has(id)).length;
    const best = faults.reduce((most, fault) => (open(fault) > open(most) ? fault : most));
    for (const id of best.violates) left.delete(id);
    chosen.push(best);
  }
  return chosen;
}

// Only every third fault, since most faults violate a requirement that needs the exchanges of all cases.
const sample = (all: readonly Fault[]): Fault[] => all.filter((_, index) => index % 3 === 0);

describe('check judges the recording of a run like the run', () => {
  test('of all cases, against a conforming gateway', async () => {
    const report = await reportOn(catalog, () => ({}));
    const found = await checkHar(joinReportText(har(report)));
    expect(outcomes(found, report)).toEqual(outcomes(report, report));
    const known = new Set(report.cases.map(({ id }) => id));
    expect(found.cases.map(({ id }) => id).filter((id) => !known.has(id))).toEqual([]);
  });
  test.each(sample(listCoveringFaults()).map(({ id, setup, violates }) => ({ id, setup, violates })))(
    'of the cases that check the requirements that $id violates',
    async ({ setup, violates }) => {
      const report = await reportOn(catalog, setup, { only: violates });
      expect(outcomes(await checkHar(joinReportText(har(report))), report)).toEqual(outcomes(report, report));
    },
  );
});
