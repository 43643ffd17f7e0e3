import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { accounts } from '@lessonbook/contract/accounts';
import type { Page } from '@playwright/test';
import { logInAsDemo } from './demo.ts';
import { expect, test } from './fixtures.ts';
import { formOpenings, sessionOpenings } from './openings.ts';
import { logIn, open, rememberTheme, type Theme, toast } from './page-parts.ts';
import { deskScreens, publicScreens, screensOf } from './screens.ts';

/** `npm run shots`: the few that the documentation shows go to docs/pictures, all others to .cache/shots. */
const FOR_DOCS = new Set([
  'home-desktop-light',
  'landing-desktop-light',
  'login-phone-light',
  'schedule-desktop-light',
  'schedule-phone-light',
  'settings-phone-dark',
]);

const themes: Theme[] = ['light', 'dark'];

for (const theme of themes) {
  test.describe(`pictures in ${theme} @shots`, () => {
    test.beforeEach(({ page }) => rememberTheme(page, theme));

    test('public screens', async ({ page, isMobile }) => {
      for (const [path, title] of screensOf(publicScreens)) {
        await open(page, path, title);
        if (path === '/login') await expect(page.getByText('Just looking?')).toBeVisible();
        await shoot(page, path === '/' ? 'landing' : nameOf(path), theme, isMobile);
      }
      await open(page, '/', publicScreens['/']);
      await shoot(page, 'landing-full', theme, isMobile, true);
    });

    test('screens of the tutor', async ({ page, context, origin, isMobile }) => {
      test.slow();
      const demo = await logInAsDemo(context, origin);
      const seen = new Set<string>();
      for (const [path, title] of screensOf({ ...demo.screens, ...deskScreens })) {
        const name = nameOf(path);
        // Settings have two addresses.
        if (seen.has(name)) continue;
        seen.add(name);
        await open(page, path, title);
        if (path === '/settings') {
          await expect(page.getByRole('switch', { name: 'Email Notifications' })).toBeEnabled();
        }
        await shoot(page, name, theme, isMobile);
      }
      for (const [path, title] of [
        ['/', 'Good to see you, Ada'],
        ['/settings', 'Settings'],
      ] as const) {
        await open(page, path, title);
        await shoot(page, `${nameOf(path)}-full`, theme, isMobile, true);
      }
    });

    test('what opens above a full book', async ({ page, context, origin, isMobile, watch }) => {
      test.slow();
      const demo = await logInAsDemo(context, origin);
      for (const [name, go] of Object.entries({ ...formOpenings, ...sessionOpenings })) {
        await go(page, demo, watch);
        await shoot(page, name, theme, isMobile);
      }
    });

    test('what opens above them', async ({ page, isMobile, tutor: _signedIn, watch }) => {
      await open(page, '/', 'Good to see you, Ada');
      await expect(page.getByRole('region', { name: 'Confirm your e-mail' })).toBeVisible();
      await shoot(page, 'home-unconfirmed', theme, isMobile, true);

      await open(page, '/settings', 'Settings');
      await page.getByRole('button', { name: /^Theme Settings/ }).click();
      await expect(page.getByRole('dialog', { name: 'Theme' })).toBeVisible();
      await shoot(page, 'theme-sheet', theme, isMobile);

      await open(page, '/profile-edit', 'Edit Profile');
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('');
      await page.getByRole('button', { name: 'Save Changes' }).click();
      await expect(page.getByText('Name must be at least 2 characters')).toBeVisible();
      await shoot(page, 'profile-refused', theme, isMobile);
      await page.getByRole('combobox', { name: 'Time zone' }).click();
      await expect(page.getByRole('listbox')).toBeVisible();
      await shoot(page, 'profile-zones', theme, isMobile);

      await open(page, '/schedule', 'Schedule');
      await page.getByRole('button', { name: 'More views' }).click();
      await expect(page.getByRole('menu')).toBeVisible();
      await shoot(page, 'schedule-menu', theme, isMobile);

      if (!isMobile) {
        await open(page, '/', 'Good to see you, Ada');
        await page.getByRole('button', { name: /account menu/ }).click();
        await expect(page.getByRole('menu')).toBeVisible();
        await shoot(page, 'account-menu', theme, isMobile);
      }

      await page.context().clearCookies();
      await open(page, '/signup', 'Open your book');
      await page.getByRole('button', { name: 'Create account' }).click();
      await expect(page.getByText('Please enter a valid email')).toBeVisible();
      await shoot(page, 'signup-refused', theme, isMobile, true);

      watch.expectRefusal(accounts.login.path, 401);
      await open(page, '/login', 'Welcome back');
      await logIn(page, 'demo', 'not the password');
      await expect(toast(page, 'Login failed')).toBeVisible();
      await shoot(page, 'toast-failed', theme, isMobile);
      await logIn(page, 'demo', 'demo1234');
      await expect(toast(page, 'Login successful')).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Upcoming Lessons' })).toBeVisible();
      await shoot(page, 'toast-done', theme, isMobile);
    });
  });
}

/** 'schedule' on whatever day, 'schedule-week', 'lessons-details', 'lessons-complete'; 'home' for the first. */
function nameOf(path: string): string {
  const words = path
    .replace(/\/\d+$/, '/details')
    .replace('mobile-settings', 'settings')
    .match(/[a-z][a-z-]+/g)
    ?.filter((word) => !/^(date|view|board)$/.test(word));
  return words?.join('-') ?? 'home';
}

async function shoot(
  page: Page,
  screen: string,
  theme: Theme,
  isMobile: boolean,
  fullPage = false,
): Promise<void> {
  const name = `${screen}-${isMobile ? 'phone' : 'desktop'}-${theme}`;
  const folder = fileURLToPath(
    new URL(FOR_DOCS.has(name) ? '../docs/pictures/' : '../.cache/shots/', import.meta.url),
  );
  mkdirSync(folder, { recursive: true });
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: `${folder}${name}.png`, fullPage, animations: 'disabled' });
}
