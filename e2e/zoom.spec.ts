import type { Page } from '@playwright/test';
import { logInAsDemo } from './demo.ts';
import { expect, test } from './fixtures.ts';
import { formOpenings, sessionOpenings } from './openings.ts';
import { open } from './page-parts.ts';
import { expectNothingThere, publicScreens, screensOf, tutorScreens } from './screens.ts';

/* A window of 1280 by 800 at 200 % shows 640 by 400 of CSS; at 400 %, which WCAG asks for, 320 by 200. */
const zooms = {
  '200 %': { width: 640, height: 400 },
  '400 %': { width: 320, height: 200 },
};

test('zoom: no public screen scrolls sideways', ({ page }) =>
  expectNoneToScroll(page, publicScreens));

test('zoom: no screen of the tutor scrolls sideways', async ({ page, watch, tutor: _signedIn }) => {
  expectNothingThere(watch);
  await expectNoneToScroll(page, tutorScreens);
});

test('zoom: no screen of a full book scrolls sideways, nor what opens above it', async ({
  page,
  context,
  origin,
  watch,
}) => {
  test.slow();
  const demo = await logInAsDemo(context, origin);
  await expectNoneToScroll(page, demo.screens);
  for (const [name, go] of Object.entries({ ...formOpenings, ...sessionOpenings })) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await go(page, demo, watch);
    await expectNotToScroll(page, name);
  }
});

async function expectNoneToScroll(page: Page, screens: Record<string, string>): Promise<void> {
  for (const [path, title] of screensOf(screens)) {
    await open(page, path, title);
    await expectNotToScroll(page, path);
  }
}

async function expectNotToScroll(page: Page, what: string): Promise<void> {
  for (const [zoom, size] of Object.entries(zooms)) {
    await page.setViewportSize(size);
    // The window changes a moment after it was told to, so both widths are read together.
    await expect
      .poll(() => widths(page), { message: `${what} at ${zoom}` })
      .toEqual({ window: size.width, content: size.width });
  }
}

/** A dialog hides what sticks out of it from the page, so it is measured by itself. */
const widths = (page: Page) =>
  page.evaluate(() => {
    const cut = [...document.querySelectorAll('[role="dialog"]')].map(
      (dialog) => dialog.scrollWidth - dialog.clientWidth,
    );
    const { documentElement: root, body } = document;
    return {
      window: window.innerWidth,
      content: Math.max(root.scrollWidth, body.scrollWidth) + Math.max(0, ...cut),
    };
  });
