import { fileURLToPath } from 'node:url';
import { testBrowserOptions } from '@lessonbook/test-env/chromium-options';
import { defineConfig } from '@playwright/test';

const fromRoot = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/**
 * Runs journeys and specification tests in a real browser, on the built web app with its real API, worker, database and mail
 * server. `spec/` runs in a desktop window (tests for phones set their own viewport); everything else runs on both desktop
 * and phone, with the exceptions below.
 */
export default defineConfig({
  testDir: '.',
  globalSetup: './global-setup.ts',
  outputDir: fromRoot('.cache/e2e'),
  reporter: [['list'], ['json', { outputFile: fromRoot('.cache/results/e2e.json') }]],
  fullyParallel: true,
  workers: 2,
  // Upper limits, which even a machine three times slower than usual does not reach.
  timeout: 240_000,
  // One retry, in case the machine is busy. The summary of a full run lists the retried tests, which need fixing.
  retries: 1,
  expect: { timeout: 20_000 },
  use: {
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    colorScheme: 'light',
    // A service worker's responses bypass `page.route`; `spec/offline.spec.ts` allows the service worker.
    serviceWorkers: 'block',
    contextOptions: { reducedMotion: 'reduce' },
    // Shorter than the test timeout, so that a wrong locator is reported as such.
    actionTimeout: 30_000,
    screenshot: 'only-on-failure',
    launchOptions: testBrowserOptions,
  },
  projects: [
    {
      name: 'desktop',
      // Covered by touch on the phone and by keyboard or specification tests on the desktop; ALL=1 also runs them with a mouse.
      testIgnore:
        process.env['ALL'] === '1'
          ? []
          : [
              'account',
              'cards',
              'family-access',
              'family-asks-to-move',
              'family-cancels',
              'family-details',
              'family-money',
              'family-notes',
              'family-portal',
              'first-weekly-lessons',
              'group-lessons',
              'invoices-and-payments',
              'lesson-and-payment-reminders',
              'not-arrived',
              'payment-outcomes',
              'price-rise',
              'snow-day',
            ].map((each) => `journeys/${each}.spec.ts`),
      use: { viewport: { width: 1280, height: 800 } },
    },
    {
      name: 'phone',
      // The accessibility tests use both viewports; the calendar journey mostly waits for the sync.
      testIgnore: ['spec/**', '**/*-keyboard.spec.ts', 'a11y.spec.ts', 'journeys/calendar.spec.ts'],
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    },
  ],
});
