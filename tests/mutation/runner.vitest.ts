import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['runner/plan/*.test.ts', 'runner/judge/*.test.ts'], testTimeout: 60_000 },
});
