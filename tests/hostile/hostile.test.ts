import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../reference-server/index.ts';
import { type Catalog, loadCatalog } from '../../runner/catalog/catalog.ts';
import { profileOf } from '../../runner/profile/read-profile.ts';
import { run } from '../../runner/run.ts';
import { defaultLimits } from '../../runner/send/http.ts';
import { defaultPatience } from '../../runner/send/pace.ts';
import { behaviours } from './behaviours.ts';
import { openBetween } from './between.ts';

let catalog: Catalog;
let gateway: ReferenceServer;
beforeAll(async () => {
  catalog = await loadCatalog();
  gateway = await createReferenceServer();
});
afterAll(() => gateway.close());

const meant = 'auth/no-key/operation=responses';
const others = [
  'auth/no-key/operation=chat',
  'auth/no-key/operation=messages',
  'auth/key-in-query/operation=responses',
];
/** Short, and yet long for an answer that comes on a loaded machine. */
const limits = { ...defaultLimits, firstByteMs: 4_000, idleMs: 2_500, totalMs: 6_000 };
/** What a loaded machine may take longer. */
const slackMs = 5_000;

describe.concurrent('a gateway that answers one request with', () => {
  test.each(behaviours)('$id', { timeout: 60_000 }, async ({ misbehave, outcome, told }) => {
    const between = await openBetween(
      gateway.url,
      (head) =>
        head.startsWith('POST /v1/responses ') && !/^(authorization|x-api-key|x-goog-api-key):/im.test(head),
      misbehave,
    );
    try {
      const profile = profileOf({ ...gateway.profile, baseUrl: between.url }, catalog);
      const report = await run(catalog, profile, {
        selection: { suites: [], only: [meant, ...others] },
        concurrency: 4,
        limits,
        patience: { ...defaultPatience, retries: 0 },
      });
      const item = report.cases.find(({ id }) => id === meant);
      expect(between.times()).toBe(1);
      expect({ outcome: item?.outcome, told: JSON.stringify(item) }).toEqual({
        outcome,
        told: expect.stringMatching(told),
      });
      expect(item?.exchanges[0]?.durationMs).toBeLessThan(limits.totalMs + slackMs);
      expect(others.map((id) => report.cases.find((one) => one.id === id)?.outcome)).toEqual(
        others.map(() => 'conforms'),
      );
    } finally {
      await between.close();
    }
  });
});
