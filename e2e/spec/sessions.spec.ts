import { sessions } from '@lessonbook/contract/sessions';
import type { Locator, Page } from '@playwright/test';
import type { ApiClient } from '../api-client.ts';
import { TODAY } from '../fixed-server-time.ts';
import { expect, test } from '../fixtures.ts';
import { mouse } from '../journeys/input-driver.ts';
import {
  button,
  dateField,
  detail,
  dialog,
  expectDay,
  link,
  longDate,
  monthCell,
  select,
  setTime,
  textField,
} from '../page-objects/controls.ts';
import { expectPath, open, pageHeading, toastWithText } from '../page-objects/navigation.ts';
import { lessonStatus, lessonSummary, openSessionPage } from '../page-objects/session-page.ts';

test.use({ fixedClock: true });

const ACTIONS = ['Complete', 'Move', 'Cancel lesson'];

test('sessions: shows a table for the day, and moves to other days with the buttons and the calendar [SESS-01..07, ROUTE-22]', async ({
  page,
  api,
}) => {
  const { maya, theo, maths } = await seedStudents(api);
  const completedLesson = await api.addLesson({
    student: maya,
    subject: maths,
    date: TODAY,
    start: '16:00',
  });
  await api.completeSession(completedLesson.sessionId);
  const later = { student: theo, subject: maths, date: TODAY, start: '21:00' };
  const { sessionId } = await api.addLesson({ ...later, title: 'Mock exam' });
  const next = { student: theo, subject: maths, date: '2030-03-13', start: '17:00' };
  await api.addLesson(next);

  await open(page, '/sessions', 'Sessions');
  await expectDay(page, TODAY, 'Today');
  await expect(page.getByRole('columnheader')).toHaveText([
    'Time',
    'Student',
    'Lesson',
    'Status',
    'Payment',
    'Actions',
  ]);
  await expect(rows(page)).toHaveCount(2);
  await expect(cells(page, 0)).toHaveText([
    '16:00–17:00',
    'Maya Hale',
    'Maths',
    'Completed',
    'Unpaid £38',
    'View',
  ]);
  await expect(cells(page, 1)).toHaveText([
    '21:00–22:00',
    'Theo Lind',
    'Mock exam',
    'Scheduled',
    'Not due yet',
    'View',
  ]);

  await button(page, 'Next day').click();
  await expectPath(page, '/sessions?date=2030-03-13');
  await expectDay(page, '2030-03-13', 'Wednesday');
  await expect(rows(page)).toHaveText([/17:00–18:00.*Theo Lind/]);
  await button(page, 'Previous day').click();
  await expectPath(page, '/sessions');
  await button(page, 'Previous day').click();
  await expectDay(page, '2030-03-11', 'Monday');
  await expect(page.getByText('No sessions scheduled for this day')).toBeVisible();

  // Changing the month in the calendar does not change the page; clicking a day does.
  await button(page, 'Choose a day').click();
  await button(page, 'Next month').click();
  await expectPath(page, '/sessions?date=2030-03-11');
  await button(page, 'Previous month').click();
  await monthCell(page, TODAY).click();
  await expectPath(page, '/sessions');
  await expectDay(page, TODAY, 'Today');

  await link(page, 'View, Theo Lind - Mock exam').click();
  await expectPath(page, `/sessions/${sessionId}`);
  await expect(pageHeading(page, 'Theo Lind, 9pm to 10pm')).toBeVisible();
  await expect(lessonSummary(page)).toContainText('Maths, Mock exam');
  // Back leads to the previous page.
  await button(page, 'Back').click();
  await expectPath(page, '/sessions');
  await open(page, '/sessions?date=2030-03-13', 'Sessions');
  await expect(rows(page)).toHaveCount(1);
});

