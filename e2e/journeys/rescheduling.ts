import { expect, type Page } from '@playwright/test';
import type { ApiClient } from '../api-client.ts';
import { TODAY } from '../fixed-server-time.ts';
import { button, dateField, detail, dialog, link, row, select } from '../page-objects/controls.ts';
import { open, pageHeading, toastWithText } from '../page-objects/navigation.ts';
import { lessonStatus } from '../page-objects/session-page.ts';
import type { InputDriver } from './input-driver.ts';

/** Changes a weekly lesson: moves one session, moves the series, adds time off and cancels at short notice. */
export async function walkThroughRescheduling(
  page: Page,
  input: InputDriver,
  api: ApiClient,
): Promise<void> {
  const maths = await api.addSubject('Maths', 35);
  const maya = await api.addStudent('Maya Hale', { carerName: 'Ruth Hale' });
  await api.addLesson({
    student: maya,
    subject: maths,
    date: '2030-03-19',
    start: '16:00',
    isRecurring: true,
    recurringEndDate: '2030-05-24',
  });
  const tonight = { student: maya, subject: maths, date: TODAY, start: '22:50' };
  const lateLesson = await api.addLesson({ ...tonight, title: 'Extra hour' });

  // Move only one lesson
  await open(page, '/schedule?date=2030-03-19', 'Schedule');
  await input.click(link(page, 'Details, Maya Hale - Maths'));
  await input.click(button(page, 'Move'));
  const rescheduleDialog = dialog(page, 'Move lesson');
  await input.pickDate(dateField(rescheduleDialog, 'Date'), '2030-03-20');
  await input.fill(select(rescheduleDialog, 'Start'), '17:30');
  await input.click(button(rescheduleDialog, 'Move lesson'));
  await expect(toastWithText(page, 'Lesson moved')).toBeVisible();
  await expect(detail(page, 'Moved from')).toContainText('Tue 19 Mar, 4pm');
  expect(await lessonTimes(api, '2030-03-13', '2030-04-02')).toEqual([
    '2030-03-20 17:30',
    '2030-03-26 16:00',
    '2030-04-02 16:00',
  ]);

  // Move the rest of the series to Thursdays; the lesson that was moved on its own keeps its time
  await open(page, '/schedule?date=2030-03-26', 'Schedule');
  await input.click(link(page, 'Details, Maya Hale - Maths'));
  await input.click(button(page, 'More actions'));
  await input.chooseMenuItem(page.getByRole('menuitem', { name: 'Edit lesson' }));
  const lessonDialog = dialog(page, 'Edit Lesson');
  await input.pickDate(dateField(lessonDialog, 'Date'), '2030-03-28');
  await input.click(button(lessonDialog, 'Save Lesson'));
  const scopeDialog = dialog(page, 'Which lessons do you want to change?');
  await expect(scopeDialog).toContainText('Tue 16:00 → Thu 16:00');
  await expect(scopeDialog.getByRole('radio', { name: /^This and following/ })).toBeChecked();
  await expect(scopeDialog.getByRole('radio', { name: /^Only this lesson/ })).toBeEnabled();
  await expect(scopeDialog).toContainText('9 lessons will move: Thu 28 Mar to Thu 23 May');
  await input.click(button(scopeDialog, 'Move 9 lessons'));
  await expect(toastWithText(page, 'Lesson updated successfully')).toBeVisible();
  await expect(lessonDialog).toBeHidden();
  const thursdays = ['03-28', '04-04', '04-11', '04-18', '04-25', '05-02', '05-09', '05-16'];
  expect(await lessonTimes(api, '2030-03-13', '2030-06-30')).toEqual([
    '2030-03-20 17:30',
    ...[...thursdays, '05-23'].map((day) => `2030-${day} 16:00`),
  ]);

  // Add time off that includes existing lessons
  await open(page, '/schedule', 'Schedule');
  await input.click(button(page, 'More views'));
  await input.chooseMenuItem(page.getByRole('menuitem', { name: 'Time off', exact: true }));
  await expect(pageHeading(page, 'Time off')).toBeVisible();
  await input.click(button(page, 'Add time off'));
  const timeOffDialog = dialog(page, 'Add time off');
  await input.pickDate(dateField(timeOffDialog, 'First day'), '2030-04-01');
  await input.pickDate(dateField(timeOffDialog, 'Last day'), '2030-04-12');
  await input.fill(timeOffDialog.getByRole('textbox', { name: 'Reason' }), 'Spring holiday');
  await expect(timeOffDialog).toContainText('2 lessons will be cancelled free of charge.');
  await expect(timeOffDialog.getByRole('checkbox', { name: /Maya Hale/ })).toHaveCount(2);
  await input.click(button(timeOffDialog, 'Cancel 2 lessons'));
  await expect(toastWithText(page, 'Time off saved')).toBeVisible();
  await expect(row(page, 'Mon 1 Apr to Fri 12 Apr')).toContainText('2 lessons cancelled');
  const holiday = await api.sessions('2030-04-01', '2030-04-12');
  const cancelled = holiday.filter(({ status }) => status === 'cancelled');
  expect(cancelled.map(({ date, charged }) => [date, charged])).toEqual([
    ['2030-04-04', null],
    ['2030-04-11', null],
  ]);

  // Cancel at two hours' notice; a fee is proposed, and the tutor does not charge it
  await open(page, '/sessions', 'Sessions');
  await input.click(link(page, 'View, Maya Hale - Extra hour'));
  await input.click(button(page, 'Cancel lesson'));
  const cancelDialog = dialog(page, 'Cancel lesson');
  await input.check(cancelDialog.getByRole('radio', { name: 'Carer' }));
  await expect(cancelDialog).toContainText("2 hours' notice: £35");
  await expect(button(cancelDialog, 'Cancel and charge £35')).toBeEnabled();
  await input.click(button(cancelDialog, "Don't charge"));
  await input.click(button(cancelDialog, 'Cancel lesson'));
  await expect(toastWithText(page, 'Lesson cancelled')).toBeVisible();
  await expect(lessonStatus(page)).toHaveText('Cancelled');
  await expect(detail(page, 'Cancelled by')).toHaveText('The carer');
  await expect(detail(page, 'Money')).toHaveText('No charge');
  const cancelledSession = await api.session(lateLesson.sessionId);
  expect(cancelledSession).toMatchObject({
    status: 'cancelled',
    cancelledBy: 'carer',
    charged: null,
  });
}

/** Start times of the scheduled lessons. */
async function lessonTimes(api: ApiClient, from: string, to: string): Promise<string[]> {
  const rows = await api.sessions(from, to);
  return rows
    .filter(({ status }) => status === 'scheduled')
    .map(({ date, startTime }) => `${date} ${startTime}`);
}
