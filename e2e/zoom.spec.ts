import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { open } from './page-parts.ts';
import { publicScreens, screensOf, tutorScreens } from './screens.ts';

/* A window of 1280 by 800 at 200 % shows 640 by 400 of CSS; at 400 %, which WCAG asks for, 320 by 200. */
const zooms = {
  '200 %': { width: 640, height: 400 },
  '400 %': { width: 320, height: 200 },
};

test('zoom: no public screen scrolls sideways', ({ page }) =>
  expectNoneToScroll(page, publicScreens));

test('zoom: no screen of the tutor scrolls sideways', ({ page, tutor: _signedIn }) =>
  expectNoneToScroll(page, tutorScreens));

async function expectNoneToScroll(page: Page, screens: Record<string, string>): Promise<void> {
  for (const [path, title] of screensOf(screens)) {
    await open(page, path, title);
    for (const [zoom, size] of Object.entries(zooms)) {
      await page.setViewportSize(size);
      // The window changes a moment after it was told to, so both widths are read together.
      await expect
        .poll(() => widths(page), { message: `${path} at ${zoom}` })
        .toEqual({ window: size.width, content: size.width });
    }
  }
}

const widths = (page: Page) =>
  page.evaluate(() => ({
    window: window.innerWidth,
    content: Math.max(document.documentElement.scrollWidth, document.body.scrollWidth),
  }));
