import { accounts } from '@lessonbook/contract/accounts';
import type { Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { envUrl, expect, test } from '../fixtures.ts';
import { expectPath, logIn, open, pageHeading, toastWithText } from '../page-objects/navigation.ts';
import { confirmEmail, createTutor, newSignupData } from '../sign-up-tutor.ts';

const totpCode = (secret: string, offsetMs = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + offsetMs });

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function logOut(page: Page): Promise<void> {
  await open(page, `${new URL(page.url()).origin}/settings`, 'Settings');
  await expect(page.getByRole('switch').first()).toBeEnabled();
  await page.getByRole('main').getByRole('button', { name: 'Logout' }).click();
  await expectPath(page, '/login');
}

test('security: adds a passkey and logs in with it on its own and as a second factor', async ({
  page,
  mail,
  consoleGuard,
}) => {
  consoleGuard.allowErrorResponse(accounts.login.path, 401);
  const origin = envUrl('E2E_URL_WITH_HOST_NAME');
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const tutor = await createTutor(page.request, origin, newSignupData('Rosa Quill'));
  await confirmEmail(page.request, origin, tutor, mail);

  await open(page, `${origin}/settings/security`, 'Security');
  await button(page, 'Add a passkey').click();
  const passkeyDialog = page.getByRole('dialog', { name: 'Add a passkey' });
  await passkeyDialog.getByLabel('Name').fill('My laptop');
  await button(page, 'Continue').click();
  const codes = page.getByRole('dialog', { name: 'Save your recovery codes' });
  await expect(codes.getByRole('listitem')).toHaveCount(10);
  await button(page, "I've saved my codes").click();
  await expect(page.getByRole('region', { name: 'Passkeys' })).toContainText('My laptop');
  await mail.waitFor(tutor.email, /^Passkey added/);

  await logOut(page);
  await button(page, 'Use a passkey').click();
  await expect(toastWithText(page, 'Welcome back, Rosa Quill!')).toBeVisible();
  await expect(pageHeading(page, 'Good to see you, Rosa')).toBeVisible();

  await logOut(page);
  await logIn(page, tutor.username, tutor.password);
  await expect(pageHeading(page, 'One more step')).toBeVisible();
  await button(page, 'Use your passkey').click();
  await expect(pageHeading(page, 'Good to see you, Rosa')).toBeVisible();
});

test('security: sets up an authenticator app and logs in with a code and with a recovery code', async ({
  page,
  confirmedTutor: tutor,
  mail,
  consoleGuard,
}) => {
  consoleGuard.allowErrorResponse(accounts.login.path, 401);
  await open(page, '/settings', 'Settings');
  await page.getByRole('link', { name: 'Security' }).click();
  await expect(pageHeading(page, 'Security')).toBeVisible();
  // Passkeys need a host name, which this server does not have.
  await expect(page.getByRole('heading', { name: 'Passkeys' })).toHaveCount(0);
  await button(page, 'Turn on').click();
  const dialog = page.getByRole('dialog', { name: 'Turn on the authenticator app' });
  await expect(dialog.getByRole('img', { name: /QR code/ })).toBeVisible();
  const key = (await dialog.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).textContent()) ?? '';
  const secret = key.replaceAll(' ', '');
  await dialog.getByLabel('Code from your authenticator app').fill(totpCode(secret));
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  const codesDialog = page.getByRole('dialog', { name: 'Save your recovery codes' });
  const recoveryCode = (await codesDialog.getByRole('listitem').first().textContent()) ?? '';
  await button(page, "I've saved my codes").click();
  await mail.waitFor(tutor.email, /^Authenticator app turned on/);

  await logOut(page);
  await logIn(page, tutor.username, tutor.password);
  // The current code has been used; the next one is already valid.
  await page.getByLabel('Code from your authenticator app').fill(totpCode(secret, 30_000));
  await button(page, 'Log in').click();
  await expect(pageHeading(page, 'Good to see you, Ada')).toBeVisible();

  await logOut(page);
  await logIn(page, tutor.username, tutor.password);
  await button(page, 'Use a recovery code').click();
  await page.getByLabel('Recovery code').fill(recoveryCode);
  await button(page, 'Log in').click();
  await expect(pageHeading(page, 'Good to see you, Ada')).toBeVisible();
  await mail.waitFor(tutor.email, /^Recovery code used/);
  await open(page, '/settings/security', 'Security');
  await expect(page.getByText(/^9 codes left/)).toBeVisible();
});

test('security: logs out another browser, and a password change sends an email', async ({
  page,
  browser,
  confirmedTutor: tutor,
  mail,
}) => {
  const otherContext = await browser.newContext({ baseURL: envUrl('E2E_URL') });
  const otherPage = await otherContext.newPage();
  await open(otherPage, '/login', 'Welcome back');
  await logIn(otherPage, tutor.username, tutor.password);
  await expect(pageHeading(otherPage, 'Good to see you, Ada')).toBeVisible();
  await mail.waitFor(tutor.email, /^New login/);

  await open(page, '/settings/security', 'Security');
  const logins = page.getByRole('region', { name: "Where you're logged in" });
  await expect(logins.getByRole('listitem')).toHaveCount(2);
  await expect(logins.getByText(/^This browser, since/)).toBeVisible();
  await button(page, 'Log out all other browsers').click();
  await button(page, 'Log out 1 browser').click();
  await expect(toastWithText(page, 'Logged out everywhere else')).toBeVisible();
  await expect(logins.getByRole('listitem')).toHaveCount(1);
  await otherPage.goto('/settings');
  await expectPath(otherPage, '/login');
  await otherContext.close();

  await button(page, 'Change password').click();
  const modal = page.getByRole('dialog', { name: 'Change password' });
  await modal.getByLabel('New password').fill('a whole new chalk');
  await modal.getByRole('button', { name: 'Change password' }).click();
  await expect(toastWithText(page, 'Password changed')).toBeVisible();
  await mail.waitFor(tutor.email, /password was changed$/);
  await logOut(page);
  await logIn(page, tutor.username, 'a whole new chalk');
  await expect(pageHeading(page, 'Good to see you, Ada')).toBeVisible();
});
