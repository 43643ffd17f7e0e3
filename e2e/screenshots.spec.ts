import { accounts } from '@lessonbook/contract/accounts';
import { addDaysToDate } from '@lessonbook/contract/dates';
import type { Page } from '@playwright/test';
import type { ApiClient } from './api-client.ts';
import { formScenarios, sessionScenarios } from './dialog-scenarios/lessons.ts';
import { messageScenarios, messageScreens, seedMessages } from './dialog-scenarios/messages.ts';
import { moneyScenarios } from './dialog-scenarios/money.ts';
import { logInAndLoadDemo } from './find-demo-account-data.ts';
import { expect, test } from './fixtures.ts';
import {
  clearLogin,
  logIn,
  open,
  storeTheme,
  type Theme,
  toastWithText,
} from './page-objects/navigation.ts';
import {
  allowNotFound,
  LANDING_HEADING,
  moneyScreens,
  otherScreens,
  publicScreens,
  screenEntries,
} from './screens.ts';
import { moneyScreenshotName, screenshotName, takeScreenshot } from './take-screenshot.ts';

const themes: Theme[] = ['light', 'dark'];

for (const theme of themes) {
  test.describe(`screenshots in ${theme} @shots`, () => {
    test.beforeEach(({ page }) => storeTheme(page, theme));

    test('public screens', async ({ page, isMobile, consoleGuard }) => {
      allowNotFound(consoleGuard);
      for (const [path, title] of screenEntries(publicScreens)) {
        await open(page, path, title);
        if (path === '/login') await expect(page.getByText('Just looking?')).toBeVisible();
        await capture(page, path === '/' ? 'landing' : screenshotName(path), theme, isMobile);
      }
      await open(page, '/', LANDING_HEADING);
      await capture(page, 'landing-full', theme, isMobile, true);
    });

    test('tutor screens', async ({ page, context, origin, isMobile }) => {
      test.slow();
      const demo = await logInAndLoadDemo(context, origin);
      const seen = new Set<string>();
      for (const [path, title] of screenEntries({ ...demo.lessonScreens, ...otherScreens })) {
        const name = screenshotName(path);
        // The settings screen has two paths.
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

    test('money screens without data', async ({
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

    test('money screens with long names', async ({ page, isMobile, api }) => {
      for (const [path, title] of screenEntries(await seedLongNames(api))) {
        await open(page, path, title);
        await capture(page, `${moneyScreenshotName(path, title)}-long`, theme, isMobile, true);
      }
    });

    test('dialogs with data', async ({ page, context, origin, isMobile, consoleGuard }) => {
      test.slow();
      const demo = await logInAndLoadDemo(context, origin);
      for (const [name, openScenario] of Object.entries({
        ...formScenarios,
        ...sessionScenarios,
        ...moneyScenarios,
      })) {
        await openScenario(page, demo, consoleGuard);
        await capture(page, name, theme, isMobile);
      }
    });

    test('messages with data', async ({ page, isMobile, api }) => {
      const fixture = await seedMessages(api);
      for (const [path, title] of screenEntries(messageScreens)) {
        await open(page, path, title);
        await capture(page, `${screenshotName(path)}-full`, theme, isMobile, true);
      }
      for (const [name, openScenario] of Object.entries(messageScenarios)) {
        await openScenario(page, fixture);
        await capture(page, name, theme, isMobile);
      }
    });

    test('command palette, calendars and security', async ({ page, isMobile, api }) => {
      await api.addSubject('Maths', 38);
      await api.addStudent('Maya Okafor');
      await open(page, '/', 'Good to see you, Ada');
      await page.keyboard.press('Control+k');
      const search = page.getByRole('dialog', { name: 'Search' });
      await search.getByRole('combobox').fill('Maya maths Tue 4pm weekly');
      await expect(search.getByRole('option').first()).toContainText('Maya');
      await capture(page, 'command-palette', theme, isMobile);

      await open(page, '/settings/security', 'Security');
      await expect(page.getByText("Where you're logged in")).toBeVisible();
      await capture(page, 'security', theme, isMobile);

      await open(page, '/settings', 'Settings');
      const window = isMobile ? 'phone' : 'desktop';
      const calendar = page.getByRole('region', { name: 'Google Calendar' });
      await expect(calendar.getByRole('button', { name: 'Connect' })).toBeVisible();
      await takeScreenshot(page, { screen: 'google-calendar', theme, window, element: calendar });
      const feed = page.getByRole('region', { name: 'Any other calendar' });
      await feed.getByRole('button', { name: 'Show address' }).click();
      await expect(feed.getByRole('button', { name: 'Replace address' })).toBeVisible();
      await takeScreenshot(page, { screen: 'calendar-feed', theme, window, element: feed });
    });

    test('menus, errors and toasts', async ({ page, isMobile, tutor: _signedIn, consoleGuard }) => {
      await open(page, '/', 'Good to see you, Ada');
      await expect(page.getByRole('region', { name: 'Confirm your email' })).toBeVisible();
      await capture(page, 'home-unconfirmed', theme, isMobile, true);

      await open(page, '/settings', 'Settings');
      await page.getByRole('button', { name: /^Theme Settings/ }).click();
      await expect(page.getByRole('dialog', { name: 'Theme' })).toBeVisible();
      await capture(page, 'theme-dialog', theme, isMobile);

      await open(page, '/profile-edit', 'Edit Profile');
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('');
      await page.getByRole('button', { name: 'Save Changes' }).click();
      await expect(page.getByText('Name must be at least 2 characters')).toBeVisible();
      await capture(page, 'profile-errors', theme, isMobile);
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
      await open(page, '/signup', 'Create your account');
      await page.getByRole('button', { name: 'Create account' }).click();
      await expect(page.getByText('Please enter a valid email')).toBeVisible();
      await capture(page, 'signup-errors', theme, isMobile, true);

      consoleGuard.allowErrorResponse(accounts.login.path, 401);
      await open(page, '/login', 'Welcome back');
      await logIn(page, 'demo', 'not the password');
      await expect(toastWithText(page, 'Login failed')).toBeVisible();
      await capture(page, 'toast-error', theme, isMobile);
      await logIn(page, 'demo', 'demo1234');
      await expect(toastWithText(page, 'Login successful')).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Upcoming Lessons' })).toBeVisible();
      await capture(page, 'toast-success', theme, isMobile);
    });
  });
}

async function seedLongNames(api: ApiClient): Promise<Record<string, string>> {
  const carerName = 'Alexandrina Featherstonehaugh-Cholmondeley';
  const subject = await api.addSubject('Further mathematics and mechanics', 1234.5);
  const first = await api.addStudent('Bartholomew-Maximilian Featherstonehaugh', { carerName });
  const second = await api.addStudent('Wolfeschlegelsteinhausenbergerdorff', {
    carerId: first.carerId,
  });
  const { today } = await api.dashboard();
  const lesson = { subject, start: '16:00', acceptOverlaps: true };
  const completed = await api.addCompletedLesson({
    ...lesson,
    student: first,
    date: addDaysToDate(today, -40),
  });
  await api.addCompletedLesson({ ...lesson, student: second, date: addDaysToDate(today, -20) });
  await api.addCompletedLesson({ ...lesson, student: second, date: addDaysToDate(today, -1) });
  await api.saveBusinessSettings({
    tradingName: 'The Featherstonehaugh Academy of Mathematics, Music and Mechanics',
    accountName: 'The Featherstonehaugh Academy of Mathematics',
    iban: 'GB33 BUKB 2020 1555 5555 55',
    invoicePrefix: 'FEATHER-26',
  });
  const { id, payToken } = await api.findAccount(carerName);
  await api.recordPayment({
    familyId: id,
    amount: 100_050,
    currency: 'GBP',
    method: 'bank_transfer',
    date: addDaysToDate(today, -30),
    chargeIds: [],
  });
  const [issued] = await api.issueInvoices(
    (await api.draftBulkInvoices(addDaysToDate(today, -60), addDaysToDate(today, -2))).map(
      (each) => each.id,
    ),
  );
  const [draft] = await api.draftBulkInvoices(addDaysToDate(today, -1), today);
  const title = 'Payment to The Featherstonehaugh Academy of Mathematics, Music and Mechanics';
  return {
    '/families': 'Families',
    [`/families/${id}`]: carerName,
    [`/payments/create/${completed.lessonId}`]: 'Record payment',
    '/reports?period=all_time': 'Tutor Earnings Report',
    '/reports?show=owed': 'Tutor Earnings Report',
    '/invoices': 'Invoices',
    [`/invoices/${issued?.id}`]: `Invoice ${issued?.number}`,
    [`/invoices/${draft?.id}`]: 'Draft invoice',
    [`/invoices/everyone?drafts=${draft?.id}`]: 'Review 1 invoice',
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
  await takeScreenshot(page, { screen, theme, window: isMobile ? 'phone' : 'desktop', fullPage });
}
