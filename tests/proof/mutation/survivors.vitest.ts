import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { include: ['tests/proof/mutation/survivors.mutation.ts'] } });
