import { accounts } from '@lessonbook/contract/accounts';
import { plusDays } from '@lessonbook/contract/dates';
import type { Page } from '@playwright/test';
import type { ApiClient } from './api-client.ts';
import { logInAsDemo } from './demo.ts';
import { formScenarios, sessionScenarios } from './dialog-scenarios/lessons.ts';
import { messageScenarios, messageScreens, seedMessages } from './dialog-scenarios/messages.ts';
import { moneyScenarios } from './dialog-scenarios/money.ts';
import { expect, test } from './fixtures.ts';
import { clearLogin, logIn, open, storeTheme, type Theme, toast } from './page-objects/page.ts';
import {
  allowNotFound,
  moneyScreens,
  otherScreens,
  publicScreens,
  screenEntries,
} from './screens.ts';
import {
  moneyScreenshotName,
  screenshotName,
  takeScreenshot as takePicture,
} from './screenshots.ts';

const themes: Theme[] = ['light', 'dark'];

for (const theme of themes) {
  test.describe(`pictures in ${theme} @shots`, () => {
    test.beforeEach(({ page }) => storeTheme(page, theme));

    test('public screens', async ({ page, isMobile, consoleGuard }) => {
      allowNotFound(consoleGuard);
      for (const [path, title] of screenEntries(publicScreens)) {
        await open(page, path, title);
        if (path === '/login') await expect(page.getByText('Just looking?')).toBeVisible();
        await capture(page, path === '/' ? 'landing' : screenshotName(path), theme, isMobile);
      }
      await open(page, '/', publicScreens['/']);
      await capture(page, 'landing-full', theme, isMobile, true);
    });

    test('screens of the tutor', async ({ page, context, origin, isMobile }) => {
      test.slow();
      const demo = await logInAsDemo(context, origin);
      const seen = new Set<string>();
      for (const [path, title] of screenEntries({ ...demo.screens, ...otherScreens })) {
        const name = screenshotName(path);
        // Settings have two addresses.
        if (seen.has(name)) continue;
        seen.add(name);
        await open(page, path, title);
        if (path === '/settings') {
          await expect(page.getByRole('switch', { name: 'Email Notifications' })).toBeEnabled();
        }
        await capture(page, name, theme, isMobile);
      }
      for (const [path, title] of screenEntries(demo.moneyScreens)) {
        await open(page, path, title);
        const name = moneyScreenshotName(path, title);
        await capture(page, name, theme, isMobile);
        await capture(page, `${name}-full`, theme, isMobile, true);
      }
      for (const [path, title] of [
        ['/', 'Good to see you, Ada'],
        ['/settings', 'Settings'],
      ] as const) {
        await open(page, path, title);
        await capture(page, `${screenshotName(path)}-full`, theme, isMobile, true);
      }
    });

    test('money before there is any', async ({
      page,
      isMobile,
      tutor: _signedIn,
      consoleGuard,
    }) => {
      allowNotFound(consoleGuard);
      for (const [path, title] of screenEntries(moneyScreens)) {
        await open(page, path, title);
        await capture(page, `${moneyScreenshotName(path, title)}-empty`, theme, isMobile);
      }
    });

    test('money of people with long names', async ({ page, isMobile, api }) => {
      for (const [path, title] of screenEntries(await seedLongNames(api))) {
        await open(page, path, title);
        await capture(page, `${moneyScreenshotName(path, title)}-long`, theme, isMobile, true);
      }
    });

    test('what opens above a full book', async ({
      page,
      context,
      origin,
      isMobile,
      consoleGuard,
    }) => {
      test.slow();
      const demo = await logInAsDemo(context, origin);
      for (const [name, go] of Object.entries({
        ...formScenarios,
        ...sessionScenarios,
        ...moneyScenarios,
      })) {
        await go(page, demo, consoleGuard);
        await capture(page, name, theme, isMobile);
      }
    });

    test('messages of a full book', async ({ page, isMobile, api }) => {
      const fixture = await seedMessages(api);
      for (const [path, title] of screenEntries(messageScreens)) {
        await open(page, path, title);
        await capture(page, `${screenshotName(path)}-full`, theme, isMobile, true);
      }
      for (const [name, go] of Object.entries(messageScenarios)) {
        await go(page, fixture);
        await capture(page, name, theme, isMobile);
      }
    });

    test('what opens above them', async ({ page, isMobile, tutor: _signedIn, consoleGuard }) => {
      await open(page, '/', 'Good to see you, Ada');
      await expect(page.getByRole('region', { name: 'Confirm your e-mail' })).toBeVisible();
      await capture(page, 'home-unconfirmed', theme, isMobile, true);

      await open(page, '/settings', 'Settings');
      await page.getByRole('button', { name: /^Theme Settings/ }).click();
      await expect(page.getByRole('dialog', { name: 'Theme' })).toBeVisible();
      await capture(page, 'theme-sheet', theme, isMobile);

      await open(page, '/profile-edit', 'Edit Profile');
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('');
      await page.getByRole('button', { name: 'Save Changes' }).click();
      await expect(page.getByText('Name must be at least 2 characters')).toBeVisible();
      await capture(page, 'profile-refused', theme, isMobile);
      await page.getByRole('combobox', { name: 'Time zone' }).click();
      await expect(page.getByRole('listbox')).toBeVisible();
      await capture(page, 'profile-zones', theme, isMobile);

      await open(page, '/schedule', 'Schedule');
      await page.getByRole('button', { name: 'More views' }).click();
      await expect(page.getByRole('menu')).toBeVisible();
      await capture(page, 'schedule-menu', theme, isMobile);

      if (!isMobile) {
        await open(page, '/', 'Good to see you, Ada');
        await page.getByRole('button', { name: /account menu/ }).click();
        await expect(page.getByRole('menu')).toBeVisible();
        await capture(page, 'account-menu', theme, isMobile);
      }

      await clearLogin(page);
      await open(page, '/signup', 'Open your book');
      await page.getByRole('button', { name: 'Create account' }).click();
      await expect(page.getByText('Please enter a valid email')).toBeVisible();
      await capture(page, 'signup-refused', theme, isMobile, true);

      consoleGuard.allowErrorResponse(accounts.login.path, 401);
      await open(page, '/login', 'Welcome back');
      await logIn(page, 'demo', 'not the password');
      await expect(toast(page, 'Login failed')).toBeVisible();
      await capture(page, 'toast-failed', theme, isMobile);
      await logIn(page, 'demo', 'demo1234');
      await expect(toast(page, 'Login successful')).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Upcoming Lessons' })).toBeVisible();
      await capture(page, 'toast-done', theme, isMobile);
    });
  });
}

