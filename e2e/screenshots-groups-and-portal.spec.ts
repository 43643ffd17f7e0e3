import { addDaysToDate } from '@lessonbook/contract/dates';
import type { Browser, Page } from '@playwright/test';
import type { ApiClient } from './api-client.ts';
import { expect, test } from './fixtures.ts';
import type { MailClient } from './mail-client.ts';
import { button, chooseOption, dialog, link, select, textField } from './page-objects/controls.ts';
import { signInToPortal } from './page-objects/family-portal-sign-in.ts';
import { open, pageHeading, storeTheme, type Theme } from './page-objects/navigation.ts';
import { takeScreenshot } from './take-screenshot.ts';

/* Screenshots that need an account with groups, rates, school terms and families in the portal. */

const themes: Theme[] = ['light', 'dark'];

for (const theme of themes) {
  test.describe(`groups and portal in ${theme} @shots`, () => {
    test.beforeEach(({ page }) => storeTheme(page, theme));

    test('groups, rates, terms and the portal', async ({
      page,
      isMobile,
      browser,
      origin,
      tutor,
      api,
      mail,
    }) => {
      const window = isMobile ? 'phone' : 'desktop';
      const motherEmail = `ruth.${tutor.username}@families.example`;
      await seedAccount(api, motherEmail);

      for (const [path, title, screen] of [
        ['/settings/rates', 'Rates', 'rates-full'],
        ['/settings/school-terms', 'School terms', 'school-terms-full'],
        ['/settings/cancellation-policy', 'Cancellation policy', 'cancellation-policy-full'],
        ['/settings/family-portal', 'Family portal', 'family-portal-settings'],
      ] as const) {
        await open(page, path, title);
        await takeScreenshot(page, { screen, theme, window, fullPage: true });
      }

      await open(page, '/schedule', 'Schedule');
      await fillGroup(page);
      await takeScreenshot(page, { screen: 'lesson-group', theme, window });

      if (isMobile) await takePortalScreenshots(browser, origin, motherEmail, mail, theme);
    });
  });
}

async function seedAccount(api: ApiClient, motherEmail: string): Promise<void> {
  const maths = await api.addSubject('Maths GCSE', 38);
  const physics = await api.addSubject('Physics', 42, { color: 'plum' });
  const maya = await api.addStudent('Maya Hale', {
    carerName: 'Ruth Hale',
    carerEmail: motherEmail,
  });
  const leo = await api.addStudent('Leo Hale', { carerId: maya.carerId });
  for (const [name, carerName] of [
    ['Noah Goldberg', 'Lea Goldberg'],
    ['Amira Haddad', 'Dana Haddad'],
    ['Sam Reid', 'Ruth Reid'],
  ] as const) {
    const email = `${carerName.toLowerCase().replace(' ', '.')}@families.example`;
    await api.addStudent(name, { carerName, carerEmail: email });
  }
  const { today } = await api.dashboard();
  await api.saveRate({
    studentId: maya.id,
    subjectId: maths.id,
    amount: 36,
    unit: 'hour',
    validFrom: addDaysToDate(today, -60),
  });
  await api.saveRate({
    studentId: leo.id,
    subjectId: physics.id,
    amount: 40,
    unit: 'lesson',
    validFrom: addDaysToDate(today, 30),
  });
  await api.addTermCalendar({
    name: 'Hertfordshire',
    terms: [
      {
        name: 'Autumn 1',
        fromDate: addDaysToDate(today, -70),
        toDate: addDaysToDate(today, -25),
      },
      { name: 'Autumn 2', fromDate: addDaysToDate(today, -14), toDate: addDaysToDate(today, 30) },
      { name: 'Spring 1', fromDate: addDaysToDate(today, 48), toDate: addDaysToDate(today, 88) },
    ],
  });
  const weekly = { isRecurring: true, recurringPattern: 'weekly' } as const;
  await api.addLesson({
    student: maya,
    subject: maths,
    date: addDaysToDate(today, 3),
    start: '16:30',
    place: '3 Hill Road',
    ...weekly,
  });
  await api.addLesson({
    student: leo,
    subject: physics,
    date: addDaysToDate(today, 5),
    start: '18:00',
    place: 'https://meet.example/leo',
    ...weekly,
  });
  for (const [weeks, note] of NOTES.entries()) {
    const date = addDaysToDate(today, -7 * (weeks + 1));
    const lesson = { student: maya, subject: maths, date, start: '16:30' };
    const { sessionId } = await api.addCompletedLesson(lesson);
    await api.shareNote(sessionId, maya, note);
  }
  await api.openPortal();
}

/** The latest lesson first. */
const NOTES = [
  {
    did: 'Simultaneous equations. Maya solved two exam questions without help.',
    nextTime: 'Quadratic graphs',
    homework: 'Exercise 9B, questions 1 to 6',
  },
  { did: 'Expanding brackets, then a short test.', nextTime: 'Simultaneous equations' },
];

async function fillGroup(page: Page): Promise<void> {
  await button(page, 'New Lesson').click();
  const form = dialog(page, 'Add New Lesson');
  await chooseOption(page, select(form, 'Student'), 'Noah Goldberg');
  await button(form, 'Add another student').click();
  for (const name of ['Amira Haddad', 'Sam Reid', 'Leo Hale'])
    await chooseOption(page, select(form, 'Add a student'), name);
  await chooseOption(page, select(form, 'Subject'), 'Maths GCSE');
  await textField(form, 'Group name').fill('Year 11 maths');
  await textField(form, 'Price per place').fill('22');
  await form.getByRole('button', { name: /^Change the price for Amira Haddad/ }).click();
  await textField(form, 'Individual price for Amira Haddad').fill('18');
  const students = form.getByRole('group', { name: 'Students' });
  await expect(students.getByRole('listitem')).toHaveCount(4);
  await students.evaluate((element) => element.scrollIntoView({ block: 'start' }));
}

async function takePortalScreenshots(
  browser: Browser,
  origin: string,
  email: string,
  mail: MailClient,
  theme: Theme,
): Promise<void> {
  const mother = await signInToPortal(browser, origin, email, mail);
  await mother.page.emulateMedia({ colorScheme: theme });
  await expect(mother.page.getByRole('listitem').first()).toBeVisible();
  await takeScreenshot(mother.page, { screen: 'family-next', theme, window: 'phone' });
  const phone = mother.page.viewportSize();
  await mother.page.setViewportSize({ width: 1280, height: 800 });
  await takeScreenshot(mother.page, { screen: 'family-next', theme, window: 'desktop' });
  if (phone) await mother.page.setViewportSize(phone);
  for (const [tab, screen] of [
    ['Notes', 'family-notes'],
    ['Money', 'family-money'],
    ['Details', 'family-details'],
  ] as const) {
    await link(mother.page, tab).click();
    await expect(pageHeading(mother.page, tab)).toBeVisible();
    await expect(mother.page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
    await takeScreenshot(mother.page, { screen, theme, window: 'phone', fullPage: true });
  }
  await link(mother.page, 'Next').click();
  await mother.page
    .getByRole('button', { name: /^Cancel lesson for Maya/ })
    .first()
    .click();
  await expect(mother.page.getByRole('dialog')).toBeVisible();
  await takeScreenshot(mother.page, { screen: 'family-cancel', theme, window: 'phone' });
  await mother.page.context().close();
}
