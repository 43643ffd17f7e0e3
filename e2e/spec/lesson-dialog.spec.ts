import { addDaysToDate } from '@lessonbook/contract/dates';
import { lessons } from '@lessonbook/contract/lessons';
import type { Locator, Page } from '@playwright/test';
import type { ApiClient } from '../api-client.ts';
import { TODAY } from '../fixed-server-time.ts';
import { expect, test } from '../fixtures.ts';
import { mouse } from '../journeys/input-driver.ts';
import {
  button,
  chooseOption,
  dateField,
  dialog,
  link,
  row,
  select,
  setChecked,
  setTime,
  textField,
} from '../page-objects/controls.ts';
import { expectPath, open, toastWithText } from '../page-objects/navigation.ts';
import { chooseLessonAction, openSessionPage } from '../page-objects/session-page.ts';

test.use({ fixedClock: true });

const MONTH_ENDS = '03-31 04-30 05-31 06-30 07-31 08-31 09-30 10-31 11-30 12-31'
  .split(' ')
  .map((day) => `2030-${day}`)
  .concat('2031-01-31', '2031-02-28');

test('lesson dialog: shows its fields with their defaults [LESS-01, LESS-03..08, LESS-10..14, LESS-16..23, LESS-26, LESS-29..31]', async ({
  page,
  api,
}) => {
  await api.addStudent('Maya Hale');
  await api.addStudent('Noah Hale');
  await api.addSubject('French', 32.5, { currency: 'EUR' });
  await api.addSubject('Maths', 38);
  const form = await openNewLessonDialog(page, TODAY);
  await expect(form.getByRole('heading', { name: 'Add New Lesson' })).toBeVisible();
  const requiredLabels = ['Student*', 'Subject*', 'Lesson Title*', 'Date*', 'Start*', 'End*'];
  const labels = (await form.locator('label').allInnerTexts()).map((text) =>
    text.replace(/\s+\*/, '*'),
  );
  expect(labels).toEqual(expect.arrayContaining([...requiredLabels, 'Fee', 'Currency', 'Notes']));

  await expect(textField(form, 'Lesson Title')).toHaveAttribute(
    'placeholder',
    'E.g. Math Tutoring',
  );
  await expect(dateField(form, 'Date')).toHaveValue('Mar 12, 2030');
  await mouse(page).pickDate(dateField(form, 'Date'), '2030-04-03');
  await expect(dateField(form, 'Date')).toHaveValue('Apr 3, 2030');
  await expect(select(form, 'Start')).toHaveValue('09:00');
  await expect(select(form, 'End')).toHaveValue('10:00');
  const fee = textField(form, 'Fee');
  await expect(fee).toHaveAttribute('placeholder', '30');
  await expect(fee).toHaveAttribute('inputmode', 'decimal');
  const notes = textField(form, 'Notes');
  await expect(notes).toHaveAttribute('placeholder', 'Enter any notes about this lesson');

  // The student and subject determine the title; the subject also determines the fee.
  expect(await chooseOption(page, select(form, 'Student'), 'Maya Hale')).toEqual([
    'Maya Hale',
    'Noah Hale',
  ]);
  await expect(textField(form, 'Lesson Title')).toHaveValue('');
  expect(await chooseOption(page, select(form, 'Subject'), 'French')).toEqual(['French', 'Maths']);
  await expect(textField(form, 'Lesson Title')).toHaveValue('Maya Hale - French');
  await expect(fee).toHaveValue('32.50');
  await expect(select(form, 'Currency')).toHaveValue('EUR');
  await mouse(page).chooseOption(select(form, 'Subject'), 'Maths');
  await expect(textField(form, 'Lesson Title')).toHaveValue('Maya Hale - Maths');
  await expect(fee).toHaveValue('38');
  await expect(select(form, 'Currency')).toHaveValue('GBP');
  const currencies = await chooseOption(page, select(form, 'Currency'), 'INR');
  expect(currencies.toSorted()).toEqual(['EUR', 'GBP', 'INR', 'USD']);

  const recurring = form.getByRole('checkbox', { name: 'Recurring Lesson', exact: true });
  await expect(recurring).toHaveAccessibleDescription('Repeats according to pattern');
  await expect(form.getByText('Repeats according to pattern', { exact: true })).toBeVisible();
  await expect(recurring).not.toBeChecked();
  await expect(select(form, 'Repeat')).toHaveCount(0);
  await expect(dateField(form, 'End Date')).toHaveCount(0);
  await setChecked(recurring);
  await expect(select(form, 'Repeat')).toHaveValue('Weekly');
  expect(await chooseOption(page, select(form, 'Repeat'), 'Biweekly')).toEqual([
    'Weekly',
    'Biweekly',
    'Monthly',
    'Monthly on the first Wednesday',
  ]);
  await expect(dateField(form, 'End Date')).toHaveAttribute('placeholder', 'Set end date');
  await expect(form).toContainText('Next: Wed 17 Apr, Wed 1 May, Wed 15 May, with no end date');
  await setChecked(recurring, false);
  await expect(select(form, 'Repeat')).toHaveCount(0);
  await expect(dateField(form, 'End Date')).toHaveCount(0);
  await expect(button(form, 'Save Lesson')).toBeEnabled();
});

