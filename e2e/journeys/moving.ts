import { expect, type Page } from '@playwright/test';
import type { Book } from '../book.ts';
import { TODAY } from '../evening.ts';
import { button, dateField, dialog, fact, link, row, select } from '../lesson-parts.ts';
import { heading, open, toast } from '../page-parts.ts';
import type { Hands } from './hands.ts';

/** Maya is taught on Tuesdays until the end of May; then life happens. */
export async function walkThroughMoving(page: Page, hands: Hands, book: Book): Promise<void> {
  const maths = await book.addSubject('Maths', 35);
  const maya = await book.addStudent('Maya Hale', { carerName: 'Ruth Hale' });
  await book.addLesson({
    student: maya,
    subject: maths,
    date: '2030-03-19',
    start: '16:00',
    isRecurring: true,
    recurringEndDate: '2030-05-24',
  });
  const tonight = { student: maya, subject: maths, date: TODAY, start: '22:50' };
  const late = await book.addLesson({ ...tonight, title: 'Extra hour' });

  // One lesson moves, and no other.
  await open(page, '/schedule?date=2030-03-19', 'Schedule');
  await hands.press(link(page, 'Details, Maya Hale - Maths'));
  await hands.press(button(page, 'Reschedule Session'));
  const move = dialog(page, 'Reschedule Session');
  await hands.pick(dateField(move, 'Date'), '2030-03-20');
  await hands.write(select(move, 'Start'), '17:30');
  await hands.press(button(move, 'Move session'));
  await expect(toast(page, 'Session moved')).toBeVisible();
  await expect(fact(page, 'Rescheduled from')).toContainText('Tue 19 Mar, 4:00 PM');
  expect(await wall(book, '2030-03-13', '2030-04-02')).toEqual([
    '2030-03-20 17:30',
    '2030-03-26 16:00',
    '2030-04-02 16:00',
  ]);

  // The rest of the series goes to Thursdays; the moved one stays where it was put.
  await open(page, '/schedule?date=2030-03-26', 'Schedule');
  await hands.press(link(page, 'Details, Maya Hale - Maths'));
  await hands.press(button(page, 'Edit'));
  const lesson = dialog(page, 'Edit Lesson');
  await hands.pick(dateField(lesson, 'Date'), '2030-03-28');
  await hands.press(button(lesson, 'Save Lesson'));
  const scope = dialog(page, 'Which lessons change?');
  await expect(scope).toContainText('Tue 16:00 → Thu 16:00');
  await expect(scope.getByRole('radio', { name: /^This and following/ })).toBeChecked();
  await expect(scope.getByRole('radio', { name: /^Only this lesson/ })).toBeEnabled();
  await expect(scope).toContainText('9 lessons move: Thu 28 Mar to Thu 23 May');
  await hands.press(button(scope, 'Move 9 lessons'));
  await expect(toast(page, 'Lesson updated successfully')).toBeVisible();
  await expect(lesson).toBeHidden();
  const thursdays = ['03-28', '04-04', '04-11', '04-18', '04-25', '05-02', '05-09', '05-16'];
  expect(await wall(book, '2030-03-13', '2030-06-30')).toEqual([
    '2030-03-20 17:30',
    ...[...thursdays, '05-23'].map((day) => `2030-${day} 16:00`),
  ]);

  // The spring holiday, cleared after the lessons were there
  await open(page, '/schedule', 'Schedule');
  await hands.press(button(page, 'More views'));
  await hands.take(page.getByRole('menuitem', { name: 'Time off' }));
  await expect(heading(page, 'Time off')).toBeVisible();
  await hands.press(button(page, 'Add time off'));
  const off = dialog(page, 'Add time off');
  await hands.pick(dateField(off, 'First day'), '2030-04-01');
  await hands.pick(dateField(off, 'Last day'), '2030-04-12');
  await hands.write(off.getByRole('textbox', { name: 'Reason' }), 'Spring holiday');
  await expect(off).toContainText('2 lessons are cancelled by you, free of charge.');
  await expect(off.getByRole('checkbox', { name: /Maya Hale/ })).toHaveCount(2);
  await hands.press(button(off, 'Cancel 2 lessons'));
  await expect(toast(page, 'Time off saved')).toBeVisible();
  await expect(row(page, 'Mon 1 Apr to Fri 12 Apr')).toContainText('2 lessons cancelled');
  const holiday = await book.sessions('2030-04-01', '2030-04-12');
  const cancelled = holiday.filter(({ status }) => status === 'cancelled');
  expect(cancelled.map(({ date, charged }) => [date, charged])).toEqual([
    ['2030-04-04', null],
    ['2030-04-11', null],
  ]);

  // Two hours before tonight's lesson her mother calls; the fee is proposed, and waived.
  await open(page, '/sessions', 'Sessions');
  await hands.press(link(page, 'View, Extra hour'));
  await hands.press(button(page, 'Cancel Session'));
  const cancel = dialog(page, 'Cancel Session');
  await hands.tick(cancel.getByRole('radio', { name: 'Carer' }));
  await expect(cancel).toContainText('2 h notice: £35');
  await expect(button(cancel, 'Cancel and charge £35')).toBeEnabled();
  await hands.press(button(cancel, 'Waive'));
  await hands.press(button(cancel, 'Cancel session'));
  await expect(toast(page, 'Session cancelled')).toBeVisible();
  await expectFacts(page, { Status: 'Cancelled', 'Cancelled by': 'The carer' });
  await expect(fact(page, 'Payment')).toHaveText('No charge');
  const end = await book.session(late.sessionId);
  expect(end).toMatchObject({ status: 'cancelled', cancelledBy: 'carer', charged: null });
}

async function expectFacts(page: Page, facts: Record<string, string>): Promise<void> {
  for (const [name, words] of Object.entries(facts)) {
    await expect(fact(page, name)).toHaveText(words);
  }
}

/** Where lessons now stand. */
async function wall(book: Book, from: string, to: string): Promise<string[]> {
  const rows = await book.sessions(from, to);
  return rows
    .filter(({ status }) => status === 'scheduled')
    .map(({ date, startTime }) => `${date} ${startTime}`);
}
