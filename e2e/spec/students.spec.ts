import type { Locator, Page } from '@playwright/test';
import { TODAY } from '../fixed-server-time.ts';
import { expect, test } from '../fixtures.ts';
import { touchscreen } from '../journeys/input-driver.ts';
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

const STUDENTS = '/schedule?view=students';

test('students: creates the first student with a carer [STUD-02, STUD-04..06, STUD-10, STUD-12..24, STUD-26, API-23, TOAST-06]', async ({
  page,
  api,
}) => {
  await open(page, STUDENTS, 'Students');
  await expect(page.getByText('No students yet.')).toBeVisible();
  await button(page, 'Add Student').click();
  const form = dialog(page, 'Add New Student');
  await expect(form.getByRole('heading', { name: 'Add New Student' })).toBeVisible();

  const student = form.getByRole('group', { name: 'Student Information', exact: true });
  await expect(student.getByRole('heading', { name: 'Student Information' })).toBeVisible();
  await expectFields(student, [
    'Name*',
    'Phone',
    'Email',
    'Subject',
    'School',
    'School year',
    'Travel fee',
    'Notes',
  ]);
  const subject = select(student, 'Subject');
  await expect(subject).toHaveAttribute('placeholder', 'E.g. Mathematics, English, Physics');
  await expect(textField(student, 'Name')).toBeFocused();

  const carer = form.getByRole('group', { name: 'Carer Information (Optional)', exact: true });
  await expect(carer.getByRole('heading', { name: 'Carer Information (Optional)' })).toBeVisible();
  await expectFields(carer, ['Carer Name', 'Relationship', 'Carer Phone', 'Carer Email']);
  const relationship = textField(carer, 'Relationship');
  await expect(relationship).toHaveAttribute('placeholder', 'E.g. Parent, Guardian');

  const values = {
    Name: 'Maya Hale',
    Phone: '+447700900123',
    Email: 'maya@hale.example',
    Subject: 'Maths and Physics',
    Notes: 'Left-handed.',
    'Carer Name': 'Ruth Hale',
    Relationship: 'Mother',
    'Carer Phone': '+447700900456',
    'Carer Email': 'ruth@hale.example',
  };
  await fill(form, values);
  await button(form, 'Add Student').click();
  await expect(toastWithText(page, 'Student created successfully')).toBeVisible();
  await expect(form).toBeHidden();
  const card = row(page, 'Maya Hale');
  await expect(card.getByRole('heading', { name: 'Maya Hale', exact: true })).toBeVisible();
  await expect(card.getByText('Maths and Physics', { exact: true })).toBeVisible();

  // Only the name is required.
  await button(page, 'Add Student').click();
  await textField(form, 'Name').fill('Theo Lind');
  await button(form, 'Add Student').click();
  const theoRow = row(page, 'Theo Lind');
  await expect(theoRow.getByText('No subject assigned', { exact: true })).toBeVisible();
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(2);

  const [maya, theo] = await api.students();
  expect(maya).toMatchObject({
    name: 'Maya Hale',
    phone: '+447700900123',
    email: 'maya@hale.example',
    subject: 'Maths and Physics',
    notes: 'Left-handed.',
    carerName: 'Ruth Hale',
    carerRelationship: 'Mother',
    carerPhone: '+447700900456',
    carerEmail: 'ruth@hale.example',
  });
  expect(theo).toMatchObject({ name: 'Theo Lind', carerId: null, email: null });
});