/** Whoever is called like that pays by transfer, too. */
async function seedLongNames(api: ApiClient): Promise<Record<string, string>> {
  const carerName = 'Alexandrina Featherstonehaugh-Cholmondeley';
  const subject = await api.addSubject('Further mathematics and mechanics', 1234.5);
  const first = await api.addStudent('Bartholomew-Maximilian Featherstonehaugh', { carerName });
  const second = await api.addStudent('Wolfeschlegelsteinhausenbergerdorff', {
    carerId: first.carerId,
  });
  const { today } = await api.dashboard();
  const lesson = { subject, start: '16:00', acceptOverlaps: true };
  const taught = await api.teach({ ...lesson, student: first, date: plusDays(today, -40) });
  await api.teach({ ...lesson, student: second, date: plusDays(today, -20) });
  await api.teach({ ...lesson, student: second, date: plusDays(today, -1) });
  await api.saveBusiness({
    tradingName: 'The Featherstonehaugh Academy of Mathematics, Music and Mechanics',
    accountName: 'The Featherstonehaugh Academy of Mathematics',
    iban: 'GB00 ABCD 0000 0000 0000 0000 0000 00',
    invoicePrefix: 'FEATHER-26',
  });
  const { id, payToken } = await api.account(carerName);
  await api.pay({
    familyId: id,
    amount: 100_050,
    currency: 'GBP',
    method: 'bank_transfer',
    date: plusDays(today, -30),
    chargeIds: [],
  });
  const [issued] = await api.issue(
    (await api.draftEveryone(plusDays(today, -60), plusDays(today, -2))).map((each) => each.id),
  );
  const [draft] = await api.draftEveryone(plusDays(today, -1), today);
  const title = 'Payment to The Featherstonehaugh Academy of Mathematics, Music and Mechanics';
  return {
    '/families': 'Accounts',
    [`/families/${id}`]: carerName,
    [`/payments/create/${taught.lessonId}`]: 'Record payment',
    '/reports?period=all_time': 'Tutor Earnings Report',
    '/reports?show=owed': 'Tutor Earnings Report',
    '/invoices': 'Invoices',
    [`/invoices/${issued?.id}`]: `Invoice ${issued?.number}`,
    [`/invoices/${draft?.id}`]: 'Draft invoice',
    [`/invoices/everyone?drafts=${draft?.id}`]: 'Invoice everyone',
    [`/invoices/everyone?issued=${issued?.id}`]: 'Invoice everyone',
    [`/pay/${payToken}`]: title,
    [`/invoices/${issued?.token}`]: title,
  };
}

async function capture(
  page: Page,
  screen: string,
  theme: Theme,
  isMobile: boolean,
  fullPage = false,
): Promise<void> {
  await takePicture(page, { screen, theme, window: isMobile ? 'phone' : 'desktop', fullPage });
}