test('sessions: shows the details, and completes sessions as attended, absent, late or with the fee waived [SESS-08..12, SESS-16..19, SESS-23, PROD-06, ROUTE-23]', async ({
  page,
  api,
}) => {
  const { maya, maths } = await seedStudents(api);
  const today = { student: maya, subject: maths, date: TODAY };
  const first = await api.addLesson({ ...today, start: '16:00', notes: 'Bring the red book.' });
  const absentLesson = await api.addLesson({ ...today, start: '17:00', end: '17:45' });
  const waivedLesson = await api.addLesson({ ...today, start: '18:00' });
  const freeLesson = await api.addLesson({ ...today, start: '19:00', fee: null });

  await openSessionPage(page, first.sessionId);
  await expect(pageHeading(page, 'Maya Hale, 4pm to 5pm')).toBeVisible();
  await expect(lessonSummary(page)).toContainText(/^Today.*\. Maths\. 60 minutes\. Scheduled$/);
  await expect(notes(page)).toHaveValue('Bring the red book.');
  await expect(detail(page, 'Money')).toHaveText('£38.00 Not due yet');
  await expectActions(page, true);
  await expect(button(page, 'Reopen')).toHaveCount(0);

  // Attended and charged by default
  const modal = dialog(page, 'Complete lesson');
  await button(page, 'Complete').click();
  await expect(radio(modal, 'Attended')).toBeChecked();
  await expect(radio(modal, 'Charge £38')).toBeChecked();
  await button(modal, 'Complete lesson').click();
  await expect(toastWithText(page, 'Lesson completed')).toBeVisible();
  await expectFinishedSession(page, {
    Attendance: 'Attended',
    Money: '£38.00 Unpaid £38',
  });

  // Reopening makes the session scheduled again and removes the charge
  await button(page, 'Reopen').click();
  await expect(dialog(page, 'Reopen this lesson?')).toContainText(
    'The charge of £38 will be reversed',
  );
  await button(dialog(page, 'Reopen this lesson?'), 'Reopen lesson').click();
  await expect(toastWithText(page, 'Lesson reopened')).toBeVisible();
  await expect(lessonStatus(page)).toHaveText('Scheduled');
  await expect(detail(page, 'Money')).toHaveText('£38.00 Not due yet');
  await expectActions(page, true);
  await button(page, 'Complete').click();
  await radio(modal, 'Late').check();
  await textField(modal, 'Note').fill('Came at ten past.');
  await button(modal, 'Complete lesson').click();
  await expectFinishedSession(page, {
    Attendance: 'Late',
    Money: '£38.00 Unpaid £38',
  });
  await expect(notes(page)).toHaveValue('Came at ten past.');

  // An absence is charged by default; the fee can be waived.
  await openSessionPage(page, absentLesson.sessionId);
  await expect(lessonSummary(page)).toContainText('45 minutes');
  await button(page, 'Complete').click();
  await radio(modal, 'Absent').check();
  await expect(radio(modal, 'Charge £38')).toBeChecked();
  await button(modal, 'Complete lesson').click();
  await expectFinishedSession(page, {
    Attendance: 'Absent',
    Money: '£38.00 Unpaid £38',
  });
  await openSessionPage(page, waivedLesson.sessionId);
  await button(page, 'Complete').click();
  await radio(modal, 'Absent').check();
  await radio(modal, "Don't charge").check();
  await button(modal, 'Complete lesson').click();
  await expectFinishedSession(page, {
    Attendance: 'Absent',
    Money: 'No charge',
  });

  // A free lesson has no fee to waive; its completion is then undone
  await openSessionPage(page, freeLesson.sessionId);
  await expect(detail(page, 'Money')).toHaveText('Free lesson');
  await button(page, 'Complete').click();
  await expect(radio(modal, "Don't charge")).toHaveCount(0);
  await button(modal, 'Complete lesson').click();
  await toastWithText(page, 'Lesson completed').getByRole('button', { name: 'Undo' }).click();
  await expect(lessonStatus(page)).toHaveText('Scheduled');

  const savedSessions = await api.sessions(TODAY, TODAY);
  expect(savedSessions.map(({ status, charged }) => [status, charged])).toEqual([
    ['completed', 3800],
    ['completed', 3800],
    ['completed', null],
    ['scheduled', null],
  ]);
});

test('sessions: a rescheduled session and its replacement link to each other [SESS-13, SESS-14, SESS-18, SESS-23]', async ({
  page,
  api,
}) => {
  const { maya, theo, maths } = await seedStudents(api);
  const tuesday = { student: maya, subject: maths, date: '2030-03-19', start: '16:00' };
  const { sessionId } = await api.addLesson({ ...tuesday, isRecurring: true });
  await api.addLesson({ student: theo, subject: maths, date: '2030-03-20', start: '17:00' });

  await openSessionPage(page, sessionId);
  await button(page, 'Move').click();
  const modal = dialog(page, 'Move lesson');
  await mouse(page).pickDate(dateField(modal, 'Date'), '2030-03-20');
  await setTime(modal, 'Start', '16:30');
  await expect(select(modal, 'End')).toHaveValue('17:30');
  // An overlap is shown before saving.
  await expect(modal).toContainText('Wed 20 Mar, 17:00–18:00 Theo Lind - Maths');
  await expect(button(modal, 'Move anyway')).toBeEnabled();
  await setTime(modal, 'Start', '15:30');
  await expect(modal).toContainText('Tue 16:00 → Wed 15:30');
  await button(modal, 'Move lesson').click();
  await expect(toastWithText(page, 'Lesson moved')).toBeVisible();

  await expect(lessonSummary(page)).toContainText(longDate('2030-03-20'));
  await expect(pageHeading(page, 'Maya Hale, 3:30pm to 4:30pm')).toBeVisible();
  await expectActions(page, true);
  const replacement = new URL(page.url()).pathname;
  await detail(page, 'Moved from').getByRole('link', { name: 'Tue 19 Mar, 4pm' }).click();
  await expectPath(page, `/sessions/${sessionId}`);
  await expect(lessonStatus(page)).toHaveText('Moved');
  await expectActions(page, false);
  await expect(button(page, 'Reopen')).toHaveCount(0);
  await detail(page, 'Moved to').getByRole('link', { name: 'Wed 20 Mar, 3:30pm' }).click();
  await expectPath(page, replacement);
  await expect(lessonSummary(page)).toContainText(longDate('2030-03-20'));

  // The next session in the series is unchanged.
  const following = await api.sessions('2030-03-26', '2030-03-26');
  expect(following).toMatchObject([{ startTime: '16:00', status: 'scheduled' }]);
});

