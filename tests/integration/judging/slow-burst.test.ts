import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import { reportOn } from '../../support/gateways/judge-gateway.ts';

test('a burst whose last responses arrive after the time of `rateLimit` is inconclusive', async () => {
  const catalog = await catalogOfPackage();
  const report = await reportOn(
    catalog,
    () => ({
      profile: { rateLimit: { operation: 'usage', requests: 21, within: '300ms' } },
      decisions: () => ({ grantRequest: () => ({ kind: 'granted' }) }),
    }),
    {
      only: ['billing/burst/operation=usage'],
      observe: (transport) => ({
        ...transport,
        async send(request, how) {
          // 16 requests are sent concurrently. The other 5 requests begin within this time, and end later.
          await sleep(250);
          return transport.send(request, how);
        },
      }),
    },
  );
  expect(report.requirements.find(({ id }) => id === 'billing/rate-limit')?.outcome).toBe('inconclusive');
});
