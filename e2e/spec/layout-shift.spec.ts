import { notifications } from '@lessonbook/contract/notifications';
import type { BrowserContext, Page } from '@playwright/test';
import { type DemoData, logInAndLoadDemo } from '../find-demo-account-data.ts';
import { expect, test } from '../fixtures.ts';

/** Delay for every API response, so that every skeleton is shown. */
const SLOW_MS = 600;
/** Limit for the cumulative layout shift; Web Vitals allows five times as much. */
const MAX_SHIFT = 0.02;

/** Shifts are largest on a narrow screen; ALL=1 also checks a wide window. */
const LAYOUTS = [
  { name: 'phone', viewport: { width: 390, height: 844 } },
  ...(process.env['ALL'] === '1'
    ? [{ name: 'desktop', viewport: { width: 1280, height: 800 } }]
    : []),
];

const pathsToMeasure = ({ completedSession, payer }: DemoData) => [
  '/',
  '/schedule',
  '/reports',
  '/reports?show=owed',
  '/reports?show=lessons',
  '/settings',
  '/invoices',
  '/students',
  '/families',
  `/families/${payer.id}`,
  '/messages',
  '/notifications',
  '/sessions',
  `/sessions/${completedSession.id}`,
];

for (const { name, viewport } of LAYOUTS) {
  test.describe(name, () => {
    test.use({ viewport });

    test('layout shift: stays within the limit while a screen loads its data', async ({
      context,
      origin,
    }) => {
      const demo = await logInAndLoadDemo(context, origin);
      await recordShifts(context);
      await context.route('**/api/**', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
        await route.continue();
      });
      // A browser opens at most six connections to a server, and each screen's event stream would keep one open.
      await context.route(`**${notifications.notificationStream.path}`, (route) =>
        route.fulfill({ contentType: 'text/event-stream', body: 'retry: 60000\n\n' }),
      );
      // In parallel, because the pages mostly wait.
      const shifts = await Promise.all(
        pathsToMeasure(demo).map(async (path) => [
          path,
          await measureShift(await context.newPage(), path),
        ]),
      );
      const shiftedScreens = shifts.filter(([, shift]) => Number(shift) > MAX_SHIFT);
      expect(shiftedScreens, 'screens above the layout shift limit').toEqual([]);
    });
  });
}

async function recordShifts(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const shifts: Pick<LayoutShift, 'value' | 'hadRecentInput'>[] = [];
    Reflect.set(window, 'shifts', shifts);
    new PerformanceObserver((list) => shifts.push(...(list.getEntries() as LayoutShift[]))).observe(
      {
        type: 'layout-shift',
        buffered: true,
      },
    );
  });
}

/** Opens a screen, waits until it is idle and adds up its layout shifts. */
async function measureShift(page: Page, path: string): Promise<number> {
  await page.goto(path);
  await page.getByRole('main').waitFor();
  await page.waitForLoadState('networkidle');
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
  const shift = await page.evaluate(() => {
    const shifts = Reflect.get(window, 'shifts') as LayoutShift[];
    return shifts.reduce((sum, each) => sum + (each.hadRecentInput ? 0 : each.value), 0);
  });
  await page.close();
  return Math.round(shift * 1000) / 1000;
}

/** Not in the DOM types yet. */
interface LayoutShift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
}
