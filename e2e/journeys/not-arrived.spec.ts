import { expectNoViolations } from '../expect-no-accessibility-violations.ts';
import { expect, test } from '../fixtures.ts';
import { button, dialog, textField } from '../page-objects/controls.ts';
import { open, toastWithText } from '../page-objects/navigation.ts';
import { expectReflow } from '../reflow.ts';
import { mouse, touchscreen } from './input-driver.ts';

test("hasn't arrived: while the lesson is in progress, a button on Home opens the message, which is sent to the mother once", async ({
  page,
  hasTouch,
  confirmedTutor: tutor,
  api,
  mail,
}) => {
  const input = hasTouch ? touchscreen(page) : mouse(page);
  // In this time zone it is about noon now.
  await api.useDaytimeZone(tutor);
  const { today } = await api.dashboard();
  const maths = await api.addSubject('Maths', 38);
  const email = `ruth.${tutor.username}@families.example`;
  const maya = await api.addStudent('Maya Hale', { carerName: 'Ruth Hale', carerEmail: email });
  const lesson = { student: maya, subject: maths, date: today };
  const current = await api.addLesson({ ...lesson, start: '11:00', end: '14:00' });
  await api.addLesson({ ...lesson, start: '16:00' });

  await open(page, '/dashboard', 'Good to see you, Ada');
  // The button is shown only for the lesson in progress.
  await expect(page.getByRole('button', { name: /^Hasn't arrived/ })).toHaveCount(1);
  await expectReflow(page, 'the home page while a lesson is in progress');
  await expectNoViolations(page);
  await input.click(page.getByRole('button', { name: /^Hasn't arrived/ }));
  const sheet = dialog(page, "Hasn't arrived");
  await expect(sheet.getByText(`To Ruth Hale, ${email}`)).toBeVisible();
  await expect(textField(sheet, 'Message')).toHaveValue(
    /^Hi Ruth,\n\nMaya's lesson at 11am hasn't started yet because Maya isn't here\./,
  );
  await input.fill(textField(sheet, 'Message'), 'Hi Ruth, is Maya on the way?');
  await expectReflow(page, 'the message about a student who has not arrived');
  await expectNoViolations(page);
  await input.click(button(sheet, 'Send to Ruth'));
  await expect(toastWithText(page, 'Email on its way')).toBeVisible();
  await expect(sheet).toHaveCount(0);
  const { text } = await mail.waitFor(email, /^Maya hasn't arrived for the lesson at 11am$/);
  expect(text).toContain('Hi Ruth, is Maya on the way?');

  await input.click(page.getByRole('button', { name: /^Hasn't arrived/ }));
  await expect(sheet.getByText(/^Ruth was sent this message about Maya \(/)).toBeVisible();
  await input.click(button(sheet, 'Close').last());
  expect(await mail.countTo(email)).toBe(1);

  await open(page, `/sessions/${current.sessionId}`, 'Maya Hale, 11am to 2pm');
  await expect(page.getByRole('region', { name: 'Going on now' })).toBeVisible();
  await expect(page.getByText(/^Ruth, sent .* by email$/)).toBeVisible();
  await expectNoViolations(page);
});
