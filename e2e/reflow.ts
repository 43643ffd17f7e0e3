import { expect, type Page } from '@playwright/test';

/* A window of 1280 by 800 at 200 % shows 640 by 400 of CSS; at 400 %, which WCAG asks for, 320 by 200. */
const zooms = {
  '200 %': { width: 640, height: 400 },
  '400 %': { width: 320, height: 200 },
};

/** It takes a frame or two, not a tenth of a second. */
const RETRY_DELAYS_MS = [10, 20, 40, 80, 160, 320];

/** Leaves the window as wide as it was. */
export async function expectReflow(page: Page, what: string): Promise<void> {
  const before = page.viewportSize();
  for (const [zoom, size] of Object.entries(zooms)) {
    await page.setViewportSize(size);
    // The window changes a moment after it was told to, so both widths are read together.
    await expect
      .poll(() => widths(page), { message: `${what} at ${zoom}`, intervals: RETRY_DELAYS_MS })
      .toEqual({ window: size.width, content: size.width });
  }
  if (before) await page.setViewportSize(before);
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
