import { defineConfig } from 'vitest/config';
import { START_TIMEOUT_MS, WAIT_TIMEOUT_MS } from './fakes/src/shared/test-timeouts.ts';

/** Upper limits: even a machine that is three times slower than usual does not reach them. */
const timeouts = {
  testTimeout: 3 * WAIT_TIMEOUT_MS,
  // Hooks start PostgreSQL and other processes.
  hookTimeout: START_TIMEOUT_MS + WAIT_TIMEOUT_MS,
  expect: { poll: { timeout: WAIT_TIMEOUT_MS } },
};

export default defineConfig({
  test: {
    // The tests use real databases and password hashing: with more workers than cores, they time out. With three workers, the
    // run was a sixth faster, but one of 3,272 tests failed.
    maxWorkers: 2,
    // happy-dom has no layout, so the focus trap finds nothing to focus and prints the whole document each time.
    onConsoleLog: (log) => !log.includes('use-focus-trap'),
    reporters: ['default', ['json', { outputFile: '.cache/results/vitest.json' }]],
    projects: [
      {
        test: {
          name: 'contract',
          include: ['packages/contract/src/**/*.test.ts'],
          ...timeouts,
        },
      },
      {
        test: {
          name: 'server',
          include: ['apps/server/src/**/*.test.ts'],
          globalSetup: ['apps/server/src/test/global-setup.ts'],
          // The server's modules hold only state that tests may share, and loading them for each file took 80 of 730 seconds.
          // Each file has its own database.
          isolate: false,
          ...timeouts,
        },
      },
      'apps/web/vitest.config.ts',
      {
        test: {
          name: 'tools',
          include: ['{scripts,fakes,test-env,bench,chaos}/**/*.test.ts'],
          ...timeouts,
        },
      },
    ],
  },
});
