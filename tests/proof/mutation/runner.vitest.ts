import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['runner/plan/*.test.ts', 'runner/judge/*.test.ts'],
    // Every requirement with every odd body: seconds for each mutant, to show only that nothing is thrown.
    exclude: ['runner/judge/judge-total.test.ts'],
    testTimeout: 60_000,
  },
});
