import { addDaysToDate } from '@lessonbook/contract/dates';
import { expectNoViolations } from '../expect-no-accessibility-violations.ts';
import { expect, test } from '../fixtures.ts';
import { button, dialog } from '../page-objects/controls.ts';
import { signInToPortal } from '../page-objects/family-portal-sign-in.ts';
import { open, toastWithText } from '../page-objects/navigation.ts';
import { expectReflow } from '../reflow.ts';
import { mouse, touchscreen } from './input-driver.ts';

test('a student leaves mid-term: the lessons after the last day are cancelled, a message to the mother is drafted, and she still sees the other child', async ({
  page,
  browser,
  origin,
  hasTouch,
  confirmedTutor: tutor,
  api,
  mail,
}) => {
  const input = hasTouch ? touchscreen(page) : mouse(page);
  const email = `ruth.${tutor.username}@families.example`;
  const maths = await api.addSubject('Maths', 38);
  const maya = await api.addStudent('Maya Hale', { carerName: 'Ruth Hale', carerEmail: email });
  const leo = await api.addStudent('Leo Hale', { carerId: maya.carerId });
  const { today } = await api.dashboard();
  await api.addCompletedLesson({
    student: maya,
    subject: maths,
    date: addDaysToDate(today, -7),
    start: '16:00',
  });
  for (const days of [7, 14, 21])
    await api.addLesson({
      student: maya,
      subject: maths,
      date: addDaysToDate(today, days),
      start: '16:00',
    });
  await api.addLesson({
    student: leo,
    subject: maths,
    date: addDaysToDate(today, 8),
    start: '17:00',
  });
  await api.openPortal();
  const { page: phone, consoleGuard } = await signInToPortal(browser, origin, email, mail);
  await expect(phone.getByText(/^Maya/).first()).toBeVisible();

  await open(page, `/students/${maya.id}`, 'Maya Hale');
  await input.click(button(page, 'More about Maya Hale'));
  await input.chooseMenuItem(page.getByRole('menuitem', { name: 'Student is leaving' }));
  const sheet = dialog(page, 'Maya is leaving');
  await expect(sheet.getByText('3 lessons will be cancelled free of charge.')).toBeVisible();
  await expect(sheet.getByText(/^£38 for 1 lesson not invoiced yet\./)).toBeVisible();
  await expectReflow(page, 'the sheet for a student who is leaving');
  // Checked before scrolling, because scrolling leaves a field half visible.
  await expectNoViolations(page);
  await input.click(sheet.getByText(/^Message to Ruth Hale/));
  await expect(sheet.getByText(/As agreed, Maya's lessons with me will end on/)).toBeVisible();
  const emailCount = await mail.countTo(email);
  await input.click(button(sheet, 'Cancel 3 lessons'));
  await expect(toastWithText(page, 'Maya Hale is leaving')).toContainText(
    '3 lessons cancelled. 1 draft under Messages.',
  );
  await expect(page.getByText(/^Last day/).first()).toBeVisible();

  // Nothing was sent, and the mother still sees both children, but none of Maya's lessons.
  expect(await mail.countTo(email)).toBe(emailCount);
  await phone.reload();
  await expect(phone.getByText(/Leo/).first()).toBeVisible();
  await expect(phone.getByText(/^Maya, /)).toHaveCount(0);
  await expectNoViolations(phone);

  // Maya decides to stay.
  await input.click(button(page, 'More about Maya Hale'));
  await input.chooseMenuItem(page.getByRole('menuitem', { name: 'Change status' }));
  const status = dialog(page, 'Change status');
  await expect(status.getByText(/^3 lessons will go ahead again/)).toBeVisible();
  await input.click(button(status, 'Save status'));
  await expect(toastWithText(page, 'Maya Hale: active')).toBeVisible();
  await expect(page.getByText(/^Last day/)).toHaveCount(0);
  expect(consoleGuard.errors(), 'browser errors').toEqual([]);
  await phone.context().close();
});
