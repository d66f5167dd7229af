import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    testTimeout: 240_000,
    hookTimeout: 60_000,
    retry: 0,
    reporters: ['default'],
  },
});