test('lesson dialog: still offers every option after one has been chosen [LESS-03, LESS-04]', async ({
  page,
  api,
}) => {
  for (const name of ['Maya Hale', 'Noah Hale']) await api.addStudent(name);
  for (const name of ['French', 'Maths']) await api.addSubject(name);
  const form = await openNewLessonDialog(page, TODAY);
  await chooseOption(page, select(form, 'Student'), 'Maya Hale');
  await chooseOption(page, select(form, 'Subject'), 'French');
  await select(form, 'Student').click();
  await expect(page.getByRole('option')).toHaveText(['Maya Hale', 'Noah Hale']);
  await page.keyboard.press('Escape');
  await select(form, 'Subject').click();
  await expect(page.getByRole('option')).toHaveText(['French', 'Maths']);
});

test('lesson dialog: requires a date [LESS-09]', async ({ page, api }) => {
  await api.addStudent('Maya Hale');
  await api.addSubject('Maths');
  const form = await openNewLessonDialog(page, TODAY);
  await button(form, 'Clear Date').click();
  await expect(dateField(form, 'Date')).toHaveAttribute('placeholder', 'Pick a date');
});

test('lesson dialog: a single lesson creates one session, and every list shows it immediately [LESS-02, PROD-02, API-20, TOAST-05]', async ({
  page,
  api,
}) => {
  await api.addStudent('Maya Hale');
  await api.addSubject('Maths', 38);
  // Opened while the list is empty, so that showing the lesson later requires a refetch.
  await open(page, '/', 'Good to see you, Ada');
  const upcoming = page.getByRole('region', { name: 'Upcoming Lessons', exact: true });
  await expect(upcoming).toContainText('Your next lessons will appear here.');
  await link(page.getByRole('navigation', { name: 'Main' }), 'Schedule').click();
  await expect(page.getByText('No lessons scheduled for this day')).toBeVisible();

  await button(page, 'New Lesson').click();
  const form = dialog(page, 'Add New Lesson');
  await chooseOption(page, select(form, 'Student'), 'Maya Hale');
  await chooseOption(page, select(form, 'Subject'), 'Maths');
  await setTime(form, 'Start', '21:15');
  await expect(select(form, 'End')).toHaveValue('22:15');
  await setTime(form, 'End', '22:00');
  await textField(form, 'Fee').fill('35.50');
  await textField(form, 'Location').fill('12 Mill Lane');
  await textField(form, 'Notes').fill('Bring the red book.');
  await button(form, 'Save Lesson').click();
  await expect(toastWithText(page, 'Lesson created successfully')).toBeVisible();
  await expect(form).toBeHidden();
  await expect(row(page, 'Maya Hale - Maths')).toContainText('21:15–22:00');
  await link(page, 'Home').click();
  await expect(row(upcoming, 'Maya Hale - Maths')).toContainText('21:15');

  const [lesson, ...others] = await api.lessons();
  expect(others).toEqual([]);
  expect(lesson).toMatchObject({ date: TODAY, fee: 35.5, currency: 'GBP', duration: 45 });
  expect(lesson).toMatchObject({ isRecurring: false, counts: { scheduled: 1 } });
  const rows = await api.sessions('2029-03-12', '2031-03-12');
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ date: TODAY, startTime: '21:15', endTime: '22:00' });

  // The same dialog edits the lesson.
  await link(upcoming, 'View Details, Maya Hale - Maths').click();
  const editDialog = await chooseLessonAction(page, 'Edit lesson', 'Edit Lesson');
  await expect(editDialog.getByRole('heading', { name: 'Edit Lesson' })).toBeVisible();
  await expect(select(editDialog, 'Student')).toHaveValue('Maya Hale');
  await expect(select(editDialog, 'Subject')).toHaveValue('Maths');
  await expect(textField(editDialog, 'Lesson Title')).toHaveValue('Maya Hale - Maths');
  await expect(dateField(editDialog, 'Date')).toHaveValue('Mar 12, 2030');
  await expect(select(editDialog, 'Start')).toHaveValue('21:15');
  await expect(select(editDialog, 'End')).toHaveValue('22:00');
  await expect(textField(editDialog, 'Fee')).toHaveValue('35.50');
  await expect(textField(editDialog, 'Location')).toHaveValue('12 Mill Lane');
  await expect(textField(editDialog, 'Notes')).toHaveValue('Bring the red book.');
  await textField(editDialog, 'Fee').fill('');
  await expect(editDialog.getByText('Free lesson')).toBeVisible();
  await button(editDialog, 'Save Lesson').click();
  await expect(toastWithText(page, 'Lesson updated successfully')).toBeVisible();
  expect(await api.lessons()).toMatchObject([{ fee: null, duration: 45 }]);
});

