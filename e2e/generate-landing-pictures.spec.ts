import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { logInAndLoadDemo } from './demo-account.ts';
import { expect, test } from './fixtures.ts';
import { open, storeTheme } from './page-objects/navigation.ts';

const picturesDir = fileURLToPath(new URL('../apps/web/public/pictures/', import.meta.url));

/** `npm run shots` also takes the pictures of the landing page, with the demo account. */
for (const theme of ['light', 'dark'] as const) {
  test(`takes the pictures of the landing page in ${theme} @shots`, async ({
    page,
    context,
    origin,
  }, info) => {
    test.skip(info.project.name !== 'desktop', 'taken once');
    mkdirSync(picturesDir, { recursive: true });
    const demo = await logInAndLoadDemo(context, origin);
    await storeTheme(page, theme);
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width: 1280, height: 800 });
    await open(page, '/', 'Good to see you, Ada');
    await savePicture(page, `home-desktop-${theme}`);
    await page.setViewportSize({ width: 390, height: 640 });
    await savePicture(page, `home-phone-${theme}`);
    await page.setViewportSize({ width: 390, height: 700 });
    await page.goto(demo.payPath);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await savePicture(page, `payment-page-phone-${theme}`);
  });
}

/** WebP, which Playwright itself cannot write. */
async function savePicture(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await page.waitForLoadState('networkidle');
  const session = await page.context().newCDPSession(page);
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 80,
    clip: { x: 0, y: 0, width, height, scale: 1.5 },
  });
  writeFileSync(`${picturesDir}${name}.webp`, Buffer.from(data, 'base64'));
}
