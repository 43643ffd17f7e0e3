import { addDaysToDate } from '@lessonbook/contract/dates';
import { expectNoViolations } from '../expect-no-accessibility-violations.ts';
import { expect, test } from '../fixtures.ts';
import { button, dialog, link } from '../page-objects/controls.ts';
import { signInToPortal } from '../page-objects/family-portal-sign-in.ts';
import { open, pageHeading, toastWithText } from '../page-objects/navigation.ts';
import { expectReflow } from '../reflow.ts';
import { mouse, touchscreen } from './input-driver.ts';

test('family portal: a mother reads what is due and queries a charge, reminders leave the charge out, and the tutor removes it', async ({
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
  for (const [student, days] of [
    [maya, 14],
    [maya, 7],
    [leo, 6],
  ] as const) {
    const date = addDaysToDate(today, -days);
    await api.addCompletedLesson({ student, subject: maths, date, start: '16:00' });
  }
  const { id } = await api.findAccount('Ruth Hale');
  const { number } = await api.issueInvoice(id, addDaysToDate(today, -30), today);
  await api.openPortal();

  const { page: phone, consoleGuard } = await signInToPortal(browser, origin, email, mail);
  await link(phone, 'Money').click();
  await expect(pageHeading(phone, 'Money')).toBeVisible();
  await expect(phone.getByText('£114.00', { exact: true }).first()).toBeVisible();
  await expectReflow(phone, 'what is due');
  await expectNoViolations(phone);
  const download = phone.waitForEvent('download');
  await link(phone, `Download ${number}`).click();
  expect((await download).suggestedFilename()).toBe(`Invoice-${number}.pdf`);
  const statement = phone.waitForEvent('download');
  await link(phone, 'Download statement').click();
  expect((await statement).suggestedFilename()).toMatch(/^Statement-.*\.pdf$/);

  await button(phone, 'Query Maya, Maths lesson').click();
  const sheet = phone.getByRole('dialog', { name: 'Query a charge' });
  await touchscreen(phone).check(sheet.getByRole('radio').nth(1));
  await sheet.getByLabel(/^Your question to/).fill('Maya was ill that day.');
  await expectReflow(phone, 'the question about a charge');
  await expectNoViolations(phone);
  await button(sheet, 'Send question').click();
  await expect(phone.getByText('£76.00', { exact: true }).first()).toBeVisible();
  await expect(phone.getByText(/^You have asked about this/)).toBeVisible();

  // The Pay button asks only for the rest.
  await expect(link(phone, 'Pay £76.00')).toBeVisible();

  await open(page, '/notifications', 'Notifications');
  await input.click(
    page.getByRole('link', { name: /Ruth has a question about the charge/ }).first(),
  );
  const question = page.getByRole('region', { name: 'Question about a charge' });
  await expect(question).toContainText('Maya was ill that day.');

  // A reminder asks for the rest, and not for the charge in question.
  await input.click(button(page, 'Remind'));
  const reminder = dialog(page, 'Send reminder');
  await input.click(button(reminder, 'Send reminder'));
  await expect(toastWithText(page, 'Email on its way')).toBeVisible();
  const reminderEmail = await mail.waitFor(email, /^Payment reminder: £76\.00$/);
  expect(reminderEmail.text.match(/£38\.00/g)).toHaveLength(2);
  expect(reminderEmail.text).not.toContain('£114.00');
  await input.click(button(question, 'Answer'));
  const answer = dialog(page, 'Answer the question');
  await input.check(answer.getByRole('radio', { name: 'Remove £38.00' }));
  await input.fill(answer.getByLabel(/^Message to Ruth/), 'Sorry, my mistake.');
  await input.click(button(answer, 'Send answer'));
  await expect(toastWithText(page, 'Answer sent. The charge has been removed.')).toBeVisible();
  await expect(question).toHaveCount(0);

  const { text } = await mail.waitFor(email, /^Your question about Maya's Maths lesson/);
  expect(text).toContain('Sorry, my mistake.');
  await phone.reload();
  await expect(phone.getByText(/has answered: you don't need to pay it\.$/)).toBeVisible();
  await expect(link(phone, 'Pay £76.00')).toBeVisible();
  await expectNoViolations(phone);
  expect(consoleGuard.errors(), 'browser errors').toEqual([]);
  await phone.context().close();
});
