import { expect, test } from 'vitest';
import { catalogOfPackage } from '../catalog/catalog.ts';
import { createEverythingProfile } from '../profile/everything-profile.ts';
import { createPromise } from '../profile/promise.ts';
import { parseProfile } from '../profile/read-profile.ts';
import type { Verdict } from './judge-requirement.ts';
import { judgeUnsent } from './preconditions.ts';

const catalog = await catalogOfPackage();

/** Returns the verdict for an operation that the gateway doesn't offer, by its first control. */
function judge(
  instead: Readonly<Record<string, unknown>> | undefined,
): Pick<Verdict, 'outcome' | 'declared'> {
  const requirement = 'endpoints/responses';
  const deviations = instead ? [{ requirement, instead }] : [];
  const profile = parseProfile({ baseUrl: 'http://x', keys: { valid: 'sk-a' }, deviations }, catalog);
  const { requirements, operations } = createPromise(catalog, {
    ...createEverythingProfile(catalog),
    deviations: profile.deviations,
  });
  const found = requirements.find(({ id }) => id === requirement);
  if (!found) throw new Error(`the requirement ${requirement} does not exist`);
  const control = { phase: 'controls', attributes: { header: 'bearer' } } as const;
  const { outcome, declared } = judgeUnsent(
    control,
    { reason: 'not offered', add: undefined, notOffered: 'responses' },
    found,
    operations,
  );
  return { outcome, declared };
}

test('an operation that the gateway does not offer violates, unless the profile also declares it', () => {
  expect(judge(undefined)).toEqual({ outcome: 'violates' });
  expect(judge({ status: 404 })).toEqual({ outcome: 'deviates', declared: ['endpoints/responses'] });
  expect(judge({ status: 403 })).toEqual({ outcome: 'violates' });
});
