import { lessons } from '@lessonbook/contract/lessons';
import { expect, type Locator, type Page } from '@playwright/test';
import type { ConsoleGuard } from '../console-guard.ts';
import type { DemoData } from '../find-demo-account-data.ts';
import {
  button,
  calendarButton,
  chooseOption,
  dateField,
  dialog,
  pickerMonth,
  row,
  select,
  setChecked,
  setTime,
  textField,
} from '../page-objects/controls.ts';
import { open } from '../page-objects/navigation.ts';
import { chooseLessonAction, openSessionPage } from '../page-objects/session-page.ts';

export type DialogScenario = (
  page: Page,
  demo: DemoData,
  consoleGuard: ConsoleGuard,
) => Promise<void>;

/* Dialogs in an account that has data, each opened from its screen. Nothing is saved. */

/** Forms and their confirmation dialogs. */
export const formScenarios: Record<string, DialogScenario> = {
  async 'lesson-new'(page, demo) {
    await open(page, `/schedule?date=${demo.busyDay}`, 'Schedule');
    const form = await openDialog(page, 'New Lesson', 'Add New Lesson');
    await chooseOption(page, select(form, 'Student'), demo.upcomingSession.studentName);
    await chooseOption(page, select(form, 'Subject'), demo.upcomingSession.subjectName);
    await setChecked(form.getByRole('checkbox', { name: 'Recurring Lesson' }));
    await expect(form).toContainText('Next: ');
  },
  async 'lesson-errors'(page) {
    await open(page, '/schedule', 'Schedule');
    const form = await openDialog(page, 'New Lesson', 'Add New Lesson');
    await button(form, 'Save Lesson').click();
    await expect(form.getByText('Student is required')).toBeVisible();
  },
  async 'lesson-date-picker'(page) {
    await open(page, '/schedule', 'Schedule');
    const form = await openDialog(page, 'New Lesson', 'Add New Lesson');
    await calendarButton(dateField(form, 'Date')).click();
    await expect(pickerMonth(page)).toBeVisible();
  },
  async 'lesson-overlap'(page, demo, consoleGuard) {
    consoleGuard.allowErrorResponse(lessons.createLesson.path, 409);
    await open(page, `/schedule?date=${demo.upcomingSession.date}`, 'Schedule');
    const form = await openDialog(page, 'New Lesson', 'Add New Lesson');
    await chooseOption(page, select(form, 'Student'), demo.upcomingSession.studentName);
    await chooseOption(page, select(form, 'Subject'), demo.upcomingSession.subjectName);
    await setTime(form, 'Start', demo.upcomingSession.startTime);
    await button(form, 'Save Lesson').click();
    await expect(
      dialog(page, 'This lesson overlaps another').getByRole('listitem').first(),
    ).toBeVisible();
  },
  async 'lesson-scope'(page, demo) {
    await openSessionPage(page, demo.upcomingSession.id);
    const form = await chooseLessonAction(page, 'Edit lesson', 'Edit Lesson');
    await textField(form, 'Fee').fill('41');
    await button(form, 'Save Lesson').click();
    await expect(dialog(page, 'Which lessons do you want to change?')).toContainText(
      '1 lesson will change',
    );
  },
  async 'lesson-delete'(page, demo) {
    await openSessionPage(page, demo.upcomingSession.id);
    const modal = await chooseLessonAction(page, 'Delete', 'Which lessons do you want to delete?');
    await expect(modal).toContainText('deleted, with no charge');
  },
  async 'student-edit'(page) {
    await open(page, '/schedule?view=students', 'Students');
    const form = await openDialog(page, 'Edit Maya Okafor', 'Edit Student');
    await expect(form).toContainText('Also the carer of Sam Okafor.');
  },
  async 'student-delete'(page) {
    await open(page, '/schedule?view=students', 'Students');
    await openDialog(page, 'Delete Maya Okafor', 'Are you sure you want to delete this student?');
  },
  async 'subject-edit'(page) {
    await open(page, '/schedule?view=subjects', 'Subjects');
    await openDialog(page, 'Edit Piano', 'Edit Subject');
  },
};

/** Session dialogs and expanded list rows. */
export const sessionScenarios: Record<string, DialogScenario> = {
  async 'session-complete'(page, demo) {
    await openSessionPage(page, demo.incompleteSession.id);
    await openDialog(page, 'Complete', 'Complete lesson');
  },
  async 'session-reschedule'(page, demo) {
    await openSessionPage(page, demo.upcomingSession.id);
    await openDialog(page, 'Move', 'Move lesson');
  },
  async 'session-cancel'(page, demo) {
    await openSessionPage(page, demo.incompleteSession.id);
    const modal = await openDialog(page, 'Cancel lesson', 'Cancel lesson');
    await modal.getByRole('radio', { name: 'Carer' }).check();
    await expect(button(modal, "Don't charge")).toBeVisible();
  },
  async 'session-reopen'(page, demo) {
    await openSessionPage(page, demo.completedSession.id);
    await openDialog(page, 'Reopen', "This lesson can't be reopened");
  },
  async 'complete-lessons-expanded'(page, demo) {
    await open(page, `/lessons/${demo.incompleteSession.lessonId}/complete`, 'Complete lessons');
    const first = row(page, demo.incompleteSession.studentName).first();
    await first.getByRole('button', { expanded: false }).click();
    await expect(first.getByRole('radio', { name: 'Absent' })).toBeVisible();
  },
  async 'sessions-calendar'(page, demo) {
    await open(page, `/sessions?date=${demo.busyDay}`, 'Sessions');
    await button(page, 'Choose a day').click();
    await expect(page.getByRole('grid')).toBeVisible();
  },
  async 'time-off'(page, demo) {
    await open(page, `/settings/time-off?date=${demo.upcomingSession.date}`, 'Time off');
    await expect(dialog(page, 'Add time off')).toContainText('will be cancelled free of charge');
  },
  async 'day-change'(page, demo) {
    await open(page, `/schedule?date=${demo.upcomingSession.date}&board=month`, 'Schedule');
    await button(page, 'More for this day').click();
    await page.getByRole('menuitem', { name: 'Change this day' }).click();
    await expect(dialog(page, 'Change this day')).toContainText('will be online');
  },
  async 'student-leaving'(page, { upcomingSession: { studentId, students } }) {
    const name = students[0]?.name ?? '';
    await open(page, `/students/${studentId}`, name);
    await button(page, `More about ${name}`).click();
    await page.getByRole('menuitem', { name: 'Student is leaving' }).click();
    await expect(page.getByRole('dialog', { name: / is leaving$/ })).toContainText(
      'cancelled free of charge',
    );
  },
  async 'exam-season'(page) {
    await open(page, '/students', 'Students');
    await button(page, 'More for students').click();
    await page.getByRole('menuitem', { name: 'End of exam season' }).click();
    const sheet = dialog(page, 'End of exam season');
    await sheet.getByRole('checkbox', { name: /^Year 10/ }).check();
    await expect(sheet).toContainText('cancelled free of charge');
  },
  async 'school-terms'(page) {
    await open(page, '/settings/school-terms', 'School terms');
    await button(page, 'Add school terms').click();
    await expect(textField(dialog(page, 'Add school terms'), 'Term name')).toBeVisible();
  },
};

export async function openDialog(page: Page, name: string, title: string): Promise<Locator> {
  await button(page, name).click();
  await expect(dialog(page, title)).toBeVisible();
  return dialog(page, title);
}
