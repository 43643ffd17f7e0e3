import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [react()],
  test: {
    name: 'web',
    // Reading the component library anew for each file took two thirds of the time; `setup.ts` leaves a clean table.
    isolate: false,
    // As in `vitest.config.ts` of the whole, which this file does not inherit.
    maxWorkers: 2,
    environment: 'happy-dom',
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/test/setup.ts'],
    // Class names are asserted nowhere; real ones would only slow the run down.
    css: false,
    // Ceilings, not expectations: none is reached on a machine that is three times slower than usual.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    restoreMocks: true,
    unstubGlobals: true,
  },
});
