import { expect, test } from 'vitest';
import { createReferenceServer, faults } from '../reference-server/index.ts';
import { run } from '../runner/index.ts';

test('everything that was found of many answers is shown in one of them', async () => {
  const server = await createReferenceServer(faults.find(({ id }) => id === 'node/code-as-string')?.setup());
  try {
    const { cases } = await run(server.profile);
    const pooled = cases.filter((item) => item.suite === 'pooled' && item.outcome === 'violates');
    expect(pooled.length).toBeGreaterThan(0);
    for (const { exchanges, obligations } of pooled) {
      const shown = new Set(exchanges.map(({ id }) => id));
      const findings = obligations.flatMap((item) => item.findings);
      const messages = new Set(findings.map(({ message }) => message));
      const seen = findings.filter(({ exchange }) => shown.has(exchange)).map(({ message }) => message);
      expect(messages.size).toBeGreaterThan(1);
      expect(new Set(seen)).toEqual(messages);
      expect(exchanges.length).toBeLessThanOrEqual(10);
    }
  } finally {
    await server.close();
  }
});
