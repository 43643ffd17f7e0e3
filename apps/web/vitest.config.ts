import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [react()],
  test: {
    name: 'web',
    // Loading the component library for each file took two thirds of the time; `setup.ts` cleans up between tests.
    isolate: false,
    // As in the root `vitest.config.ts`, which this file does not extend.
    maxWorkers: 2,
    environment: 'happy-dom',
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/test/setup.ts'],
    // No test asserts class names, and processing CSS would slow the run down.
    css: false,
    // Generous upper limits: even a machine three times slower than usual stays below them.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    restoreMocks: true,
    unstubGlobals: true,
  },
});
