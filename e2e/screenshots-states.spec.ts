import type { Page, Route } from '@playwright/test';
import { logInAsDemo } from './demo.ts';
import { expect, test } from './fixtures.ts';
import { open, storeTheme, type Theme } from './page-objects/page.ts';
import { otherScreens, screenEntries } from './screens.ts';
import { moneyScreenshotName, screenshotName, takeScreenshot } from './screenshots.ts';

/*
 * Pictures of what is hard to come by with a finger: a tablet's width, screens that wait for the server, and screens
 * whose server has failed.
 */

const themes: Theme[] = ['light', 'dark'];
const waiting = {
  '/': 'Good to see you, Ada',
  '/schedule': 'Schedule',
  '/sessions': 'Sessions',
  '/families': 'Accounts',
  '/reports': 'Tutor Earnings Report',
  '/invoices': 'Invoices',
  '/messages': 'Messages',
  '/notifications': 'Notifications',
} as const;

for (const theme of themes) {
  test.describe(`states in ${theme} @shots`, () => {
    test.beforeEach(({ page }) => storeTheme(page, theme));

    test('on a tablet', async ({ page, context, origin, isMobile }) => {
      test.skip(isMobile, 'a window of its own');
      test.slow();
      await page.setViewportSize({ width: 768, height: 1024 });
      const demo = await logInAsDemo(context, origin);
      const all = { ...demo.screens, ...otherScreens, ...demo.moneyScreens };
      for (const [path, title] of screenEntries(all)) {
        await open(page, path, title);
        await takeScreenshot(page, {
          screen: moneyScreenshotName(path, title),
          theme,
          window: 'tablet',
        });
      }
    });

    test('while the server thinks, and when it fails', async ({
      page,
      context,
      origin,
      isMobile,
      consoleGuard,
    }) => {
      test.slow();
      await logInAsDemo(context, origin);
      const window = isMobile ? 'phone' : 'desktop';
      for (const [path, title] of screenEntries(waiting)) {
        const letGo = await holdResponses(page);
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
        await takeScreenshot(page, {
          screen: `${screenshotName(path)}-waiting`,
          theme,
          window,
          atRest: false,
        });
        await letGo();

        const mend = await failResponses(page, (asked) =>
          consoleGuard.allowErrorResponse(asked, 500),
        );
        await page.goto(path);
        await expect(page.getByRole('button', { name: 'Try again' }).first()).toBeVisible();
        await takeScreenshot(page, { screen: `${screenshotName(path)}-failed`, theme, window });
        await mend();
      }
    });
  });
}

/** Who is signed in is known; everything else waits. */
const isHeld = (route: Route): boolean => new URL(route.request().url()).pathname !== '/api/me';

async function holdResponses(page: Page): Promise<() => Promise<void>> {
  const held: Route[] = [];
  await page.route('**/api/**', async (route) => {
    if (isHeld(route)) held.push(route);
    else await route.continue();
  });
  return async () => {
    await page.goto('about:blank');
    await Promise.all(held.map((route) => route.abort().catch(() => undefined)));
    await page.unroute('**/api/**');
  };
}

async function failResponses(page: Page, announce: (path: string) => void) {
  await page.route('**/api/**', async (route) => {
    if (!isHeld(route)) return route.continue();
    announce(new URL(route.request().url()).pathname);
    await route.fulfill({
      status: 500,
      json: { code: 'internal', message: 'Something went wrong' },
    });
  });
  return () => page.unroute('**/api/**');
}
