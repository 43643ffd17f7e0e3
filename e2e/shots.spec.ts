import { accounts } from '@lessonbook/contract/accounts';
import { plusDays } from '@lessonbook/contract/dates';
import type { Page } from '@playwright/test';
import type { Book } from './book.ts';
import { logInAsDemo } from './demo.ts';
import { expect, test } from './fixtures.ts';
import { fillDesk, messageOpenings, messageScreens } from './message-openings.ts';
import { moneyOpenings } from './money-openings.ts';
import { formOpenings, sessionOpenings } from './openings.ts';
import { becomeStranger, logIn, open, rememberTheme, type Theme, toast } from './page-parts.ts';
import {
  deskScreens,
  expectNothingThere,
  moneyScreens,
  publicScreens,
  screensOf,
} from './screens.ts';
import { shoot as takePicture } from './shoot.ts';
import { moneyNameOf, nameOf } from './shot-names.ts';

const themes: Theme[] = ['light', 'dark'];

for (const theme of themes) {
  test.describe(`pictures in ${theme} @shots`, () => {
    test.beforeEach(({ page }) => rememberTheme(page, theme));

    test('public screens', async ({ page, isMobile, watch }) => {
      expectNothingThere(watch);
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
      for (const [path, title] of screensOf(demo.moneyScreens)) {
        await open(page, path, title);
        const name = moneyNameOf(path, title);
        await shoot(page, name, theme, isMobile);
        await shoot(page, `${name}-full`, theme, isMobile, true);
      }
      for (const [path, title] of [
        ['/', 'Good to see you, Ada'],
        ['/settings', 'Settings'],
      ] as const) {
        await open(page, path, title);
        await shoot(page, `${nameOf(path)}-full`, theme, isMobile, true);
      }
    });

    test('money before there is any', async ({ page, isMobile, tutor: _signedIn, watch }) => {
      expectNothingThere(watch);
      for (const [path, title] of screensOf(moneyScreens)) {
        await open(page, path, title);
        await shoot(page, `${moneyNameOf(path, title)}-empty`, theme, isMobile);
      }
    });

    test('money of people with long names', async ({ page, isMobile, book }) => {
      for (const [path, title] of screensOf(await fillWithLongNames(book))) {
        await open(page, path, title);
        await shoot(page, `${moneyNameOf(path, title)}-long`, theme, isMobile, true);
      }
    });

    test('what opens above a full book', async ({ page, context, origin, isMobile, watch }) => {
      test.slow();
      const demo = await logInAsDemo(context, origin);
      for (const [name, go] of Object.entries({
        ...formOpenings,
        ...sessionOpenings,
        ...moneyOpenings,
      })) {
        await go(page, demo, watch);
        await shoot(page, name, theme, isMobile);
      }
    });

    test('messages of a full book', async ({ page, isMobile, book }) => {
      const desk = await fillDesk(book);
      for (const [path, title] of screensOf(messageScreens)) {
        await open(page, path, title);
        await shoot(page, `${nameOf(path)}-full`, theme, isMobile, true);
      }
      for (const [name, go] of Object.entries(messageOpenings)) {
        await go(page, desk);
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

      await becomeStranger(page);
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

/** Whoever is called like that pays by transfer, too. */
async function fillWithLongNames(book: Book): Promise<Record<string, string>> {
  const carerName = 'Alexandrina Featherstonehaugh-Cholmondeley';
  const subject = await book.addSubject('Further mathematics and mechanics', 1234.5);
  const first = await book.addStudent('Bartholomew-Maximilian Featherstonehaugh', { carerName });
  const second = await book.addStudent('Wolfeschlegelsteinhausenbergerdorff', {
    carerId: first.carerId,
  });
  const { today } = await book.dashboard();
  const lesson = { subject, start: '16:00', acceptOverlaps: true };
  const taught = await book.teach({ ...lesson, student: first, date: plusDays(today, -40) });
  await book.teach({ ...lesson, student: second, date: plusDays(today, -20) });
  await book.teach({ ...lesson, student: second, date: plusDays(today, -1) });
  await book.saveBusiness({
    tradingName: 'The Featherstonehaugh Academy of Mathematics, Music and Mechanics',
    accountName: 'The Featherstonehaugh Academy of Mathematics',
    iban: 'GB00 ABCD 0000 0000 0000 0000 0000 00',
    invoicePrefix: 'FEATHER-26',
  });
  const { id, payToken } = await book.account(carerName);
  await book.pay({
    familyId: id,
    amount: 100_050,
    currency: 'GBP',
    method: 'bank_transfer',
    date: plusDays(today, -30),
    chargeIds: [],
  });
  const [issued] = await book.issue(
    (await book.draftEveryone(plusDays(today, -60), plusDays(today, -2))).map((each) => each.id),
  );
  const [draft] = await book.draftEveryone(plusDays(today, -1), today);
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

async function shoot(
  page: Page,
  screen: string,
  theme: Theme,
  isMobile: boolean,
  fullPage = false,
): Promise<void> {
  await takePicture(page, { screen, theme, window: isMobile ? 'phone' : 'desktop', fullPage });
}
