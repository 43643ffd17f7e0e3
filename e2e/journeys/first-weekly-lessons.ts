import { expect, type Page } from '@playwright/test';
import type { ApiClient } from '../api-client.ts';
import {
  button,
  dateField,
  dialog,
  link,
  row,
  select,
  textField,
} from '../page-objects/controls.ts';
import { open, pageHeading, toastWithText } from '../page-objects/navigation.ts';
import type { InputDriver } from './input-driver.ts';

const MAX_ACTIONS = 60;

/** Creates a term of weekly lessons for three students from one family in an empty account. */
export async function walkThroughFirstWeeklyLessons(
  page: Page,
  input: InputDriver,
  api: ApiClient,
): Promise<void> {
  await open(page, '/', 'Good to see you, Ada');
  await input.click(link(page, 'Go to schedule'));
  await expect(pageHeading(page, 'Schedule')).toBeVisible();

  // Maya, with the settings that all lessons share: Thursdays from this week until the end of term
  await input.click(button(page, 'New Lesson'));
  const lessonDialog = dialog(page, 'Add New Lesson');
  await input.chooseOption(select(lessonDialog, 'Student'), 'Maya Hale');
  await expect(select(lessonDialog, 'Student')).toHaveValue('Maya Hale');
  await input.chooseOption(select(lessonDialog, 'Subject'), 'Maths');
  await input.fill(textField(lessonDialog, 'Default fee for Maths (GBP)'), '35');
  await input.click(button(lessonDialog, 'Add subject'));
  await expect(textField(lessonDialog, 'Fee')).toHaveValue('35');
  await expect(textField(lessonDialog, 'Lesson Title')).toHaveValue('Maya Hale - Maths');
  await input.pickDate(dateField(lessonDialog, 'Date'), '2030-03-14');
  await input.fill(select(lessonDialog, 'Start'), '15:30');
  await input.check(lessonDialog.getByRole('checkbox', { name: 'Recurring Lesson' }));
  await input.pickDate(dateField(lessonDialog, 'End Date'), '2030-07-18');
  await input.click(button(lessonDialog, 'Save and add another'));
  await expect(toastWithText(page, 'Lesson created successfully')).toBeVisible();

  // Her siblings, whose lessons follow directly after hers
  await expect(select(lessonDialog, 'Student')).toHaveValue('');
  await expect(select(lessonDialog, 'Start')).toHaveValue('16:30');
  await input.chooseOption(select(lessonDialog, 'Student'), 'Noah Hale');
  await expect(textField(lessonDialog, 'Lesson Title')).toHaveValue('Noah Hale - Maths');
  await input.click(button(lessonDialog, 'Save and add another'));
  await expect(select(lessonDialog, 'Start')).toHaveValue('17:30');
  await input.chooseOption(select(lessonDialog, 'Student'), 'Ivy Hale');
  await expect(textField(lessonDialog, 'Lesson Title')).toHaveValue('Ivy Hale - Maths');
  await input.click(button(lessonDialog, 'Save Lesson'));
  await expect(lessonDialog).toBeHidden();

  // Their carer, created once for all three
  await input.click(button(page, 'More views'));
  await input.chooseMenuItem(page.getByRole('menuitem', { name: 'View Students' }));
  await expect(pageHeading(page, 'Students')).toBeVisible();
  const studentDialog = dialog(page, 'Edit Student');
  await input.click(button(page, 'Edit Maya Hale'));
  await input.fill(textField(studentDialog, 'Carer Name'), 'Ruth Hale');
  await input.fill(textField(studentDialog, 'Carer Phone'), '07700 900456');
  await input.click(button(studentDialog, 'Update Student'));
  await expect(row(page, 'Maya Hale')).toContainText('Carer: Ruth Hale');
  for (const name of ['Noah Hale', 'Ivy Hale']) {
    await input.click(button(page, `Edit ${name}`));
    await input.chooseOption(select(studentDialog, 'Carer'), 'Ruth Hale');
    await input.click(button(studentDialog, 'Update Student'));
    await expect(row(page, name)).toContainText('Carer: Ruth Hale');
  }
  expect(input.actionCount(), 'clicks and fields').toBeLessThanOrEqual(MAX_ACTIONS);

  // Check the saved data
  const [ruth, ...others] = await api.carers();
  expect(others).toEqual([]);
  expect(ruth).toMatchObject({ name: 'Ruth Hale', phone: '+447700900456' });
  expect(ruth?.students.toSorted()).toEqual(['Ivy Hale', 'Maya Hale', 'Noah Hale']);
  const rows = await api.sessions('2030-03-01', '2030-08-31');
  expect(rows).toHaveLength(3 * 19);
  for (const date of ['2030-03-14', '2030-04-04', '2030-07-18']) {
    const day = rows.filter((session) => session.date === date);
    expect(day.map(({ title, startTime, fee }) => `${startTime} ${title} ${fee}`)).toEqual([
      '15:30 Maya Hale - Maths 3500',
      '16:30 Noah Hale - Maths 3500',
      '17:30 Ivy Hale - Maths 3500',
    ]);
  }
}
