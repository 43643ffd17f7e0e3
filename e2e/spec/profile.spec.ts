import { accounts } from '@lessonbook/contract/accounts';
import { envUrl, expect, test } from '../fixtures.ts';
import { expectPath, open, pageHeading, toastWithText } from '../page-objects/navigation.ts';
import { newSignupData, signUp } from '../sign-up-tutor.ts';

test('profile: shows the name and email address, saves a change and links back [PROF-01, PROF-03, PROF-04, TOAST-17]', async ({
  page,
  tutor,
}) => {
  await open(page, '/profile-edit', 'Edit Profile');
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue(tutor.name);
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(tutor.email);
  await expect(page.getByLabel('Time zone').first()).toHaveValue('Europe/London');

  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Grace Hollow');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(toastWithText(page, 'Profile Updated')).toBeVisible();
  await page.getByRole('link', { name: 'Back to settings' }).click();
  await expectPath(page, '/settings');
  await expect(page.getByRole('main').getByText('Grace Hollow')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('main').getByText('Grace Hollow')).toBeVisible();
});

test('profile: a changed email address takes effect once it is confirmed [PROF-02]', async ({
  page,
  tutor,
  mail,
}) => {
  const { email } = newSignupData();
  await open(page, '/profile-edit', 'Edit Profile');
  const field = page.getByRole('textbox', { name: 'Email' });
  await expect(field).toHaveValue(tutor.email);
  await field.fill(email);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(toastWithText(page, 'Profile Updated')).toBeVisible();
  await expect(page.getByText(`${email} is waiting for confirmation.`)).toBeVisible();
  await page.getByRole('link', { name: 'Back to settings' }).click();
  await expect(page.getByRole('main').getByText(tutor.email)).toBeVisible();

  await page.goto(await mail.waitForLink(email, /Confirm your email/));
  await page.getByRole('button', { name: 'Confirm email' }).click();
  await expect(pageHeading(page, 'Email confirmed')).toBeVisible();
  await expect(page.getByText(email)).toBeVisible();
  await open(page, '/profile-edit', 'Edit Profile');
  await expect(field).toHaveValue(email);
});

test("profile: shows the server's error message [ERR-33]", async ({
  page,
  tutor,
  consoleGuard,
}) => {
  consoleGuard.allowErrorResponse(accounts.updateMe.path, 409);
  const otherTutor = newSignupData();
  await signUp(page.request, envUrl('E2E_URL'), otherTutor);
  await open(page, '/profile-edit', 'Edit Profile');
  await page.getByRole('textbox', { name: 'Email' }).fill(otherTutor.email);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  const notice = page.getByRole('alert').filter({ hasText: 'Error' });
  await expect(notice).toContainText('That email is already in use');
  await expect(page.getByRole('textbox', { name: 'Email' })).toBeFocused();
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(tutor.email);
});
