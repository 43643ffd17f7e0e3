import { expect, type Page } from '@playwright/test';
import type { ApiClient } from '../api-client.ts';
import { TODAY } from '../fixed-server-time.ts';
import { button, link, row, textField } from '../page-objects/controls.ts';
import { open, pageHeading, toastWithText } from '../page-objects/navigation.ts';
import type { InputDriver } from './input-driver.ts';

/** Completes all of today's lessons on one screen, with changes to two of them. */
export async function completeTodaysLessons(
  page: Page,
  input: InputDriver,
  api: ApiClient,
): Promise<void> {
  const { students, maths } = await seedLessons(api);
  const [maya, noah, theo] = students;
  await api.addLesson({ student: maya, subject: maths, date: TODAY, start: '16:00' });
  await api.addLesson({ student: noah, subject: maths, date: TODAY, start: '17:00' });
  await api.addLesson({ student: theo, subject: maths, date: TODAY, start: '18:30' });
  // This lesson has not ended yet
  await api.addLesson({ student: maya, subject: maths, date: TODAY, start: '21:30' });

  await open(page, '/', 'Good to see you, Ada');
  const incomplete = page.getByRole('region', { name: 'Incomplete Lessons', exact: true });
  await expect(incomplete.getByRole('listitem')).toHaveCount(3);
  await input.click(link(page, '3 to complete'));
  await expect(pageHeading(page, 'Complete lessons')).toBeVisible();
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(3);

  // Noah was absent and is not charged; Theo was late.
  await expandRow(page, input, 'Noah Hale');
  await input.check(row(page, 'Noah Hale').getByRole('radio', { name: 'Absent' }));
  await input.check(row(page, 'Noah Hale').getByRole('radio', { name: "Don't charge" }));
  await input.fill(textField(row(page, 'Noah Hale'), 'Note'), 'Ill');
  await expect(row(page, 'Noah Hale')).toContainText('AbsentNot charged');
  await expandRow(page, input, 'Theo Lind');
  await input.check(row(page, 'Theo Lind').getByRole('radio', { name: 'Late' }));
  await input.click(button(page, 'Complete 3 lessons (£70)'));
  await expect(toastWithText(page, '3 lessons completed')).toBeVisible();
  await expect(page.getByText(/^You're all caught up/)).toBeVisible();
  expect(input.actionCount(), 'clicks and fields').toBeLessThanOrEqual(9);

  await input.click(page.getByRole('main').getByRole('link', { name: 'Back to home' }).last());
  await expect(incomplete).toContainText("You're all caught up: there are no lessons to complete.");
  const unpaid = page.getByRole('region', { name: 'Unpaid Past Lessons', exact: true });
  await expect(unpaid.getByRole('listitem')).toHaveText([/Maya.*£35/, /Theo Lind.*£35/]);
  const ids = (await api.sessions(TODAY, TODAY)).map(({ id }) => id);
  const details = await Promise.all(ids.map((id) => api.session(id)));
  expect(details.map(({ status, attendance, charged }) => [status, attendance, charged])).toEqual([
    ['completed', 'attended', 3500],
    ['completed', 'absent', null],
    ['completed', 'late', 3500],
    ['scheduled', null, null],
  ]);
  expect(details[1]).toMatchObject({ notes: 'Ill' });
}

/** Completes all but one of last week's lessons at once. */
export async function walkThroughCompletingLastWeek(
  page: Page,
  input: InputDriver,
  api: ApiClient,
): Promise<void> {
  const { students, maths } = await seedLessons(api);
  const [maya, noah, theo] = students;
  for (const date of ['2030-03-04', '2030-03-06']) {
    await api.addLesson({ student: maya, subject: maths, date, start: '16:00' });
    await api.addLesson({ student: noah, subject: maths, date, start: '17:00' });
    await api.addLesson({ student: theo, subject: maths, date, start: '18:00', fee: null });
  }

  await open(page, '/', 'Good to see you, Ada');
  // The list shows only five lessons; the count includes the rest.
  const incomplete = page.getByRole('region', { name: 'Incomplete Lessons', exact: true });
  await expect(incomplete.getByRole('listitem')).toHaveCount(5);
  await input.click(link(incomplete, 'Complete all (6)'));
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText([
    'Wed 6 Mar',
    'Mon 4 Mar',
  ]);
  const wednesday = page.locator('section').filter({ hasText: 'Wed 6 Mar' });
  await input.check(wednesday.getByRole('checkbox', { name: 'Select Noah Hale - Maths' }));
  await expect(row(wednesday, 'Noah Hale')).toContainText('Not selected');
  await input.click(button(page, 'Complete 5 lessons (£105)'));
  await expect(toastWithText(page, '5 lessons completed')).toBeVisible();
  await expect(page.getByRole('main').getByRole('listitem')).toHaveText([/Noah Hale - Maths/]);

  const rows = await api.sessions('2030-03-04', '2030-03-10');
  expect(rows.map(({ status, charged }) => [status, charged])).toEqual([
    ['completed', 3500],
    ['completed', 3500],
    ['completed', null],
    ['completed', 3500],
    ['scheduled', null],
    ['completed', null],
  ]);
}

async function seedLessons(api: ApiClient) {
  const maths = await api.addSubject('Maths', 35);
  const students = [
    await api.addStudent('Maya Hale', { carerName: 'Ruth Hale' }),
    await api.addStudent('Noah Hale'),
    await api.addStudent('Theo Lind'),
  ] as const;
  return { students, maths };
}

const expandRow = (page: Page, input: InputDriver, name: string): Promise<void> =>
  input.click(row(page, name).getByRole('button', { expanded: false }));
