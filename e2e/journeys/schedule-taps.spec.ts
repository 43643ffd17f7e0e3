import { addDaysToDate } from '@lessonbook/contract/dates';
import type { ApiClient } from '../api-client.ts';
import { expect, test } from '../fixtures.ts';
import { button, dateField, dialog, link, region } from '../page-objects/controls.ts';
import { open, toastWithText } from '../page-objects/navigation.ts';
import type { Tutor } from '../sign-up-tutor.ts';
import { mouse, touchscreen } from './input-driver.ts';

/** Typing is not counted, but the tap into a field is. */

const carer = (tutor: Tutor, name: string) => ({
  carerName: name,
  carerEmail: `${name.slice(0, 4).trim().toLowerCase()}.${tutor.username}@families.example`,
});

/** A lesson tomorrow at midnight: less than a day away, whatever the time is now. */
async function addLessonTomorrow(api: ApiClient, tutor: Tutor): Promise<string> {
  await api.useDaytimeZone(tutor);
  const maths = await api.addSubject('Maths', 35);
  const maya = await api.addStudent('Maya Hale', carer(tutor, 'Ruth Hale'));
  const { today } = await api.dashboard();
  const tomorrow = addDaysToDate(today, 1);
  await api.addLesson({ student: maya, subject: maths, date: tomorrow, start: '00:00' });
  return tomorrow;
}

test('taps from Home: moves one lesson and notifies the family in at most five', async ({
  page,
  hasTouch,
  api,
  confirmedTutor: tutor,
}) => {
  const tomorrow = await addLessonTomorrow(api, tutor);
  const input = hasTouch ? touchscreen(page) : mouse(page);
  await open(page, '/', 'Good to see you, Ada');
  await input.click(link(region(page, 'Upcoming Lessons'), 'View Details, Maya Hale - Maths'));
  await input.click(button(page, 'Move'));
  const modal = dialog(page, 'Move lesson');
  await input.fill(dateField(modal, 'Date'), addDaysToDate(tomorrow, 1));
  await page.keyboard.press('Tab');
  await input.click(button(modal, 'Move lesson'));
  await input.click(button(dialog(page, 'Let Ruth know?'), 'Send to Ruth Hale'));
  await expect(toastWithText(page, 'Email on its way')).toBeVisible();
  expect(input.actionCount(), 'taps').toBeLessThanOrEqual(5);
});

test('taps from Home: cancels late with the fee and notifies the family in at most five', async ({
  page,
  hasTouch,
  api,
  confirmedTutor: tutor,
}) => {
  await addLessonTomorrow(api, tutor);
  const input = hasTouch ? touchscreen(page) : mouse(page);
  await open(page, '/', 'Good to see you, Ada');
  await input.click(link(region(page, 'Upcoming Lessons'), 'View Details, Maya Hale - Maths'));
  await input.click(button(page, 'Cancel lesson'));
  const modal = dialog(page, 'Cancel lesson');
  await input.check(modal.getByRole('radio', { name: 'Carer' }));
  await input.click(button(modal, 'Cancel and charge £35'));
  await input.click(button(dialog(page, 'Let Ruth know?'), 'Send to Ruth Hale'));
  await expect(toastWithText(page, 'Email on its way')).toBeVisible();
  expect(input.actionCount(), 'taps').toBeLessThanOrEqual(5);
  const [message] = await api.messages();
  expect(message?.text).toContain('The £35.00 late-cancellation fee applies.');
});

test('taps from Home: adds half-term and notifies all families in at most seven', async ({
  page,
  hasTouch,
  api,
  confirmedTutor: tutor,
}) => {
  const maths = await api.addSubject('Maths', 35);
  const { today } = await api.dashboard();
  const [first, lesson, last] = [20, 22, 26].map((days) => addDaysToDate(today, days)) as [
    string,
    string,
    string,
  ];
  const maya = await api.addStudent('Maya Hale', carer(tutor, 'Ruth Hale'));
  const leo = await api.addStudent('Leo Lind', carer(tutor, 'Eva Lind'));
  await api.addLesson({ student: maya, subject: maths, date: lesson, start: '16:00' });
  await api.addLesson({ student: leo, subject: maths, date: lesson, start: '17:00' });
  const input = hasTouch ? touchscreen(page) : mouse(page);

  await open(page, '/', 'Good to see you, Ada');
  await input.click(
    page
      .getByRole('navigation')
      .getByRole('link', { name: /^Schedule/ })
      .last(),
  );
  await input.click(button(page, 'More views'));
  await input.chooseMenuItem(page.getByRole('menuitem', { name: 'Add time off' }));
  const modal = dialog(page, 'Add time off');
  await input.fill(dateField(modal, 'First day'), first);
  await input.fill(dateField(modal, 'Last day'), last);
  await page.keyboard.press('Tab');
  await input.click(button(modal, 'Cancel 2 lessons'));
  await input.click(button(dialog(page, 'Let the families know?'), 'Send to 2 people'));
  await expect(toastWithText(page, '2 emails on their way')).toBeVisible();
  expect(input.actionCount(), 'taps').toBeLessThanOrEqual(7);

  // The schedule shows the time off on the day of the cancelled lessons.
  await open(page, `/schedule?date=${lesson}`, 'Schedule');
  await expect(page.getByRole('list', { name: 'Time off' }).first()).toContainText('All day');
});
