import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Real databases and password hashing: more workers than cores make each other late, and tests that wait fail. Three were
    // a sixth faster and failed once in 3,272.
    maxWorkers: 2,
    // happy-dom lays nothing out, so the focus trap finds nothing to focus and prints the whole document each time.
    onConsoleLog: (log) => !log.includes('use-focus-trap'),
    reporters: ['default', ['json', { outputFile: '.cache/results/vitest.json' }]],
    projects: [
      {
        test: {
          name: 'contract',
          include: ['packages/contract/src/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'server',
          include: ['apps/server/src/**/*.test.ts'],
          globalSetup: ['apps/server/src/test/global-setup.ts'],
          // The server keeps nothing in its modules but what all may share, and reading them anew for each file took 80 s of
          // 730. Each file has its own database.
          isolate: false,
          testTimeout: 20_000,
          hookTimeout: 30_000,
        },
      },
      'apps/web/vitest.config.ts',
      {
        test: {
          name: 'tools',
          include: ['{scripts,fakes,stage,bench,chaos}/**/*.test.ts'],
          // They start PostgreSQL and other processes.
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
    ],
  },
});
