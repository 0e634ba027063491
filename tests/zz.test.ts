import { writeFileSync } from 'node:fs';
import { test } from 'vitest';
import { createReferenceGateway } from '../reference-server/create-reference-server.ts';
import { faults } from '../reference-server/index.ts';
import { loadCatalog } from '../runner/catalog/catalog.ts';
import { profileOf } from '../runner/profile/read-profile.ts';
import { reporters } from '../runner/report/reporters.ts';
import { run } from '../runner/run.ts';
import { fleetOf, gatewayOf } from './fleet.ts';
import { transportTo } from './prove/in-process.ts';

test('write', async () => {
  const catalog = await loadCatalog();
  const models = fleetOf(60);
  const defects = Object.fromEntries([
    ...models.filter((_, i) => i !== 7 && i !== 9).map(({ id }) => [id, 'trace/header-missing']),
    ['gpt-4', 'chat-body/validation-500'],
  ]);
  void faults;
  const { gateway, profileAt } = createReferenceGateway(gatewayOf(models, defects));
  const { baseUrl, keys, ...rest } = profileAt('http://127.0.0.1');
  const report = await run(catalog, profileOf({ baseUrl, keys, ...rest }, catalog), {
    transport: transportTo(gateway), models: ['gpt-*', 'claude-*', 'gemini-*'], patience: {retries:2,retriesOf429:4,firstPauseMs:2,longestPauseMs:100,totalPauseMs:1000},
  });
  for (const name of ['terminal', 'json', 'html', 'markdown', 'junit', 'tap', 'sarif', 'github'] as const)
    writeFileSync(`/tmp/scale-fleet.${name}`, (await reporters[name]())(report, { colour: false, verbose: false, width: name === 'terminal' ? 80 : Number.POSITIVE_INFINITY }));
}, 120_000);
