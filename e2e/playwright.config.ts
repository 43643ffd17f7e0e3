import { fileURLToPath } from 'node:url';
import { chromium } from '@lessonbook/test-env/chromium';
import { defineConfig } from '@playwright/test';

const fromRoot = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/**
 * Journeys and specification in a real browser, on the built web app with its real API, worker, database and
 * mail server. `spec/` runs wide (a test that is about phones says so itself), everything else on both.
 */
export default defineConfig({
  testDir: '.',
  globalSetup: './global-setup.ts',
  outputDir: fromRoot('.cache/e2e'),
  reporter: [['list'], ['json', { outputFile: fromRoot('.cache/results/e2e.json') }]],
  fullyParallel: true,
  workers: 2,
  // Ceilings, not expectations: none is reached on a machine that is three times slower than usual.
  timeout: 240_000,
  // One second chance on a busy machine. Whoever needed it is named at the end of a full run, and is a fault to be found.
  retries: 1,
  expect: { timeout: 20_000 },
  use: {
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    colorScheme: 'light',
    // What a worker answers, no route of a test sees; `spec/offline.spec.ts` is about it and lets it in.
    serviceWorkers: 'block',
    contextOptions: { reducedMotion: 'reduce' },
    // Shorter than the limit of the whole test, so that a wrong name is reported as such.
    actionTimeout: 30_000,
    screenshot: 'only-on-failure',
    launchOptions: chromium,
  },
  projects: [
    {
      name: 'desktop',
      // Walked with a finger on the phone, and by the keyboard or in the specification on the desktop; ALL=1 adds the mouse.
      testIgnore:
        process.env['ALL'] === '1'
          ? []
          : ['account', 'cards', 'first-day', 'ledger', 'messages'].map(
              (each) => `journeys/${each}.spec.ts`,
            ),
      use: { viewport: { width: 1280, height: 800 } },
    },
    {
      name: 'phone',
      // Accessibility is looked at in windows of both sizes by itself; the calendar waits for Google more than it shows.
      testIgnore: ['spec/**', '**/*-keyboard.spec.ts', 'a11y.spec.ts', 'journeys/calendar.spec.ts'],
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
  ],
});
