import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['runner/**/*.test.ts', 'reference-server/**/*.test.ts', 'tests/**/*.test.ts'],
    // As many as there are cores: most tests wait for a process of their own.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
