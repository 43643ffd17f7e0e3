import { TODAY } from '../fixed-server-time.ts';
import { expect, test } from '../fixtures.ts';
import {
  button,
  chooseOption,
  dateField,
  dialog,
  select,
  setChecked,
  textField,
} from '../page-objects/controls.ts';
import { open, toastWithText } from '../page-objects/navigation.ts';

test.use({ fixedClock: true });

test('school terms: a weekly lesson in term time follows a change of the terms', async ({
  page,
  api,
}) => {
  await api.addStudent('Maya Hale');
  await api.addSubject('Maths', 38);

  await open(page, '/settings/school-terms', 'School terms');
  await button(page, 'Add school terms').click();
  const newTerms = dialog(page, 'Add school terms');
  await textField(newTerms, 'Name').fill('Surrey');
  await textField(newTerms, 'Term name').fill('Spring 2030');
  await dateField(newTerms, 'First day').fill('2030-03-04');
  await dateField(newTerms, 'Last day').fill('2030-03-29');
  await button(newTerms, 'Save terms').click();
  await expect(toastWithText(page, 'School terms saved')).toBeVisible();

  await open(page, `/schedule?date=${TODAY}`, 'Schedule');
  await button(page, 'New Lesson').click();
  const lesson = dialog(page, 'Add New Lesson');
  await chooseOption(page, select(lesson, 'Student'), 'Maya Hale');
  await chooseOption(page, select(lesson, 'Subject'), 'Maths');
  await setChecked(lesson.getByRole('checkbox', { name: 'Recurring Lesson', exact: true }));
  await setChecked(lesson.getByRole('checkbox', { name: 'Only in term time', exact: true }));
  await expect(lesson).toContainText('These terms end on Fri 29 Mar');
  await button(lesson, 'Save Lesson').click();
  await expect(toastWithText(page, 'Lesson created successfully')).toBeVisible();
  const dates = async () =>
    (await api.sessions('2030-03-01', '2030-05-31')).map(({ date }) => date);
  expect(await dates()).toEqual(['2030-03-12', '2030-03-19', '2030-03-26']);

  // The new term adds lessons, which the form lists before they are saved.
  await open(page, '/settings/school-terms', 'School terms');
  await button(page, 'Edit Surrey').click();
  const terms = dialog(page, 'Edit school terms');
  await button(terms, 'Add a term').click();
  await textField(terms, 'Term name').last().fill('Summer 2030');
  await dateField(terms, 'First day').last().fill('2030-04-15');
  await dateField(terms, 'Last day').last().fill('2030-04-26');
  await textField(terms, 'Name').click();
  await expect(terms).toContainText('2 lessons will be added.');
  await expect(terms).toContainText('Will be added: Tue 16 Apr, Tue 23 Apr');
  await button(terms, 'Save terms').click();
  await expect(toastWithText(page, 'School terms saved')).toBeVisible();
  await expect
    .poll(dates)
    .toEqual(['2030-03-12', '2030-03-19', '2030-03-26', '2030-04-16', '2030-04-23']);
  await button(page, 'Undo').click();
  await expect(toastWithText(page, 'School terms restored')).toBeVisible();
  expect(await dates()).toEqual(['2030-03-12', '2030-03-19', '2030-03-26']);
});
