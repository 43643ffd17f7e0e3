import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { accounts } from '@lessonbook/contract/accounts';
import { addDaysToDate } from '@lessonbook/contract/dates';
import type { BrowserContext, Page } from '@playwright/test';
import type { ApiClient } from '../api-client.ts';
import {
  readCaches,
  readStorages,
  trustThisDevice,
  waitForServiceWorker,
} from '../browser-storage.ts';
import { expect, test } from '../fixtures.ts';
import { button, dialog, textField } from '../page-objects/controls.ts';
import { expectPath, logIn, open, pageHeading, toastWithText } from '../page-objects/navigation.ts';
import { newSignupData, signUp } from '../sign-up-tutor.ts';

/* The tests run in order, because the last one changes the served service worker. */
test.describe.configure({ mode: 'default' });

const SERVED_WORKER = fileURLToPath(
  new URL('../../.cache/e2e-web/service-worker.js', import.meta.url),
);

/** Creates an upcoming lesson and an unpaid one, with text that must never be stored in a browser. */
async function seedLessons(api: ApiClient): Promise<void> {
  const { today } = await api.dashboard();
  const student = await api.addStudent('Maya Canarysurname', {
    phone: '+44 7700 900123',
    notes: 'Canarynotes',
    carerName: 'Ruth Canarycarer',
    carerEmail: 'canary@families.example',
  });
  const subject = await api.addSubject('Maths', 35);
  const lesson = { student, subject, notes: 'Canarynotes', place: 'Canarystreet 1' };
  await api.addCompletedLesson({ ...lesson, date: addDaysToDate(today, -2), start: '10:00' });
  await api.addLesson({ ...lesson, date: addDaysToDate(today, 1), start: '16:00' });
}

const expectNoPersonalData = async (page: Page) => {
  expect(await readStorages(page)).not.toMatch(/Maya|canary/i);
  for (const { url, text } of await readCaches(page)) {
    expect(url).toMatch(/^\/(assets\/[\w.-]+|index\.html|theme\.js)$/);
    expect(text).not.toMatch(/Maya|canary/i);
  }
};

