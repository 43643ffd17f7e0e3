import { accounts } from '@lessonbook/contract/accounts';
import { envUrl, expect, test } from '../fixtures.ts';
import {
  clearLogin,
  expectPath,
  logIn,
  open,
  pageHeading,
  toastWithText,
} from '../page-objects/navigation.ts';
import { newSignupData, signUp } from '../sign-up-tutor.ts';

const TITLE = 'Welcome back';

test('login: a username and password open the dashboard with a welcome toast [ROUTE-13, AUTH-01, AUTH-05, AUTH-06, AUTH-17, TOAST-01, TOAST-02]', async ({
  page,
}) => {
  const person = newSignupData('Rosa Quill');
  await signUp(page.request, envUrl('E2E_URL'), person);

  await open(page, '/login', TITLE);
  await expectPath(page, '/login');
  await expect(page.getByRole('textbox', { name: 'Username' })).toBeEditable();
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'password');
  await logIn(page, person.username, person.password);

  await expectPath(page, '/');
  await expect(pageHeading(page, 'Good to see you, Rosa')).toBeVisible();
  await expect(toastWithText(page, 'Login successful')).toContainText('Welcome back, Rosa Quill!');

  // The email address is accepted too, in upper or lower case.
  await clearLogin(page);
  await open(page, '/login', TITLE);
  await logIn(page, person.email.toUpperCase(), person.password);
  await expectPath(page, '/');
  await expect(toastWithText(page, 'Welcome back, Rosa Quill!')).toBeVisible();
});

test("login: shows the server's error message [ERR-07, ERR-08]", async ({ page, consoleGuard }) => {
  consoleGuard.allowErrorResponse(accounts.login.path, 401);
  await open(page, '/login', TITLE);
  const loginResponse = page.waitForResponse(`**${accounts.login.path}`);
  await logIn(page, 'nobody.at.all', 'not the password');
  const { message } = (await (await loginResponse).json()) as { message: string };
  await expect(page.getByRole('alert')).toContainText('Login failed');
  await expect(page.getByRole('alert')).toContainText(message);
  await expectPath(page, '/login');
  await expect(page.getByLabel('Username')).toHaveValue('nobody.at.all');

  // The fallback text is identical, so this repeats the check with a different message from the server.
  const otherMessage = 'Logging in is not possible today';
  await page.route(`**${accounts.login.path}`, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as object;
    await route.fulfill({ response, json: { ...body, message: otherMessage } });
  });
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByRole('alert')).toContainText(otherMessage);
  await expect(page.getByRole('alert')).toContainText('Login failed');
});

test('login: offers the demo account only if the server has one [AUTH-08]', async ({ page }) => {
  await open(page, '/login', TITLE);
  await expect(page.getByText('Use demo and demo1234')).toBeVisible();
  await page.getByRole('button', { name: 'Try the demo' }).click();
  await expectPath(page, '/');
  await expect(toastWithText(page, 'Welcome back, Ada Fenwick!')).toBeVisible();

  await clearLogin(page);
  const optionsLoaded = page.waitForResponse(`**${accounts.signInOptions.path}`);
  await open(page, `${envUrl('E2E_URL_WITHOUT_DEMO')}/login`, TITLE);
  await (await optionsLoaded).finished();
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
  await expect(page.getByText(/demo/i)).toHaveCount(0);
  // Google sign-in is not offered either, because that server has no Google client.
  await expect(page.getByText(/google/i)).toHaveCount(0);
});

test('login: links to sign-up and redirects a logged-in tutor [AUTH-09, ROUTE-14]', async ({
  page,
}) => {
  await open(page, '/login', TITLE);
  await page.getByRole('link', { name: 'Start your 14-day free trial' }).click();
  await expectPath(page, '/signup');
  await page.goBack();
  await expect(pageHeading(page, TITLE)).toBeVisible();

  await logIn(page, 'demo', 'demo1234');
  await expect(pageHeading(page, 'Good to see you, Ada')).toBeVisible();
  await page.goto('/login');
  await expectPath(page, '/');
  await expect(pageHeading(page, 'Good to see you, Ada')).toBeVisible();
});
