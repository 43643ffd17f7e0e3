import { expectNoViolations } from '../expect-no-accessibility-violations.ts';
import { expect, test } from '../fixtures.ts';
import { button, link, textField } from '../page-objects/controls.ts';
import { signInToPortal } from '../page-objects/family-portal-sign-in.ts';
import { open, pageHeading, toastWithText } from '../page-objects/navigation.ts';
import { expectReflow } from '../reflow.ts';
import { mouse, touchscreen } from './input-driver.ts';

test('family portal: a mother accepts the agreement, changes her email address with a code, switches a reminder off, and the tutor sees it', async ({
  page,
  browser,
  origin,
  hasTouch,
  confirmedTutor: tutor,
  api,
  mail,
}) => {
  const input = hasTouch ? touchscreen(page) : mouse(page);
  const oldEmail = `ruth.${tutor.username}@families.example`;
  const newEmail = `ruth.new.${tutor.username}@families.example`;
  await api.addStudent('Maya Hale', {
    carerName: 'Ruth Hale',
    carerEmail: oldEmail,
    carerRelationship: 'Mother',
  });
  await api.startReminders();
  await api.openPortal();

  await open(page, '/settings/agreement', 'Agreement');
  await input.fill(textField(page, 'Text'), 'Lessons are paid for monthly.');
  await expectNoViolations(page);
  await input.click(button(page, 'Publish version 1'));
  await expect(toastWithText(page, 'Agreement published')).toBeVisible();
  await input.click(button(page, 'Ask everyone to agree'));
  await expect(toastWithText(page, 'Asked 1 person by email')).toBeVisible();
  await mail.waitFor(oldEmail, /^Please read my agreement/);

  const { page: phone, consoleGuard } = await signInToPortal(browser, origin, oldEmail, mail);
  await expectNoViolations(phone);
  await link(phone, 'Ada Fenwick has asked you to read and accept an agreement').click();
  await expect(pageHeading(phone, 'Details')).toBeVisible();
  await button(phone, 'Read and accept: Agreement').click();
  const sheet = phone.getByRole('dialog', { name: 'Agreement with Ada Fenwick' });
  await expect(sheet.getByText('Lessons are paid for monthly.')).toBeVisible();
  await sheet.getByLabel('Type your name to accept it').fill('Ruth Hale');
  await expectReflow(phone, 'the agreement');
  await expectNoViolations(phone);
  await button(sheet, 'Accept agreement').click();
  await expect(phone.getByText(/^You agreed on /)).toBeVisible();
  await expect(phone.getByText('Mother of Maya. You pay the invoices')).toBeVisible();
  await expectReflow(phone, 'the details');
  await expectNoViolations(phone);

  const reminders = phone.getByRole('switch', { name: 'Lesson reminders' });
  await expect(reminders).toBeChecked();
  await reminders.tap();
  await expect(reminders).not.toBeChecked();

  await button(phone, 'Change email address').click();
  await phone.getByLabel('New email address').fill(newEmail);
  await expectReflow(phone, 'the new address');
  await expectNoViolations(phone);
  await button(phone, 'Send code').click();
  const { subject } = await mail.waitFor(newEmail, /^\d{6} is your code/);
  await phone.getByLabel('6-digit code').fill(subject.slice(0, 6));
  await expectReflow(phone, 'the code');
  await expectNoViolations(phone);
  await button(phone, 'Confirm address').click();
  await expect(phone.getByText('Email address changed')).toBeVisible();
  await expect(phone.getByText(newEmail)).toBeVisible();
  await mail.waitFor(oldEmail, /^Your email address for the family portal was changed/);

  await button(phone, 'Add phone number').click();
  await phone.getByLabel('New phone number').fill('07700 900 118');
  await button(phone, 'Save number').click();
  await expect(phone.getByText('07700 900 118')).toBeVisible();
  await phone.reload();
  await expect(phone.getByText(newEmail)).toBeVisible();
  await expect(reminders).not.toBeChecked();

  await open(page, '/settings/agreement', 'Agreement');
  await expect(page.getByText('1 of 1 person has agreed.', { exact: false })).toBeVisible();
  await expect(page.getByText(/^Agreed .*, as Ruth Hale/)).toBeVisible();

  await open(page, '/notifications', 'Notifications');
  await expect(
    page.getByText(/^Ruth Hale has unsubscribed from lesson reminders\./).first(),
  ).toBeVisible();
  const change = `Ruth Hale changed their email address in the family portal, from ${oldEmail} to ${newEmail}.`;
  await page.getByRole('link', { name: change }).first().click();
  await expect(pageHeading(page, 'Maya Hale')).toBeVisible();
  await expect(page.locator(`a[href="mailto:${newEmail}"]`)).toBeVisible();
  expect(consoleGuard.errors(), 'browser errors').toEqual([]);
  await phone.context().close();
});
