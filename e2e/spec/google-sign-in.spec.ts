import { googleSignIn } from '@lessonbook/contract/google-sign-in';
import { envUrl, expect, test } from '../fixtures.ts';
import { cancelGoogleSignIn, chooseGoogleAccount } from '../page-objects/google.ts';
import { expectPath, open, pageHeading, toastWithText } from '../page-objects/navigation.ts';
import { newSignupData, signUp } from '../sign-up-tutor.ts';

const signInButton = 'Sign in with Google';
const signUpButton = 'Sign up with Google';

test('google: signs up with Google and logs in with Google [AUTH-04, AUTH-10, AUTH-27]', async ({
  page,
}) => {
  const { username } = newSignupData();
  const email = `${username}@gmail.com`;

  // Cancelling on Google's page changes nothing.
  await open(page, '/signup', 'Create your account');
  await page.getByRole('button', { name: signUpButton }).click();
  await cancelGoogleSignIn(page);
  await expectPath(page, '/signup');
  await expect(page.getByRole('alert')).toContainText(
    'You left Google without choosing an account',
  );

  await page.getByRole('button', { name: signUpButton }).click();
  await chooseGoogleAccount(page, email, 'Grace Quill');
  await expect(toastWithText(page, 'Account connected')).toBeVisible();
  await expectPath(page, '/');
  await expect(pageHeading(page, 'Good to see you, Grace')).toBeVisible();
  // Google has verified the email address, so the tutor need not confirm it.
  await expect(page.getByRole('region', { name: 'Confirm your email' })).toHaveCount(0);

  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('main').getByRole('button', { name: 'Logout' }).click();
  await expectPath(page, '/login');
  const homeIsLoaded = page.waitForRequest(
    (request) => request.isNavigationRequest() && new URL(request.url()).pathname === '/',
  );
  await page.getByRole('button', { name: signInButton }).click();
  await chooseGoogleAccount(page, email, 'Grace Quill');
  await expect(toastWithText(page, 'Login successful')).toContainText('Welcome back, Grace Quill!');
  await homeIsLoaded;
  await expect(pageHeading(page, 'Good to see you, Grace')).toBeVisible();
  await expectPath(page, '/');
});

test('google: links an existing account once its password is entered', async ({
  page,
  mail,
  consoleGuard,
}) => {
  consoleGuard.allowErrorResponse(googleSignIn.socialAuth.path, 409);
  consoleGuard.allowErrorResponse(googleSignIn.link.path, 401);
  const person = newSignupData('Rosa Quill');
  await signUp(page.request, envUrl('E2E_URL'), person);

  await open(page, '/login', 'Welcome back');
  await page.getByRole('button', { name: signInButton }).click();
  await chooseGoogleAccount(page, person.email, 'Somebody Else');
  const step = page.getByRole('region', { name: 'Connect Google' });
  await expect(step).toContainText(person.email);
  await expectPath(page, '/login');

  const password = step.getByLabel('Password', { exact: true });
  await expect(password).toBeFocused();
  await password.fill('not the password');
  await step.getByRole('button', { name: 'Connect Google' }).click();
  await expect(password).toHaveAccessibleDescription(/That isn't the password for this account/);
  await password.fill(person.password);
  await step.getByRole('button', { name: 'Connect Google' }).click();
  await expect(toastWithText(page, 'Welcome back, Rosa Quill!')).toBeVisible();
  await expect(pageHeading(page, 'Good to see you, Rosa')).toBeVisible();
  await mail.waitFor(person.email, /^Google sign-in was added/);
});
