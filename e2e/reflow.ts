import { expect, type Page } from '@playwright/test';

/* A window of 1280 by 800 has 640 by 400 CSS pixels at 200% zoom, and 320 by 200 at 400%, which WCAG requires. */
const ZOOM_VIEWPORTS = {
  '200%': { width: 640, height: 400 },
  '400%': { width: 320, height: 200 },
};

/** Short, because a resize takes only a frame or two. */
const RETRY_DELAYS_MS = [10, 20, 40, 80, 160, 320];

/** Checks that nothing scrolls sideways when the page is zoomed, then restores the viewport. */
export async function expectReflow(page: Page, view: string): Promise<void> {
  const before = page.viewportSize();
  for (const [zoom, size] of Object.entries(ZOOM_VIEWPORTS)) {
    await page.setViewportSize(size);
    // The resize is asynchronous, so both widths are read together.
    await expect
      .poll(() => measureWidths(page), {
        message: `${view} at ${zoom}`,
        intervals: RETRY_DELAYS_MS,
      })
      .toEqual({ window: size.width, content: size.width });
  }
  if (before) await page.setViewportSize(before);
}

/** A dialog clips its overflow, so it is measured separately. */
const measureWidths = (page: Page) =>
  page.evaluate(() => {
    const clipped = [...document.querySelectorAll('[role="dialog"]')].map(
      (dialog) => dialog.scrollWidth - dialog.clientWidth,
    );
    const { documentElement: root, body } = document;
    return {
      window: window.innerWidth,
      content: Math.max(root.scrollWidth, body.scrollWidth) + Math.max(0, ...clipped),
    };
  });

/** Checks that no text of a button, link or amount is cut off. A long name may end in an ellipsis. */
export async function expectNothingClipped(page: Page, view: string): Promise<void> {
  await expect
    .poll(() => listClipped(page), {
      message: `clipped text in ${view}`,
      intervals: RETRY_DELAYS_MS,
    })
    .toEqual([]);
}

const listClipped = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, button *, a *, b')]
      .filter((element) => {
        const { overflowX, textOverflow, display, clipPath } = getComputedStyle(element);
        return (
          overflowX !== 'visible' &&
          textOverflow !== 'ellipsis' &&
          display !== 'inline' &&
          clipPath === 'none' &&
          element.clientWidth > 1 &&
          element.scrollWidth > element.clientWidth + 1
        );
      })
      .map((element) => element.textContent.trim())
      .filter((text) => text !== ''),
  );
