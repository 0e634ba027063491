import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['tests/proof/mutation/conforms.mutation.ts'], testTimeout: 30_000 },
});
