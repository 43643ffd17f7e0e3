import { TODAY } from '../fixed-server-time.ts';
import { expect, test } from '../fixtures.ts';
import {
  button,
  chooseOption,
  dialog,
  link,
  row,
  select,
  textField,
} from '../page-objects/controls.ts';
import { expectPath, open, pageHeading, toastWithText } from '../page-objects/navigation.ts';

test.use({ fixedClock: true });

const SUBJECTS = '/schedule?view=subjects';

test('subjects: creates the first subjects [SUBJ-02..05, SUBJ-10, SUBJ-12..16, SUBJ-18, API-30, TOAST-09]', async ({
  page,
  api,
}) => {
  await open(page, SUBJECTS, 'Subjects');
  await expect(page.getByText('No subjects yet.')).toBeVisible();
  await button(page, 'Add Subject').click();
  const form = dialog(page, 'Create Subject');
  await expect(form.getByRole('heading', { name: 'Create Subject' })).toBeVisible();
  for (const name of ['Name', 'Description', 'Default Fee']) {
    await expect(textField(form, name)).toBeEditable();
  }
  await expect(textField(form, 'Default Fee')).toHaveAccessibleDescription('Enter amount');
  await expect(form.getByText('Enter amount', { exact: true })).toBeVisible();

  await textField(form, 'Name').fill('Maths GCSE');
  await textField(form, 'Description').fill('Foundation and higher');
  await textField(form, 'Default Fee').fill('42.50');
  expect(await chooseOption(page, select(form, 'Currency'), 'EUR')).toEqual(['GBP', 'USD', 'EUR']);
  await button(form, 'Create').click();
  await expect(toastWithText(page, 'Subject created successfully')).toBeVisible();
  await expect(form).toBeHidden();
  const card = row(page, 'Maths GCSE');
  await expect(card.getByRole('heading', { name: 'Maths GCSE', exact: true })).toBeVisible();
  await expect(card.getByText('Foundation and higher', { exact: true })).toBeVisible();
  await expect(card.getByText('€42.50', { exact: true })).toBeVisible();

  await button(page, 'Add Subject').click();
  await textField(form, 'Name').fill('Piano');
  await button(form, 'Create').click();
  const piano = row(page, 'Piano');
  await expect(piano.getByText('No description', { exact: true })).toBeVisible();
  await expect(piano.getByText('£30.00', { exact: true })).toBeVisible();
  expect(await api.subjects()).toMatchObject([
    { name: 'Maths GCSE', description: 'Foundation and higher', defaultFee: 42.5, currency: 'EUR' },
    { name: 'Piano', description: null, defaultFee: 30, currency: 'GBP' },
  ]);
});

test('subjects: edits a subject, then deletes it while its lessons continue [SUBJ-07..09, SUBJ-11, SUBJ-19, API-32, API-34, TOAST-10, TOAST-11]', async ({
  page,
  api,
}) => {
  const maths = await api.addSubject('Maths', 38, { description: 'GCSE', currency: 'USD' });
  await api.addSubject('Piano', 28);
  const maya = await api.addStudent('Maya Hale');
  const lesson = { student: maya, subject: maths, date: TODAY, start: '21:00' };
  const { sessionId } = await api.addLesson(lesson);

  await open(page, SUBJECTS, 'Subjects');
  await button(page, 'Edit Maths').click();
  const editDialog = dialog(page, 'Edit Subject');
  await expect(editDialog.getByRole('heading', { name: 'Edit Subject' })).toBeVisible();
  await expect(textField(editDialog, 'Name')).toHaveValue('Maths');
  await expect(textField(editDialog, 'Description')).toHaveValue('GCSE');
  await expect(textField(editDialog, 'Default Fee')).toHaveValue('38');
  await expect(select(editDialog, 'Currency')).toHaveValue('USD');
  await textField(editDialog, 'Name').fill('Maths A-level');
  await textField(editDialog, 'Default Fee').fill('44');
  await chooseOption(page, select(editDialog, 'Currency'), 'GBP');
  await button(editDialog, 'Save Changes').click();
  await expect(toastWithText(page, 'Subject updated successfully')).toBeVisible();
  await expect(editDialog).toBeHidden();
  await expect(row(page, 'Maths A-level')).toContainText('£44.00');

  await button(page, 'Delete Maths A-level').click();
  const confirmDialog = dialog(page, 'Are you sure you want to delete this subject?');
  await button(confirmDialog, 'Cancel').click();
  await expect(confirmDialog).toBeHidden();
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(2);
  await button(page, 'Delete Maths A-level').click();
  await button(confirmDialog, 'Delete subject').click();
  await expect(toastWithText(page, 'Subject deleted successfully')).toBeVisible();
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);

  // The subject is no longer offered; the lesson and its fee are unchanged.
  expect(await api.session(sessionId)).toMatchObject({ status: 'scheduled', fee: 3800 });
  await link(page, 'Back to schedule').click();
  await button(page, 'New Lesson').click();
  await select(dialog(page, 'Add New Lesson'), 'Subject').click();
  await expect(page.getByRole('option')).toHaveText(['Piano']);
});

test('subjects: back link and browser back [SUBJ-01]', async ({ page, tutor: _signedIn }) => {
  await open(page, '/schedule?date=2030-04-02', 'Schedule');
  for (const back of ['arrow', 'browser']) {
    await button(page, 'More views').click();
    await page.getByRole('menuitem', { name: 'View Subjects' }).click();
    await expect(pageHeading(page, 'Subjects')).toBeVisible();
    if (back === 'arrow') await link(page, 'Back to schedule').click();
    else await page.goBack();
    await expect(pageHeading(page, 'Schedule')).toBeVisible();
    await expectPath(page, '/schedule?date=2030-04-02');
  }
});