test('lesson dialog: a recurring lesson creates a session on each date [PROD-03]', async ({
  page,
  api,
}) => {
  await api.addStudent('Maya Hale');
  await api.addSubject('Maths', 38);
  const input = mouse(page);

  // Weekly, including the last day and across a clock change
  const first = '2030-03-14';
  let form = await openNewLessonDialog(page, first);
  await chooseStudentAndSubject(page, form);
  await setTime(form, 'Start', '16:00');
  await setChecked(form.getByRole('checkbox', { name: 'Recurring Lesson' }));
  await input.pickDate(dateField(form, 'End Date'), '2030-04-18');
  await expect(form).toContainText('Next: Thu 21 Mar, Thu 28 Mar, Thu 4 Apr, … until Thu 18 Apr');
  await button(form, 'Save Lesson').click();
  await expect(toastWithText(page, 'Lesson created successfully')).toBeVisible();
  const weeks = [0, 7, 14, 21, 28, 35].map((days) => addDaysToDate(first, days));
  await expectDates(api, '16:00', weeks);

  // Monthly on the 31st without an end date: uses the last day of shorter months, and creates a year of sessions
  form = await openNewLessonDialog(page, '2030-03-31');
  await chooseStudentAndSubject(page, form);
  await setTime(form, 'Start', '10:00');
  await setChecked(form.getByRole('checkbox', { name: 'Recurring Lesson' }));
  await chooseOption(page, select(form, 'Repeat'), 'Monthly');
  await button(form, 'Save Lesson').click();
  await expect(form).toBeHidden();
  await expectDates(api, '10:00', MONTH_ENDS);

  // Fortnightly, starting in the past: sessions begin today unless the tutor chooses otherwise
  form = await openNewLessonDialog(page, '2030-02-12');
  await chooseStudentAndSubject(page, form);
  await setTime(form, 'Start', '12:00');
  await setChecked(form.getByRole('checkbox', { name: 'Recurring Lesson' }));
  await chooseOption(page, select(form, 'Repeat'), 'Biweekly');
  await input.pickDate(dateField(form, 'End Date'), '2030-04-09');
  const pastStartGroup = form.getByRole('group', { name: 'This lesson starts in the past' });
  await expect(pastStartGroup.getByRole('radio', { name: 'Start from today' })).toBeChecked();
  await button(form, 'Save Lesson').click();
  await expect(form).toBeHidden();
  await expectDates(api, '12:00', ['2030-03-12', '2030-03-26', '2030-04-09']);
});

