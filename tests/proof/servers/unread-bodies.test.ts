import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Setup } from '../../../reference-server/combine-setups.ts';
import { createReferenceServer } from '../../../reference-server/create-reference-server.ts';
import { ignoreHeaders } from '../../../reference-server/overrides.ts';
import { catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import { defaultRetryPolicy } from '../../../runner/exchange/retry-policy.ts';
import { modelOperations, type Profile } from '../../../runner/profile/profile.ts';
import { createPromise } from '../../../runner/profile/promise.ts';
import { parseProfile } from '../../../runner/profile/read-profile.ts';
import type { Report } from '../../../runner/report/report.ts';
import { probe } from '../../../runner/run/probe.ts';
import { runSuite } from '../../../runner/run/run.ts';
import { startProgram } from '../../support/start-program.ts';
import { isToolMissing, python } from '../../support/tools.ts';

const cwd = fileURLToPath(new URL('.', import.meta.url));
const catalog = await catalogOfPackage();

/** Returns the profile of a server of Python's `http.server` in front of the reference gateway. */
async function startFront(setup: Setup = {}, ...flags: readonly string[]): Promise<Profile> {
  const gateway = await createReferenceServer({ ...setup, profile: {} });
  const front = await startProgram(python, ['unread.py', new URL(gateway.url).host, ...flags], {
    cwd,
    address: /^(http:\S+)/,
  });
  onTestFinished(async () => {
    front.stop();
    await gateway.close();
  });
  return parseProfile({ ...gateway.profile, baseUrl: front.url }, catalog);
}

function run(profile: Profile): Promise<Report> {
  const retryPolicy = { ...defaultRetryPolicy, firstPauseMs: 2 };
  return runSuite(createPromise(catalog, profile), { retryPolicy });
}

const violated = ({ requirements }: Report): string[] =>
  requirements.filter(({ outcome }) => outcome === 'violates').map(({ id }) => id);

describe.skipIf(isToolMissing('python'))('a server of Python that checks the credential first', () => {
  test('is reported once if it leaves the body of a refused request unread', async () => {
    const report = await run(await startFront());
    expect(violated(report)).toEqual(['connections/unread-body']);
    expect(report.summary.requirements.inconclusive).toBe(0);
    expect(report.diagnosis).toEqual([]);
  }, 120_000);
  test('conforms if it closes the connection', async () => {
    expect(violated(await run(await startFront({}, '--close')))).toEqual([]);
  }, 120_000);
  test('does not disturb the other controls of init', async () => {
    // Each control with `x-api-key` is refused, so the next control on its connection begins in an old body.
    const profile = await startFront({ decisions: ignoreHeaders('x-api-key') });
    const { signal } = new AbortController();
    for (let time = 0; time < 5; time += 1) {
      const { operations } = await probe(createPromise(catalog, profile), { signal });
      const found = modelOperations.map((id) => [id, operations[id].headers.join(), operations[id].streams]);
      expect(found).toEqual([
        ['chat', 'bearer', true],
        ['responses', 'bearer', true],
        ['messages', 'bearer', true],
        ['generate', 'x-goog-api-key,bearer', false],
      ]);
    }
  });
});
