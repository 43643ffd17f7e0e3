import { addDaysToDate } from '@lessonbook/contract/dates';
import type { Locator, Page } from '@playwright/test';
import type { ApiClient } from '../api-client.ts';
import { expect, test } from '../fixtures.ts';
import { region } from '../page-objects/controls.ts';
import { expectPath, open, pageHeading } from '../page-objects/navigation.ts';
import { expectVisibleFocus } from './input-driver.ts';

const today = new Date().toISOString().slice(0, 10);
const lastWeek = addDaysToDate(today, -7);

/** Two students from two families, each with a completed lesson, an invoice and an unsent WhatsApp reminder. */
async function addRecords(api: ApiClient) {
  const maths = await api.addSubject('Maths', 35);
  const records = [];
  for (const [index, name] of ['Ada Stone', 'Ben Stone'].entries()) {
    const student = await api.addStudent(name, {
      carerName: `${name.slice(0, 3)}’s parent`,
      carerPhone: `07700 90000${index}`,
    });
    await api.addCompletedLesson({
      student,
      subject: maths,
      date: addDaysToDate(lastWeek, index),
      start: '10:00',
    });
    const family = await api.findAccount(`${name.slice(0, 3)}’s parent`);
    const invoice = await api.issueInvoice(family.id, lastWeek, today);
    await api.sendReminder({ familyId: family.id, channel: 'whatsapp' });
    records.push({ student, family, invoice });
  }
  return records;
}

/** Checks that J enters the list, that the arrow keys move between its rows and that the focus is always visible. */
async function moveThrough(page: Page, first: Locator, second: Locator) {
  await expect(first).toBeVisible();
  // The shortcuts are loaded after the page.
  await expect(async () => {
    await page.keyboard.press('j');
    await expect(first).toBeFocused({ timeout: 1_000 });
  }).toPass();
  await expectVisibleFocus(first);
  await page.keyboard.press('ArrowDown');
  await expect(second).toBeFocused();
  await expectVisibleFocus(second);
  await page.keyboard.press('ArrowUp');
  await expect(first).toBeFocused();
  await page.keyboard.press('ArrowDown');
}

test('F140 students, their timeline and families can be used with only the keyboard', async ({
  page,
  api,
  confirmedTutor: _canSend,
}) => {
  const [, ben] = await addRecords(api);
  await open(page, '/students', 'Students');
  const students = page.getByRole('list', { name: 'Students' }).getByRole('link');
  await moveThrough(page, students.first(), students.nth(1));
  await expect(
    region(page, 'Selected student').getByRole('heading', { name: 'Ben Stone' }),
  ).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(pageHeading(page, 'Ben Stone')).toBeVisible();

  const timeline = page.getByRole('list', { name: 'Lessons, notes and money' });
  const entries = timeline.getByRole('heading').getByRole('link');
  await moveThrough(page, entries.first(), entries.nth(1));
  await page.keyboard.press('Enter');
  await expect(page).not.toHaveURL(/students/);
  await page.goBack();
  await expect(pageHeading(page, 'Ben Stone')).toBeVisible();

  await open(page, '/families', 'Families');
  const families = page.getByRole('table', { name: 'Families' }).locator('th').getByRole('link');
  await moveThrough(page, families.first(), families.nth(1));
  await expectPath(page, `/families?selected=${ben?.family.id}`);
  await page.keyboard.press('Enter');
  await expectPath(page, `/families/${ben?.family.id}`);
});

test('F140 invoices, messages and the search can be used with only the keyboard', async ({
  page,
  api,
  confirmedTutor: _canSend,
}) => {
  const [ada, ben] = await addRecords(api);
  await open(page, '/invoices', 'Invoices');
  const invoices = page
    .getByRole('table', { name: 'Invoices' })
    .locator('tbody th')
    .getByRole('link');
  await moveThrough(page, invoices.first(), invoices.nth(1));
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Space');
  const selected = page.getByRole('region', { name: 'Selected invoices' });
  await expect(selected).toContainText('1 selected');
  await page.keyboard.press('Escape');
  await expect(selected).toBeHidden();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expectPath(page, `/invoices/${ada?.invoice.id}`);

  await open(page, '/messages', 'Messages');
  const messages = region(page, 'Waiting for you to send in WhatsApp').getByRole('link');
  await moveThrough(page, messages.first(), messages.nth(1));
  await expect(page.getByRole('region', { name: 'Message', exact: true })).toContainText(
    'Ben’s parent',
  );

  await page.keyboard.press('/');
  const search = page.getByRole('combobox', { name: 'Search' });
  await expect(search).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(search).toBeHidden();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('stone');
  const options = page.getByRole('option');
  // Results for the first part of the typed text may be shown before the final results.
  await expect(page.getByRole('listbox')).toHaveAttribute('aria-busy', 'false');
  await expect(options.nth(1)).toContainText('Ben Stone');
  await page.keyboard.press('ArrowDown');
  await expect(options.nth(1)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(pageHeading(page, 'Ben Stone')).toBeVisible();
  await expectPath(page, `/students/${ben?.student.id}`);
});