const setOnline = (context: BrowserContext, online: boolean) => context.setOffline(!online);

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('installed: caches only small public files, shows the offline page and can be unregistered', async ({
    page,
    context,
    api,
    consoleGuard,
  }) => {
    consoleGuard.allowOffline();
    await seedLessons(api);
    await open(page, '/dashboard', 'Good to see you, Ada');
    await waitForServiceWorker(page);
    const manifest = await page.evaluate(async () => {
      const link = document.querySelector<HTMLLinkElement>('link[rel=manifest]');
      return (await (await fetch(link?.href ?? '')).json()) as {
        start_url: string;
        icons: { src: string }[];
      };
    });
    expect(manifest.start_url).toBe('/dashboard');
    for (const { src } of manifest.icons) {
      expect((await context.request.get(new URL(src, page.url()).href)).status()).toBe(200);
    }
    const cached = await readCaches(page);
    const bytes = cached.reduce((sum, { text }) => sum + text.length, 0);
    // This is the uncompressed size; the download is about a third of it, and most of it has already been loaded with the page.
    expect(bytes).toBeLessThan(1_400_000);
    await expectNoPersonalData(page);

    await setOnline(context, false);
    await page.goto('/schedule?date=2026-11-20');
    await expect(pageHeading(page, "You're offline")).toBeVisible();
    await expect(page.getByText('This is my own device')).toBeVisible();
    await expect(page.getByRole('main')).not.toContainText(/£|No lessons/);
    await expectPath(page, '/schedule?date=2026-11-20');
    for (const path of ['/', '/pay/some-token', '/invoices/some-token', '/login']) {
      await expect(page.goto(path)).rejects.toThrow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
    }

    await setOnline(context, true);
    await open(page, '/dashboard', 'Good to see you, Ada');
    // This file does not load the app, which would register its own service worker again.
    await page.goto('/robots.txt');
    await page.evaluate(() => navigator.serviceWorker.register('/unregister.js'));
    await expect
      .poll(() =>
        page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length),
      )
      .toBe(0);
    expect(await readCaches(page)).toEqual([]);
  });

  test('own device: shows two weeks and the balances offline, with first names only, and reopens the app when online', async ({
    page,
    context,
    api,
    consoleGuard,
  }) => {
    consoleGuard.allowOffline();
    await seedLessons(api);
    await open(page, '/settings', 'Settings');
    await waitForServiceWorker(page);
    await trustThisDevice(page, 'Maya');
    expect(await readStorages(page)).not.toMatch(/canary|7700|Ruth/i);

    await setOnline(context, false);
    await page.goto('/schedule');
    await expect(pageHeading(page, "You're offline")).toBeVisible();
    await expect(
      page.getByText(/^This is your schedule as of \w{3} \d+ \w{3} \d\d:\d\d, read only/),
    ).toBeVisible();
    const schedule = page.getByRole('region', { name: 'Schedule' });
    await expect(schedule.getByRole('listitem')).toContainText(['Maya Maths']);
    await expect(page.getByRole('region', { name: 'Balances' }).getByRole('listitem')).toHaveText(
      /^Maya\s*Owes £35$/,
    );
    await expect(page.locator('body')).not.toContainText(/canary/i);

    await setOnline(context, true);
    await expect(pageHeading(page, 'Schedule')).toBeVisible({ timeout: 60_000 });
    await expectPath(page, '/schedule');
  });

  test('abuse case 23: no data is left, in storage or the history, after a logout, an ended login or a change of tutor', async ({
    page,
    context,
    origin,
    tutor,
    api,
    consoleGuard,
  }) => {
    consoleGuard.allowOffline();
    await seedLessons(api);
    const waitForOfflineData = async () => {
      await open(page, '/settings', 'Settings');
      await waitForServiceWorker(page);
      await expect.poll(() => readStorages(page)).toContain('Maya');
    };
    await open(page, '/schedule', 'Schedule');
    await open(page, '/settings', 'Settings');
    await trustThisDevice(page, 'Maya');

    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(toastWithText(page, 'Logged out')).toBeVisible();
    await expectPath(page, '/login');
    await expectNoPersonalData(page);
    await page.goBack();
    await expect(page.getByRole('main')).not.toContainText('Maya');
    await setOnline(context, false);
    await page.goto('/schedule');
    await expect(pageHeading(page, "You're offline")).toBeVisible();
    await expect(page.locator('body')).not.toContainText(/Maya|£/);
    await setOnline(context, true);
    await expectPath(page, '/login');

    // The next request detects a login that was ended elsewhere.
    await logIn(page, tutor.username, tutor.password);
    await expectPath(page, '/');
    await waitForOfflineData();
    await context.clearCookies({ name: /lessonbook/ });
    await page.goto('/schedule');
    await expectPath(page, '/login');
    await expect.poll(() => readStorages(page)).not.toContain('Maya');
    await expectNoPersonalData(page);

    // Another tutor logs in to the same browser while the first is still logged in.
    await logIn(page, tutor.username, tutor.password);
    await expectPath(page, '/');
    await waitForOfflineData();
    const grace = newSignupData('Grace Lin');
    await signUp(context.request, origin, grace);
    const { username, password } = grace;
    await context.request.post(`${origin}${accounts.login.path}`, {
      headers: { origin },
      data: { username, password },
    });
    await open(page, '/settings', 'Settings');
    await expect.poll(() => readStorages(page)).not.toContain('Maya');
    await expect(page.getByRole('switch', { name: 'This is my own device' })).not.toBeChecked();
    await expectNoPersonalData(page);
  });

  test('a new version is announced, does not change an open page and keeps the files of the previous version', async ({
    page,
    tutor: _signedIn,
  }) => {
    await open(page, '/schedule', 'Schedule');
    await waitForServiceWorker(page);
    const before = readFileSync(SERVED_WORKER, 'utf8');
    const compressedFiles = ['.br', '.gz'].map((end) => ({
      file: `${SERVED_WORKER}${end}`,
      content: readFileSync(`${SERVED_WORKER}${end}`),
    }));
    try {
      for (const { file } of compressedFiles) rmSync(file);
      writeFileSync(SERVED_WORKER, before.replace(/(version:[`"'])/, '$1next-'));
      await button(page, 'New Lesson').click();
      await textField(dialog(page, 'Add New Lesson'), 'Lesson Title').fill('Half a word');
      await page.evaluate(async () => {
        await (await navigator.serviceWorker.getRegistration())?.update();
      });
      await expect(toastWithText(page, 'A new version is ready')).toBeVisible();
      await expect(textField(dialog(page, 'Add New Lesson'), 'Lesson Title')).toHaveValue(
        'Half a word',
      );
      const names = await page.evaluate(() => caches.keys());
      expect(names).toHaveLength(2);
      expect(names.at(-1)).toContain('next-');
    } finally {
      writeFileSync(SERVED_WORKER, before);
      for (const { file, content } of compressedFiles) writeFileSync(file, content);
    }
  });
});

test('offline in the running app: shows a notice and the latest data, and saves a form once even if the response is lost', async ({
  page,
  context,
  api,
  consoleGuard,
}) => {
  consoleGuard.allowOffline();
  await seedLessons(api);
  const { today } = await api.dashboard();
  const tomorrow = addDaysToDate(today, 1);
  await open(page, `/schedule?date=${tomorrow}`, 'Schedule');
  const main = page.getByRole('main');
  await expect(main.getByRole('listitem')).toContainText(['Maya']);
  await button(page, 'New Lesson').click();
  const form = dialog(page, 'Add New Lesson');
  await form.getByRole('combobox', { name: 'Student' }).click();
  await page.getByRole('option', { name: 'Maya Canarysurname' }).click();
  await form.getByRole('combobox', { name: 'Subject' }).click();
  await page.getByRole('option', { name: 'Maths' }).click();
  await textField(form, 'Lesson Title').fill('Mock exam');

  await setOnline(context, false);
  await button(form, 'Save Lesson').click();
  await expect(toastWithText(page, "Not saved: you're offline")).toContainText(
    "Your changes are still here. Save again once you're online.",
  );
  await expect(textField(form, 'Lesson Title')).toHaveValue('Mock exam');
  await expect(page.getByText(/You're offline\. Last updated \d\d:\d\d\./)).toBeAttached();
  await expect(main.locator('li').first()).toContainText('Maya');

  // The network is back and the lesson is saved, but the response is lost.
  await setOnline(context, true);
  await page.route('**/api/lessons', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await button(form, 'Save Lesson').click();
  await expect(toastWithText(page, 'Failed to create lesson')).toBeVisible();
  await page.unroute('**/api/lessons');
  await button(form, 'Save Lesson').click();
  await expect(toastWithText(page, 'Lesson created successfully')).toBeVisible();
  await expect(form).toBeHidden();
  const rows = await api.sessions(today, addDaysToDate(today, 3));
  expect(rows.filter(({ title }) => title === 'Mock exam')).toHaveLength(1);
  await expect(page.getByText(/Last updated/)).toHaveCount(0);
});
