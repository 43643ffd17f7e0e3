import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { clearLogin, open, pageHeading, readAppliedTheme } from '../page-objects/navigation.ts';

async function expectTheme(page: Page, theme: 'light' | 'dark') {
  await expect.poll(() => readAppliedTheme(page)).toBe(theme);
}

async function chooseTheme(page: Page, choice: 'Light' | 'Dark' | 'System') {
  await page.getByRole('button', { name: /^Theme Settings/ }).click();
  await page.getByRole('dialog', { name: 'Theme' }).getByLabel(choice).check();
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
}

test.describe('on a system that prefers dark', () => {
  test.use({ colorScheme: 'dark' });

  test('theme: F144 follows the system in every part of the app until a theme is chosen [THEME-03]', async ({
    page,
    tutor: _signedIn,
  }) => {
    await open(page, '/settings', 'Settings');
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
    await expectTheme(page, 'dark');
    await chooseTheme(page, 'Light');
    await expectTheme(page, 'light');
    await page.evaluate(() => localStorage.clear());

    await clearLogin(page);
    for (const path of ['/', '/login', '/no-such-page']) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectTheme(page, 'dark');
    }
  });
});

test('theme: the choice is stored under a lessonbook key and applied after a reload [THEME-02]', async ({
  page,
  tutor: _signedIn,
}) => {
  await open(page, '/settings', 'Settings');
  await chooseTheme(page, 'Dark');
  await expectTheme(page, 'dark');
  const saved = await page.evaluate(() => Object.entries(localStorage));
  expect(saved).toEqual([[expect.stringContaining('lessonbook'), 'dark']]);

  await page.reload();
  await expect(pageHeading(page, 'Settings')).toBeVisible();
  await expectTheme(page, 'dark');
  await expect(page.getByRole('button', { name: /^Theme Settings/ })).toContainText('Dark');

  // The theme also applies on pages without the component library.
  await clearLogin(page);
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectTheme(page, 'dark');
});

test('theme: the system theme follows the operating system, immediately and after a reload [THEME-04]', async ({
  page,
  tutor: _signedIn,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await open(page, '/settings', 'Settings');
  await chooseTheme(page, 'Light');
  await expectTheme(page, 'light');
  await chooseTheme(page, 'System');
  await expectTheme(page, 'dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await expectTheme(page, 'light');

  await page.emulateMedia({ colorScheme: 'dark' });
  await page.reload();
  await expect(pageHeading(page, 'Settings')).toBeVisible();
  await expectTheme(page, 'dark');

  await clearLogin(page);
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectTheme(page, 'dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await expectTheme(page, 'light');
});