test('lesson dialog: reports an overlap and saves it only when confirmed [PROD-02]', async ({
  page,
  api,
  consoleGuard,
}) => {
  consoleGuard.allowErrorResponse(lessons.createLesson.path, 409);
  const maya = await api.addStudent('Maya Hale');
  const maths = await api.addSubject('Maths', 38);
  const theo = await api.addStudent('Theo Lind');
  await api.addLesson({ student: theo, subject: maths, date: '2030-03-14', start: '16:00' });

  const form = await openNewLessonDialog(page, '2030-03-14');
  await chooseStudentAndSubject(page, form, maya.name);
  await setTime(form, 'Start', '16:30');
  await button(form, 'Save Lesson').click();
  const overlapDialog = dialog(page, 'This lesson overlaps another');
  await expect(overlapDialog.getByRole('listitem')).toHaveText(
    'Thu 14 Mar, 16:00–17:00 Theo Lind - Maths',
  );
  await button(overlapDialog, 'Go back').click();
  await expect(overlapDialog).toBeHidden();
  await expect(select(form, 'Start')).toBeFocused();
  expect(await api.sessions('2030-03-14', '2030-03-14')).toHaveLength(1);

  await button(form, 'Save Lesson').click();
  await button(overlapDialog, 'Save anyway').click();
  await expect(toastWithText(page, 'Lesson created successfully')).toBeVisible();
  await expect(form).toBeHidden();
  const day = await api.sessions('2030-03-14', '2030-03-14');
  expect(day.map(({ title, startTime }) => `${startTime} ${title}`)).toEqual([
    '16:00 Theo Lind - Maths',
    '16:30 Maya Hale - Maths',
  ]);

  // Adjacent lessons do not overlap.
  await button(page, 'New Lesson').click();
  await chooseStudentAndSubject(page, form);
  await setTime(form, 'Start', '17:30');
  await button(form, 'Save Lesson').click();
  await expect(form).toBeHidden();
  await expect(overlapDialog).toBeHidden();
});

test('lesson dialog: editing a recurring lesson asks for the scope and previews the change [LESS-02]', async ({
  page,
  api,
}) => {
  const maya = await api.addStudent('Maya Hale');
  const maths = await api.addSubject('Maths', 38);
  const { lessonId, sessionId } = await api.addLesson({
    student: maya,
    subject: maths,
    date: '2030-03-14',
    start: '16:00',
    isRecurring: true,
    recurringEndDate: '2030-04-11',
  });

  await openSessionPage(page, sessionId);
  const form = await chooseLessonAction(page, 'Edit lesson', 'Edit Lesson');
  await textField(form, 'Fee').fill('40');
  await button(form, 'Save Lesson').click();
  const scopeDialog = dialog(page, 'Which lessons do you want to change?');
  const choice = (name: string) => scopeDialog.getByRole('radio', { name: new RegExp(`^${name}`) });
  await expect(choice('Only this lesson')).toBeChecked();
  await expect(button(scopeDialog, 'Change 1 lesson')).toBeEnabled();
  await choice('All lessons').check();
  await expect(scopeDialog).toContainText('5 lessons will change: Thu 14 Mar to Thu 11 Apr');
  await button(scopeDialog, 'Cancel').click();
  await expect(scopeDialog).toBeHidden();
  expect((await api.session(sessionId)).fee).toBe(3800);
  await button(form, 'Save Lesson').click();
  await button(scopeDialog, 'Change 1 lesson').click();
  await expect(toastWithText(page, 'Lesson updated successfully')).toBeVisible();
  await expect(form).toBeHidden();
  expect(await listFees(api)).toEqual([4000, 3800, 3800, 3800, 3800]);

  // A change of the series applies to this and following sessions; the overridden session keeps its values.
  await page.goto(`/lessons/${lessonId}`);
  await button(page, 'Edit series').click();
  await textField(form, 'Location').fill('Library');
  await button(form, 'Save Lesson').click();
  await expect(choice('This and following')).toBeChecked();
  await button(scopeDialog, 'Cancel').click();
  await button(form, 'Cancel').click();
  await button(page, 'Discard').click();
  await expect(form).toBeHidden();
  expect((await api.lessons()).map(({ place }) => place)).toEqual([null]);
});

async function openNewLessonDialog(page: Page, date: string): Promise<Locator> {
  const path = date === TODAY ? '/schedule' : `/schedule?date=${date}`;
  await open(page, path, 'Schedule');
  await expectPath(page, path);
  await button(page, 'New Lesson').click();
  const form = dialog(page, 'Add New Lesson');
  await expect(form).toBeVisible();
  return form;
}

async function chooseStudentAndSubject(
  page: Page,
  form: Locator,
  name = 'Maya Hale',
): Promise<void> {
  await chooseOption(page, select(form, 'Student'), name);
  await chooseOption(page, select(form, 'Subject'), 'Maths');
}

async function expectDates(api: ApiClient, startTime: string, dates: string[]): Promise<void> {
  // A lesson without an end date has sessions for one year.
  const all = await api.sessions('2030-02-01', '2031-06-30');
  const rows = all.filter((session) => session.startTime === startTime);
  expect(rows.map(({ date }) => date)).toEqual(dates);
}

async function listFees(api: ApiClient) {
  const rows = await api.sessions('2030-03-14', '2030-04-11');
  return rows.map(({ fee }) => fee);
}
