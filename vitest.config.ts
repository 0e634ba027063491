import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['runner/**/*.test.ts', 'reference-server/**/*.test.ts', 'tests/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