test('students: siblings share a carer, and changing the carer applies to all of them [PROD-05, STUD-19]', async ({
  page,
  api,
}) => {
  await api.addStudent('Maya Hale', {
    carerName: 'Ruth Hale',
    carerRelationship: 'Mother',
    carerPhone: '+447700900456',
  });
  await open(page, STUDENTS, 'Students');
  await button(page, 'Add Student').click();
  const form = dialog(page, 'Add New Student');
  await textField(form, 'Name').fill('Noah Hale');
  await chooseOption(page, select(form, 'Carer'), 'Ruth Hale Maya Hale');
  await expect(textField(form, 'Carer Name')).toHaveValue('Ruth Hale');
  await expect(textField(form, 'Relationship')).toHaveValue('Mother');
  await expect(textField(form, 'Carer Phone')).toHaveValue('+447700900456');
  await expect(form.getByText('Also the carer of Maya Hale.')).toBeVisible();
  await textField(form, 'Carer Email').fill('ruth@hale.example');
  await button(form, 'Add Student').click();
  await expect(toastWithText(page, 'Student created successfully')).toBeVisible();
  await expect(page.getByText('Carer: Ruth Hale, Mother')).toHaveCount(2);

  // The change to the carer in Noah's form also applies to Maya.
  await button(page, 'Edit Maya Hale').click();
  const editDialog = dialog(page, 'Edit Student');
  await expect(textField(editDialog, 'Carer Email')).toHaveValue('ruth@hale.example');
  await expect(editDialog.getByText('Also the carer of Noah Hale.')).toBeVisible();
  expect(await api.carers()).toEqual([
    expect.objectContaining({ name: 'Ruth Hale', students: ['Maya Hale', 'Noah Hale'] }),
  ]);

  // Gives only Maya a different carer.
  await chooseOption(page, select(editDialog, 'Carer'), 'New carer');
  await expect(textField(editDialog, 'Carer Name')).toHaveValue('');
  await textField(editDialog, 'Carer Name').fill('Omar Aziz');
  await button(editDialog, 'Update Student').click();
  await expect(row(page, 'Maya Hale')).toContainText('Carer: Omar Aziz');
  await expect(row(page, 'Noah Hale')).toContainText('Carer: Ruth Hale, Mother');
});

