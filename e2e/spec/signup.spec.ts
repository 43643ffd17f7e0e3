import { accounts } from '@lessonbook/contract/accounts';
import { envUrl, expect, test } from '../fixtures.ts';
import { expectPath, open, pageHeading, toastWithText } from '../page-objects/navigation.ts';
import { newSignupData, signUp } from '../sign-up-tutor.ts';

const TITLE = 'Create your account';

test('signup: creates an account from four fields and logs in [ROUTE-15, AUTH-11..14, AUTH-28..30]', async ({
  page,
}) => {
  const person = newSignupData('Theo Lindqvist');
  await open(page, '/signup', TITLE);
  await expectPath(page, '/signup');
  await page.getByRole('textbox', { name: 'Full Name' }).fill(person.name);
  await page.getByRole('textbox', { name: 'Email' }).fill(person.email);
  await page.getByRole('textbox', { name: 'Username' }).fill(person.username);
  await page.getByLabel('Password', { exact: true }).fill(person.password);

  const loggedIn = page.waitForRequest(`**${accounts.login.path}`);
  await page.getByRole('button', { name: 'Create account' }).click();
  expect((await loggedIn).postDataJSON()).toEqual({
    username: person.username,
    password: person.password,
  });
  await expect(toastWithText(page, 'Account created')).toBeVisible();
  await expectPath(page, '/');
  await expect(pageHeading(page, 'Good to see you, Theo')).toBeVisible();
  // The only toast is for the new account, not for the login.
  await expect(page.getByText('Login successful')).toHaveCount(0);

  // A logged-in tutor is redirected.
  await page.goto('/signup');
  await expectPath(page, '/');
  await expect(pageHeading(page, 'Good to see you, Theo')).toBeVisible();
  await open(page, '/settings', 'Settings');
  await expect(page.getByText('14 days left in your free trial.')).toBeVisible();
});

test('signup: links to the login page [AUTH-16]', async ({ page }) => {
  await open(page, '/signup', TITLE);
  await page.getByRole('link', { name: 'Log in' }).click();
  await expectPath(page, '/login');
  await expect(pageHeading(page, 'Welcome back')).toBeVisible();
});

test('signup: shows an error on the field when the username is taken', async ({
  page,
  consoleGuard,
}) => {
  consoleGuard.allowErrorResponse(accounts.signup.path, 409);
  const first = newSignupData();
  await signUp(page.request, envUrl('E2E_URL'), first);

  await open(page, '/signup', TITLE);
  await page.getByLabel('Full Name').fill('Isla Brennan');
  await page.getByLabel('Email').fill(newSignupData().email);
  await page.getByLabel('Username').fill(first.username);
  await page.getByLabel('Password', { exact: true }).fill('a fine password');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByLabel('Username')).toBeFocused();
  await expect(page.getByLabel('Username')).toHaveAccessibleDescription(
    /That username is already taken/,
  );
  await expectPath(page, '/signup');
});
