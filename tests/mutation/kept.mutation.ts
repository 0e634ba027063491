import { expect, test } from 'vitest';
import { createReferenceServer } from '../../reference-server/index.ts';
import { loadCatalog } from '../../runner/catalog/catalog.ts';
import { profileOf } from '../../runner/profile/read-profile.ts';
import { run } from '../../runner/run.ts';
import { defaultLimits } from '../../runner/send/http.ts';

// The conformance suite alone is the test: a mutant of the reference server that it lets pass is a hole in it.
test('the suite finds nothing to blame and leaves nothing out', async () => {
  const server = await createReferenceServer();
  try {
    const catalog = await loadCatalog();
    const report = await run(catalog, profileOf(server.profile, catalog), {
      selection: { suites: [], only: [] },
      concurrency: 8,
      waitMs: 0,
      limits: { ...defaultLimits, firstByteMs: 2_000, successFirstByteMs: 2_000 },
      patience: { retries: 1, retriesOf429: 1, firstPauseMs: 5, longestPauseMs: 50, totalPauseMs: 500 },
    });
    const { conforms, planned } = report.summary.cases;
    expect({ conforms, verdict: report.verdict }).toEqual({ conforms: planned, verdict: 'conforms' });
  } finally {
    await server.close();
  }
});
