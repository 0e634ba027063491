import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['runner/plan/*.test.ts', 'runner/judge/*.test.ts', 'runner/exchange/{events*,reading}.test.ts'],
    // This test takes seconds for each mutant and only checks that no requirement throws for an unusual body.
    exclude: ['runner/judge/judge-requirement-total.test.ts'],
    testTimeout: 60_000,
  },
});
