import { notifications } from '@lessonbook/contract/notifications';
import type { BrowserContext, Page } from '@playwright/test';
import { type Demo, logInAsDemo } from '../demo.ts';
import { expect, test } from '../fixtures.ts';

/** A slow line: long enough for every skeleton to be seen. */
const SLOW_MS = 600;
/** By the measure of web vitals, which call five times as much good. */
const MAX_SHIFT = 0.02;

/** A jump shows most where there is least room; ALL=1 looks at the wide window too. */
const shapes = [
  { name: 'phone', viewport: { width: 390, height: 844 } },
  ...(process.env['ALL'] === '1'
    ? [{ name: 'desktop', viewport: { width: 1280, height: 800 } }]
    : []),
];

const screensOf = ({ completed, payer }: Demo) => [
  '/',
  '/schedule',
  '/reports',
  '/reports?show=owed',
  '/settings',
  '/invoices',
  '/families',
  `/families/${payer.id}`,
  '/messages',
  '/notifications',
  '/sessions',
  `/sessions/${completed.id}`,
];

for (const { name, viewport } of shapes) {
  test.describe(name, () => {
    test.use({ viewport });

    test('shift: nothing jumps while a screen waits for its data', async ({ context, origin }) => {
      const demo = await logInAsDemo(context, origin);
      await recordShifts(context);
      await context.route('**/api/**', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
        await route.continue();
      });
      // A browser opens six connections to one server, and each screen would keep one open for news.
      await context.route(`**${notifications.notificationStream.path}`, (route) =>
        route.fulfill({ contentType: 'text/event-stream', body: 'retry: 60000\n\n' }),
      );
      // Side by side: they mostly wait.
      const shifts = await Promise.all(
        screensOf(demo).map(async (path) => [
          path,
          await measureShift(await context.newPage(), path),
        ]),
      );
      const jumping = shifts.filter(([, shift]) => Number(shift) > MAX_SHIFT);
      expect(jumping, 'screens that jump, and how far').toEqual([]);
    });
  });
}

async function recordShifts(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const seen: Pick<LayoutShift, 'value' | 'hadRecentInput'>[] = [];
    Reflect.set(window, 'shifts', seen);
    new PerformanceObserver((list) => seen.push(...(list.getEntries() as LayoutShift[]))).observe({
      type: 'layout-shift',
      buffered: true,
    });
  });
}

/** Opens a screen, lets it settle, and adds up how much moved by itself. */
async function measureShift(page: Page, path: string): Promise<number> {
  await page.goto(path);
  await page.getByRole('main').waitFor();
  await page.waitForLoadState('networkidle');
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
  const shift = await page.evaluate(() => {
    const seen = Reflect.get(window, 'shifts') as LayoutShift[];
    return seen.reduce((sum, each) => sum + (each.hadRecentInput ? 0 : each.value), 0);
  });
  await page.close();
  return Math.round(shift * 1000) / 1000;
}

/** Not among the types of the DOM yet. */
interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
}
