import { addDaysToDate } from '@lessonbook/contract/dates';
import { expectNoViolations } from '../expect-no-accessibility-violations.ts';
import { expect, test } from '../fixtures.ts';
import { button, dialog, select, textField } from '../page-objects/controls.ts';
import { signInToPortal } from '../page-objects/family-portal-sign-in.ts';
import { open, toastWithText } from '../page-objects/navigation.ts';
import { expectReflow } from '../reflow.ts';
import { mouse, touchscreen } from './input-driver.ts';

test("family portal: a mother of three cancels one child's week, one lesson with a free late cancellation, and the tutor waives the fees for the others", async ({
  page,
  browser,
  origin,
  hasTouch,
  tutor,
  api,
  mail,
}) => {
  const input = hasTouch ? touchscreen(page) : mouse(page);
  const email = `ruth.${tutor.username}@families.example`;
  const maths = await api.addSubject('Maths', 38);
  const maya = await api.addStudent('Maya Hale', { carerName: 'Ruth Hale', carerEmail: email });
  const leo = await api.addStudent('Leo Hale', { carerId: maya.carerId });
  const ida = await api.addStudent('Ida Hale', { carerId: maya.carerId });
  const { today } = await api.dashboard();
  for (const [index, student] of [maya, leo, maya, ida, maya].entries()) {
    const date = addDaysToDate(today, 1 + index);
    await api.addLesson({ student, subject: maths, date, start: '16:00' });
  }

  // Cancelling costs half at any time, so that the test does not depend on the time of day.
  await open(page, '/settings/cancellation-policy', 'Cancellation policy');
  await input.fill(textField(page, 'Hours for step 1'), '700');
  await input.fill(textField(page, 'Percentage for step 1'), '50');
  await input.click(button(page, 'One more free late cancellation'));
  await input.fill(page.getByLabel('If a child is ill'), 'Let me know by 9am.');
  await input.click(button(page, 'Save changes'));
  await expect(toastWithText(page, 'Cancellation policy saved')).toBeVisible();

  await open(page, '/settings/family-portal', 'Family portal');
  await input.chooseOption(select(page, 'Preview as'), 'Ruth Hale');
  await input.click(button(page, 'Preview'));
  const preview = dialog(page, 'Preview as Ruth Hale');
  await expect(preview.getByRole('listitem')).toHaveCount(5);
  await input.click(button(preview, 'Close'));
  await input.click(button(page, 'Open the family portal'));
  await input.click(button(dialog(page, 'Open the family portal?'), 'Open the family portal'));
  await expect(toastWithText(page, 'The family portal is open')).toBeVisible();

  const { page: phone, consoleGuard } = await signInToPortal(browser, origin, email, mail);
  const lessons = phone.getByRole('main').getByRole('listitem');
  await expect(lessons).toHaveCount(5);
  await expect(lessons.first()).toContainText(
    'Cancelling now costs £19, or use your free late cancellation (1 left this term)',
  );
  await button(phone, 'Cancel several').click();
  const choice = phone.getByRole('dialog', { name: 'Cancel several lessons' });
  const boxes = choice.getByRole('checkbox', { name: /^Maya, / });
  await expect(boxes).toHaveCount(3);
  for (const box of await boxes.all()) await touchscreen(phone).check(box);
  await button(choice, 'Continue with 3 lessons').click();
  const sheet = phone.getByRole('dialog', { name: 'Cancel 3 lessons?' });
  await expect(sheet).toContainText('£38 with your free late cancellation');
  await sheet.getByLabel('Message to Ada').fill('School trip');
  await expectReflow(phone, 'the costs of cancelling');
  await expectNoViolations(phone);
  await button(sheet, 'Cancel 3 lessons (£38)').click();
  await expect(toastWithText(phone, 'Cancelled.')).toBeVisible();
  await expect(lessons.filter({ hasText: 'Cancelled' })).toHaveCount(3);
  await expect(lessons.filter({ hasText: 'Maya' }).filter({ hasText: 'Cancelled' })).toHaveCount(3);
  await expect(lessons.filter({ hasText: 'Leo' })).toContainText('1 left this term');

  // The tutor is notified, sees the message on the lesson, and does not charge.
  await open(page, '/notifications', 'Notifications');
  await expect(page.getByText(/^Ruth cancelled 3 lessons for Maya, the first on /)).toContainText(
    'Cancellation fees: £38.00. A free late cancellation was used.',
  );
  await input.click(page.getByRole('button', { name: /^Don't charge: Ruth/ }));
  await expect(toastWithText(page, 'No longer charged')).toBeVisible();
  expect((await api.findAccount('Ruth Hale')).balances).toEqual([]);
  const cancelled = await api.sessions(today, addDaysToDate(today, 7));
  expect(cancelled.filter(({ status }) => status === 'cancelled')).toHaveLength(3);
  expect(consoleGuard.errors(), 'browser errors').toEqual([]);
  await phone.context().close();
});
