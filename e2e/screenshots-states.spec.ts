import type { Page, Route } from '@playwright/test';
import { logInAndLoadDemo } from './find-demo-account-data.ts';
import { expect, test } from './fixtures.ts';
import { open, storeTheme, type Theme } from './page-objects/navigation.ts';
import { otherScreens, screenEntries } from './screens.ts';
import { moneyScreenshotName, screenshotName, takeScreenshot } from './take-screenshot.ts';

/*
 * Screenshots of states that are hard to reach by hand: tablet width, loading screens and error screens.
 */

const themes: Theme[] = ['light', 'dark'];
const loadingScreens = {
  '/': 'Good to see you, Ada',
  '/schedule': 'Schedule',
  '/sessions': 'Sessions',
  '/families': 'Families',
  '/reports': 'Tutor Earnings Report',
  '/invoices': 'Invoices',
  '/messages': 'Messages',
  '/notifications': 'Notifications',
} as const;

for (const theme of themes) {
  test.describe(`states in ${theme} @shots`, () => {
    test.beforeEach(({ page }) => storeTheme(page, theme));

    test('on a tablet', async ({ page, context, origin, isMobile }) => {
      test.skip(isMobile, 'sets its own viewport');
      test.slow();
      await page.setViewportSize({ width: 768, height: 1024 });
      const demo = await logInAndLoadDemo(context, origin);
      const all = { ...demo.lessonScreens, ...otherScreens, ...demo.moneyScreens };
      for (const [path, title] of screenEntries(all)) {
        await open(page, path, title);
        await takeScreenshot(page, {
          screen: moneyScreenshotName(path, title),
          theme,
          window: 'tablet',
        });
      }
    });

    test('loading and error states', async ({ page, context, origin, isMobile, consoleGuard }) => {
      test.slow();
      await logInAndLoadDemo(context, origin);
      const window = isMobile ? 'phone' : 'desktop';
      for (const [path, title] of screenEntries(loadingScreens)) {
        const releaseResponses = await holdResponses(page);
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
        await takeScreenshot(page, {
          screen: `${screenshotName(path)}-loading`,
          theme,
          window,
          waitForIdle: false,
        });
        await releaseResponses();

        const restoreResponses = await failResponses(page, (pathname) =>
          consoleGuard.allowErrorResponse(pathname, 500),
        );
        await page.goto(path);
        await expect(page.getByRole('button', { name: 'Try again' }).first()).toBeVisible();
        await takeScreenshot(page, { screen: `${screenshotName(path)}-failed`, theme, window });
        await restoreResponses();
      }
    });
  });
}

/** True for every request except the one for the current user. */
const isDataRequest = (route: Route): boolean =>
  new URL(route.request().url()).pathname !== '/api/me';

async function holdResponses(page: Page): Promise<() => Promise<void>> {
  const heldRoutes: Route[] = [];
  await page.route('**/api/**', async (route) => {
    if (isDataRequest(route)) heldRoutes.push(route);
    else await route.continue();
  });
  return async () => {
    await page.goto('about:blank');
    await Promise.all(heldRoutes.map((route) => route.abort().catch(() => undefined)));
    await page.unroute('**/api/**');
  };
}

async function failResponses(page: Page, onFailure: (path: string) => void) {
  await page.route('**/api/**', async (route) => {
    if (!isDataRequest(route)) return route.continue();
    onFailure(new URL(route.request().url()).pathname);
    await route.fulfill({
      status: 500,
      json: { code: 'internal', message: 'Something went wrong' },
    });
  });
  return () => page.unroute('**/api/**');
}
