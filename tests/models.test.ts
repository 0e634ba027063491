import { beforeAll, describe, expect, test } from 'vitest';
import {
  createReferenceGateway,
  type ReferenceServerOptions,
} from '../reference-server/create-reference-server.ts';
import { faults } from '../reference-server/index.ts';
import { type Catalog, loadCatalog } from '../runner/catalog/catalog.ts';
import { UsageError } from '../runner/profile/profile.ts';
import { profileOf } from '../runner/profile/read-profile.ts';
import type { ModelReport, Report } from '../runner/report/report.ts';
import { type RunOptions, run } from '../runner/run.ts';
import type { Transport } from '../runner/send/http.ts';
import { defaultPatience } from '../runner/send/pace.ts';
import { fleetOf, gatewayOf } from './fleet.ts';
import { transportTo } from './prove/in-process.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await loadCatalog();
});

// A gateway in this process recovers at once or never.
const patience = { ...defaultPatience, firstPauseMs: 2 };

/** The report of a new gateway in this process, as it would be read from a file. */
async function judge(
  options: ReferenceServerOptions,
  asked: RunOptions,
  change: (transport: Transport) => Transport = (transport) => transport,
): Promise<Report> {
  const { gateway, profileAt } = createReferenceGateway(options);
  const { baseUrl, keys, ...rest } = profileAt('http://127.0.0.1');
  const report = await run(catalog, profileOf({ baseUrl, keys, ...rest }, catalog), {
    patience,
    transport: change(transportTo(gateway)),
    ...asked,
  });
  return JSON.parse(JSON.stringify(report));
}

const itemsOf = (report: Report): readonly ModelReport[] => report.models?.items ?? [];

function held(report: Report): void {
  for (const { planned, ...parts } of [
    report.summary.cases,
    report.summary.requirements,
    ...itemsOf(report).map(({ cases }) => cases),
    ...(report.models?.requirements ?? []).map(({ models }) => models),
  ])
    expect(Object.values(parts).reduce((sum, count) => sum + count, 0)).toBe(planned);
  expect(catalog.schemas.problems('report', report)).toEqual([]);
}

describe('a gateway of 40 models', () => {
  const defects = {
    'gpt-4': 'chat-body/validation-500',
    'claude-17': 'trace/header-missing',
    'gemini-30': 'chat-body/model-missing-404',
  };
  let report: Report;
  beforeAll(async () => {
    report = await judge(gatewayOf(fleetOf(40), defects), { models: ['gpt-*', 'claude-*', 'gemini-*'] });
  });
  test('x', () => {
    held(report);
    console.log(
      report.summary,
      itemsOf(report)
        .filter((i) => i.broken.length > 0)
        .map((i) => JSON.stringify(i)),
    );
  });
});