test('sessions: cancelling asks who cancelled and proposes a fee [SESS-10, SESS-16, SESS-19, SESS-23]', async ({
  page,
  api,
}) => {
  const { maya, maths } = await seedStudents(api);
  const shortNotice = await api.addLesson({
    student: maya,
    subject: maths,
    date: TODAY,
    start: '22:50',
  });
  const later = await api.addLesson({
    student: maya,
    subject: maths,
    date: '2030-03-19',
    start: '16:00',
  });
  const modal = dialog(page, 'Cancel lesson');

  await openSessionPage(page, shortNotice.sessionId);
  await button(page, 'Cancel lesson').click();
  await expect(button(modal, 'Cancel lesson')).toBeDisabled();
  await radio(modal, 'Me').check();
  await expect(modal).toContainText('You cancelled: no charge');
  await radio(modal, 'Carer').check();
  await expect(modal).toContainText("2 hours' notice: £38");
  await textField(modal, 'Reason').fill('Ill');
  await button(modal, 'Cancel and charge £38').click();
  await expect(toastWithText(page, 'Lesson cancelled')).toBeVisible();
  await expectFinishedSession(
    page,
    {
      'Cancelled by': 'The carerIll',
      Money: '£38.00 Unpaid £38',
    },
    'Cancelled',
  );

  await openSessionPage(page, later.sessionId);
  await button(page, 'Cancel lesson').click();
  await radio(modal, 'Student').check();
  await expect(modal).toContainText("6 days' notice: no charge");
  await button(modal, 'Cancel lesson').click();
  await expectFinishedSession(page, { Money: 'No charge' }, 'Cancelled');
});

test('sessions: shows a message for an unknown session [SESS-20]', async ({
  page,
  consoleGuard,
  tutor: _signedIn,
}) => {
  const path = '/sessions/2147483647';
  consoleGuard.allowErrorResponse(sessions.session.path.replace(':id', '2147483647'), 404);
  await open(page, path, 'Lesson');
  await expect(page.getByText('Session not found', { exact: true })).toBeVisible();
  for (const action of ACTIONS) await expect(button(page, action)).toHaveCount(0);
  await link(page, 'Go to schedule').click();
  await expectPath(page, '/schedule');
});

async function seedStudents(api: ApiClient) {
  const [maya, theo, maths] = await Promise.all([
    api.addStudent('Maya Hale'),
    api.addStudent('Theo Lind'),
    api.addSubject('Maths', 38),
  ]);
  return { maya, theo, maths };
}

const rows = (page: Page): Locator =>
  page
    .getByRole('table')
    .getByRole('row')
    .filter({ has: page.getByRole('cell') });

const cells = (page: Page, index: number): Locator => rows(page).nth(index).getByRole('cell');

const radio = (modal: Locator, name: string): Locator =>
  modal.getByRole('radio', { name, exact: true });

/** [SESS-23] Checks whether the page offers the actions of a scheduled session; a finished session offers others. */
async function expectActions(page: Page, shown: boolean): Promise<void> {
  for (const action of ACTIONS) await expect(button(page, action)).toHaveCount(shown ? 1 : 0);
}

const notes = (page: Page): Locator => textField(page, 'Notes for this lesson');

/** Checks the details of a completed or cancelled session, which can be reopened. */
async function expectFinishedSession(
  page: Page,
  details: Record<string, string>,
  status = 'Completed',
): Promise<void> {
  await expect(lessonStatus(page)).toHaveText(status);
  for (const [name, text] of Object.entries(details)) {
    await expect(detail(page, name)).toHaveText(text);
  }
  await expectActions(page, false);
  await expect(button(page, 'Reopen')).toBeEnabled();
}