test('students: Enter selects the carer whose name is typed [PROD-05]', async ({ page, api }) => {
  await api.addStudent('Maya Hale', { carerName: 'Ruth Hale' });
  await open(page, STUDENTS, 'Students');
  await button(page, 'Add Student').click();
  const form = dialog(page, 'Add New Student');
  await textField(form, 'Name').fill('Noah Hale');
  await select(form, 'Carer').fill('Ruth');
  await expect(page.getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  // As in the lesson dialog, Enter selects the name and does not submit the form.
  await expect(textField(form, 'Carer Name')).toHaveValue('Ruth Hale');
});

test('students: edits a student, then deletes the student and their upcoming lessons [STUD-07..09, STUD-11, STUD-27, API-25, API-27, TOAST-07, TOAST-08]', async ({
  page,
  api,
}) => {
  const maths = await api.addSubject('Maths');
  const maya = await api.addStudent('Maya Hale', { subject: 'Maths', notes: 'Left-handed.' });
  const noah = await api.addStudent('Noah Hale');
  const completedLesson = await api.addLesson({
    student: maya,
    subject: maths,
    date: TODAY,
    start: '16:00',
  });
  await api.completeSession(completedLesson.sessionId);
  const upcomingLesson = { subject: maths, date: '2030-03-14', start: '16:00' };
  const { sessionId } = await api.addLesson({ student: maya, ...upcomingLesson });
  await api.addLesson({ student: noah, ...upcomingLesson, start: '17:00' });

  await open(page, STUDENTS, 'Students');
  await button(page, 'Edit Maya Hale').click();
  const editDialog = dialog(page, 'Edit Student');
  await expect(editDialog.getByRole('heading', { name: 'Edit Student' })).toBeVisible();
  await expect(textField(editDialog, 'Name')).toHaveValue('Maya Hale');
  await expect(select(editDialog, 'Subject')).toHaveValue('Maths');
  await expect(textField(editDialog, 'Notes')).toHaveValue('Left-handed.');
  await fill(editDialog, { Name: 'Maya Hale-Aziz', Subject: 'Further maths' });
  await button(editDialog, 'Update Student').click();
  await expect(toastWithText(page, 'Student updated successfully')).toBeVisible();
  await expect(editDialog).toBeHidden();
  await expect(row(page, 'Maya Hale-Aziz')).toContainText('Further maths');

  // Cancel the confirmation dialog
  await button(page, 'Delete Maya Hale-Aziz').click();
  const confirmDialog = dialog(page, 'Are you sure you want to delete this student?');
  await expect(confirmDialog).toContainText('1 upcoming lesson will be cancelled.');
  await button(confirmDialog, 'Cancel').click();
  await expect(confirmDialog).toBeHidden();
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(2);

  await button(page, 'Delete Maya Hale-Aziz').click();
  await button(confirmDialog, 'Delete student').click();
  await expect(toastWithText(page, 'Student deleted successfully')).toBeVisible();
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
  await expect(row(page, 'Noah Hale')).toBeVisible();

  // The student is no longer offered and the upcoming lesson is cancelled; the completed one stays.
  expect(await api.session(sessionId)).toMatchObject({ status: 'cancelled', charged: null });
  expect(await api.session(completedLesson.sessionId)).toMatchObject({ status: 'completed' });
  await link(page, 'Back to schedule').click();
  await button(page, 'New Lesson').click();
  await select(dialog(page, 'Add New Lesson'), 'Student').click();
  await expect(page.getByRole('option')).toHaveText(['Noah Hale']);
});

test('students: back link and browser back [STUD-01]', async ({ page, tutor: _signedIn }) => {
  await open(page, '/schedule?date=2030-04-02', 'Schedule');
  await viewStudents(page);
  await link(page, 'Back to schedule').click();
  await expect(pageHeading(page, 'Schedule')).toBeVisible();
  await expectPath(page, '/schedule?date=2030-04-02');
  await viewStudents(page);
  await page.goBack();
  await expect(pageHeading(page, 'Schedule')).toBeVisible();
  await expectPath(page, '/schedule?date=2030-04-02');
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('F106 students: tapping anywhere on a card opens the student or the subject', async ({
    page,
    api,
  }) => {
    await api.addSubject('Maths');
    await api.addStudent('Maya Hale');
    await open(page, STUDENTS, 'Students');
    await tapLeftEdge(page, 'Maya Hale');
    await expect(pageHeading(page, 'Maya Hale')).toBeVisible();
    await open(page, '/schedule?view=subjects', 'Subjects');
    await tapLeftEdge(page, 'Maths');
    await expect(dialog(page, 'Edit Subject')).toBeVisible();
  });

  test('F107 F133 students: everything about a student is on one page', async ({ page, api }) => {
    const maths = await api.addSubject('Maths');
    const maya = await api.addStudent('Maya Hale', {
      carerName: 'Ruth Hale',
      schoolYear: 'Year 10',
    });
    const noah = await api.addStudent('Noah Hale', { carerId: maya.carerId });
    for (const student of [maya, noah]) {
      const start = student === maya ? '16:00' : '17:00';
      const lesson = await api.addLesson({ student, subject: maths, date: TODAY, start });
      await api.completeSession(lesson.sessionId);
    }
    await api.addLesson({ student: maya, subject: maths, date: '2030-03-14', start: '16:00' });
    await open(page, '/students', 'Students');
    await row(page, 'Maya Hale').getByRole('link').tap();
    await expect(pageHeading(page, 'Maya Hale')).toBeVisible();
    await expect(page.getByText(/^Year 10\. Since/)).toBeVisible();
    for (const name of ['Lesson', 'Payment', 'Note']) {
      const box = await button(page, name).boundingBox();
      expect(box?.height).toBe(60);
    }
    const timeline = page.getByRole('list', { name: 'Lessons, notes and money' });
    await expect(timeline.getByRole('listitem')).toHaveCount(2);
    await expect(timeline.getByRole('listitem').first()).toContainText('14 Mar');
    const tab = (name: string) => page.getByRole('tab', { name });
    await tab('Money').tap();
    const money = page.getByRole('region', { name: 'Money', exact: true });
    await expect(money).toContainText('£35');
    await expect(money).toContainText('Owes £70');
    await tab('People').tap();
    await expectPath(page, `/students/${maya.id}?tab=people`);
    await expect(
      page.getByText('Pays for lessons. Can see lessons, locations, notes and prices'),
    ).toBeVisible();
  });
});

async function tapLeftEdge(page: Page, name: string): Promise<void> {
  const box = await row(page, name).boundingBox();
  if (!box) throw new Error(`${name} is not visible`);
  await page.touchscreen.tap(box.x + 6, box.y + box.height / 2);
}

test('F107 students: the list beside the selected student can be used with the keyboard', async ({
  page,
  api,
}) => {
  const ada = await api.addStudent('Ada Stone');
  const ben = await api.addStudent('Ben Stone', { carerName: 'Ruth Stone' });
  await open(page, '/students', 'Students');
  const panel = page.getByRole('region', { name: 'Selected student' });
  await expect(panel.getByRole('heading', { name: 'Ada Stone' })).toBeVisible();
  await row(page, 'Ada Stone').getByRole('link').focus();
  await page.keyboard.press('ArrowDown');
  await expect(panel.getByRole('heading', { name: 'Ben Stone' })).toBeVisible();
  await expectPath(page, `/students?student=${ben.id}`);
  await page.keyboard.press('ArrowUp');
  await expectPath(page, `/students?student=${ada.id}`);
  await page.getByRole('searchbox', { name: 'Find a student or family' }).fill('ruth');
  await expect(page.getByText('1 student, sorted by next lesson')).toBeVisible();
  await page.goto(`/students?student=${ben.id}`);
  await row(page, 'Ben Stone').getByRole('link').focus();
  await page.keyboard.press('Enter');
  await expect(pageHeading(page, 'Ben Stone')).toBeVisible();
  await expectPath(page, `/students/${ben.id}`);
});

test('F145 students: a pause cancels lessons after a preview, and resuming restores them', async ({
  page,
  api,
}) => {
  const maths = await api.addSubject('Maths');
  const maya = await api.addStudent('Maya Hale');
  const { sessionId } = await api.addLesson({
    student: maya,
    subject: maths,
    date: '2030-03-14',
    start: '16:00',
  });
  await open(page, `/students/${maya.id}`, 'Maya Hale');
  const openStatus = async () => {
    await button(page, 'More about Maya Hale').click();
    await page.getByRole('menuitem', { name: 'Change status' }).click();
    return dialog(page, 'Change status');
  };
  const status = await openStatus();
  await status.getByRole('radio', { name: /^Paused/ }).check();
  await expect(status).toContainText('1 lesson will be cancelled free of charge: Thu 14 Mar.');
  await button(status, 'Cancel 1 lesson').click();
  await expect(status).toBeHidden();
  await expect(page.getByText('Lessons are cancelled and no reminders are sent.')).toBeVisible();
  expect(await api.session(sessionId)).toMatchObject({ status: 'cancelled', charged: null });
  await button(page, 'Resume').click();
  await expect(status).toContainText('1 lesson will go ahead again: Thu 14 Mar.');
  await button(status, 'Save status').click();
  await expect(page.getByRole('region', { name: 'Next lesson' })).toContainText('Maths');
  expect(await api.session(sessionId)).toMatchObject({ status: 'scheduled' });
});

async function viewStudents(page: Page): Promise<void> {
  await button(page, 'More views').click();
  await page.getByRole('menuitem', { name: 'View Students' }).click();
  await expect(pageHeading(page, 'Students')).toBeVisible();
}

/** Checks the fields and their order; required fields are marked with an asterisk. */
async function expectFields(group: Locator, names: string[]): Promise<void> {
  const labels = await group.locator('label').allInnerTexts();
  expect(labels.map((label) => label.replace(/\s+\*/, '*'))).toEqual(names);
  for (const label of await group.locator('label').all()) {
    await expect(group.locator(`#${await label.getAttribute('for')}`)).toBeEditable();
  }
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('students: adding a student with a carer takes at most five taps from Home', async ({
    page,
    api,
  }) => {
    await open(page, '/', 'Good to see you, Ada');
    const input = touchscreen(page);
    await input.click(page.getByRole('button', { name: /^Search/ }));
    await input.click(page.getByRole('option', { name: /^New student/ }));
    const form = dialog(page, 'Add New Student');
    await expect(textField(form, 'Name')).toBeFocused();
    await page.keyboard.type('Maya Hale');
    await input.fill(textField(form, 'Carer Name'), 'Ruth Hale');
    // The keyboard's Next key moves to the other fields.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('07700 900123');
    await input.click(button(form, 'Add Student'));
    await expect(toastWithText(page, 'Student created successfully')).toBeVisible();
    expect(input.actionCount(), 'taps').toBeLessThanOrEqual(5);
    const [maya] = await api.students();
    expect(maya).toMatchObject({ carerName: 'Ruth Hale', carerPhone: '+447700900123' });
  });
});

async function fill(form: Locator, values: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(values))
    await textField(form, name).or(select(form, name)).fill(value);
}
