import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { addDaysToDate } from '@lessonbook/contract/dates';
import type { Page } from '@playwright/test';
import { logInAndLoadDemo } from './find-demo-account-data.ts';
import { expect, test } from './fixtures.ts';
import { signInToPortal } from './page-objects/family-portal-sign-in.ts';
import { open, storeTheme } from './page-objects/navigation.ts';

const picturesDir = fileURLToPath(new URL('../apps/web/public/pictures/', import.meta.url));

/** `npm run shots` also takes the pictures of the landing page. */
for (const theme of ['light', 'dark'] as const) {
  test(`takes the pictures of the landing page in ${theme} @shots`, async ({
    page,
    context,
    origin,
  }, info) => {
    test.skip(info.project.name !== 'desktop', 'taken once');
    mkdirSync(picturesDir, { recursive: true });
    await logInAndLoadDemo(context, origin);
    await storeTheme(page, theme);
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width: 1280, height: 800 });
    await open(page, '/', 'Good to see you, Ada');
    await savePicture(page, `home-desktop-${theme}`);
    await page.setViewportSize({ width: 390, height: 640 });
    await savePicture(page, `home-phone-${theme}`);
  });

  test(`takes the picture of the family portal in ${theme} @shots`, async ({
    browser,
    origin,
    tutor,
    api,
    mail,
  }, info) => {
    test.skip(info.project.name !== 'desktop', 'taken once');
    const email = `ruth.${tutor.username}@families.example`;
    const maths = await api.addSubject('Maths GCSE', 38);
    const english = await api.addSubject('11+ English', 42, { color: 'plum' });
    const maya = await api.addStudent('Maya Hale', { carerName: 'Ruth Hale', carerEmail: email });
    const leo = await api.addStudent('Leo Hale', { carerId: maya.carerId });
    const { today } = await api.dashboard();
    const weekly = { isRecurring: true, recurringPattern: 'weekly' } as const;
    for (const lesson of [
      { student: maya, subject: maths, date: addDaysToDate(today, 1), start: '16:30' },
      { student: leo, subject: english, date: addDaysToDate(today, 2), start: '16:00' },
    ])
      await api.addLesson({ ...lesson, place: '3 Hill Road', ...weekly });
    await api.openPortal();
    const { page } = await signInToPortal(browser, origin, email, mail);
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width: 390, height: 700 });
    await expect(page.getByRole('listitem').first()).toBeVisible();
    await savePicture(page, `family-page-phone-${theme}`);
    await page.context().close();
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
