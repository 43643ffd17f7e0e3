import { addDaysToDate } from '@lessonbook/contract/dates';
import { expectNoViolations } from '../expect-no-accessibility-violations.ts';
import { expect, test } from '../fixtures.ts';
import { button, dialog, link, textField } from '../page-objects/controls.ts';
import { signInToPortal } from '../page-objects/family-portal-sign-in.ts';
import { open, pageHeading, toastWithText } from '../page-objects/navigation.ts';
import { expectReflow } from '../reflow.ts';
import { mouse, touchscreen } from './input-driver.ts';

test('family portal: a mother reads a term of notes, a second contact sees none, and the tutor sees that the student has marked the homework as done', async ({
  page,
  browser,
  origin,
  hasTouch,
  tutor,
  api,
  mail,
}) => {
  const input = hasTouch ? touchscreen(page) : mouse(page);
  const [motherEmail, fatherEmail, studentEmail] = ['ruth', 'david', 'maya'].map(
    (name) => `${name}.${tutor.username}@families.example`,
  ) as [string, string, string];
  const maths = await api.addSubject('Maths', 38);
  const maya = await api.addStudent('Maya Hale', {
    email: studentEmail,
    carerName: 'Ruth Hale',
    carerEmail: motherEmail,
  });
  await api.addStudent('Leo Hale', { carerId: maya.carerId });
  const { today } = await api.dashboard();
  // A term of twelve weekly lessons. All but the last already have a shared note.
  const weeks = Array.from({ length: 11 }, (_, index) => 12 - index);
  for (const week of weeks) {
    const date = addDaysToDate(today, -7 * week);
    const lesson = { student: maya, subject: maths, date, start: '16:00' };
    const { sessionId } = await api.addCompletedLesson(lesson);
    const note = { did: `Week ${week} went well.`, nextTime: `Chapter ${week}` };
    await api.shareNote(sessionId, maya, note);
  }
  const last = await api.addCompletedLesson({
    student: maya,
    subject: maths,
    date: addDaysToDate(today, -7),
    start: '16:00',
  });
  await api.addLesson({
    student: maya,
    subject: maths,
    date: addDaysToDate(today, 7),
    start: '16:00',
  });
  await api.openPortal();

  // The student gets access to notes, the father to lessons only.
  await open(page, `/students/${maya.id}?tab=people`, 'Maya Hale');
  await input.click(button(page, 'Add contact'));
  const form = dialog(page, 'Add contact');
  await input.fill(textField(form, 'Name'), 'David Hale');
  await input.fill(textField(form, 'Email'), fatherEmail);
  await input.check(form.getByRole('checkbox', { name: 'Lessons', exact: true }));
  await input.click(button(form, 'Add contact'));
  await expect(toastWithText(page, 'Contact saved')).toBeVisible();
  await input.click(button(page, 'Add Maya as a contact'));
  await input.click(button(page, 'Edit Maya Hale'));
  const own = dialog(page, 'Edit contact');
  await input.check(own.getByRole('checkbox', { name: 'Notes and homework' }));
  await input.click(button(own, 'Save contact'));
  await expect(own).toHaveCount(0);

  // The tutor sees the plan from the previous note and shares the last note.
  await open(page, `/sessions/${last.sessionId}`, 'Maya Hale, 4pm to 5pm');
  await input.check(page.getByRole('radio', { name: 'For the family' }));
  await expect(page.getByText(/^Planned last time, .*: Chapter 2$/)).toBeVisible();
  await input.fill(textField(page, 'What we did'), 'Quadratics. Two mock questions.');
  await input.fill(textField(page, 'Homework'), 'Exercise 9B');
  await expectNoViolations(page);
  await input.click(button(page, 'Share with family'));
  await expect(toastWithText(page, 'Note shared')).toBeVisible();
  await expect(page.getByText(/^Shared .* Ruth and Maya can read it\.$/)).toBeVisible();

  const mother = await signInToPortal(browser, origin, motherEmail, mail);
  await link(mother.page, 'Notes').click();
  await expect(pageHeading(mother.page, 'Notes')).toBeVisible();
  await expect(mother.page.getByRole('article')).toHaveCount(weeks.length + 1);
  await expect(mother.page.getByRole('article').first()).toContainText('Two mock questions.');
  await expect(mother.page.getByRole('article').nth(1)).toContainText('Next time: Chapter 2');
  await expectReflow(mother.page, 'the notes');
  await expectNoViolations(mother.page);
  await touchscreen(mother.page).check(mother.page.getByRole('radio', { name: 'Leo' }));
  await expect(mother.page.getByText(/^No notes yet\./)).toBeVisible();

  const father = await signInToPortal(browser, origin, fatherEmail, mail);
  await expect(link(father.page, 'Next')).toBeVisible();
  await expect(link(father.page, 'Notes')).toHaveCount(0);

  const student = await signInToPortal(browser, origin, studentEmail, mail);
  await link(student.page, 'Notes').click();
  const homework = student.page.getByRole('checkbox', { name: /^Exercise 9B/ });
  await touchscreen(student.page).check(homework);
  await expect(student.page.getByText('Done by you, today')).toBeVisible();
  await expectNoViolations(student.page);

  await mother.page.reload();
  await expect(mother.page.getByText('Done by Maya, today')).toBeVisible();

  await open(page, `/students/${maya.id}?tab=notes`, 'Maya Hale');
  const notes = page.getByRole('region', { name: 'Notes for the family' });
  await expect(notes.getByText('Homework, done by Maya')).toBeVisible();
  await expectNoViolations(page);

  // Maya is 16, so the tutor makes her the only person who can read her notes.
  await open(page, `/students/${maya.id}?tab=people`, 'Maya Hale');
  await input.check(page.getByRole('checkbox', { name: /^Notes go to Maya only/ }));
  await expect(toastWithText(page, 'Only Maya can read the notes now')).toBeVisible();
  await mother.page.reload();
  await expect(mother.page.getByText(/^No notes yet\./)).toBeVisible();
  await expect(mother.page.getByRole('radio', { name: 'Maya' })).toHaveCount(0);
  await expect(mother.page.getByText(/Two mock questions/)).toHaveCount(0);
  await student.page.reload();
  await expect(student.page.getByRole('article')).toHaveCount(weeks.length + 1);
  for (const { page: phone, consoleGuard } of [mother, father, student]) {
    expect(consoleGuard.errors(), 'browser errors').toEqual([]);
    await phone.context().close();
  }
});
