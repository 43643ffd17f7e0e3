import { privacy } from '@lessonbook/contract/account-deletion-and-erasure';
import { accounts } from '@lessonbook/contract/accounts';
import { googleSignIn } from '@lessonbook/contract/google-sign-in';
import { mfa } from '@lessonbook/contract/mfa';
import { security } from '@lessonbook/contract/security';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createTutor, PASSWORD } from '../../test/create-tutor.ts';
import {
  completeGoogleConsent,
  createPendingGoogleLogin,
  type GoogleLoginTestApp,
  type GoogleUser,
  loginWithGoogle,
  newGoogleUser,
  readPendingGoogleUser,
  startGoogleLoginTestApp,
} from '../../test/google-login-test-app.ts';
import { createTutorWithTotp, generateTotpCode } from '../../test/mfa-test-app.ts';

let app: GoogleLoginTestApp;
beforeAll(async () => {
  app = await startGoogleLoginTestApp({
    ENCRYPTION_KEYS: `one:${Buffer.alloc(32, 7).toString('base64')}`,
  });
});
afterEach(() => app.restartClock());
afterAll(() => app.close());

async function countIdentities(email: string): Promise<number> {
  const { rows } = await app.admin.query(
    'select 1 from identities join login_directory using (tutor_id) where email = $1',
    [email],
  );
  return rows.length;
}

test('[V6.3.4, V6.8.4, T05] a Google login also requires the second factor', async () => {
  const { browser, person } = await loginWithGoogle(app);
  const { secret } = (await browser.call(mfa.startAuthenticatorSetup)).body;
  const code = generateTotpCode(secret, app.clock.now());
  await browser.call(mfa.turnOnAuthenticator, { body: { code } });
  app.clock.advance({ minutes: 1 });

  const again = await loginWithGoogle(app, person);
  expect([again.response.status, again.response.error.code]).toEqual([401, 'second_factor_needed']);
  expect((await again.browser.call(accounts.me)).status).toBe(401);
  const next = { code: generateTotpCode(secret, app.clock.now()) };
  expect((await again.browser.call(mfa.verifyMfaCode, { body: next })).status).toBe(200);
  expect((await again.browser.call(accounts.me)).body.email).toBe(person.email);

  // The account has no password, so the tutor reauthenticates with a code.
  app.clock.advance({ minutes: 11 });
  expect((await browser.call(security.security)).body.hasPassword).toBe(false);
  const newPassword = { password: 'a first password' };
  expect((await again.browser.call(security.changePassword, { body: newPassword })).status).toBe(
    403,
  );
  const proof = { code: generateTotpCode(secret, app.clock.now()) };
  await again.browser.call(mfa.reauthenticateWithCode, { body: proof });
  expect((await again.browser.call(security.changePassword, { body: newPassword })).status).toBe(
    200,
  );
});

test('[V6.3.4] Google is linked to an account with a second factor only after that factor has been verified', async () => {
  const person = newGoogleUser();
  const { browser: owner, input, secret } = await createTutorWithTotp(app, { email: person.email });
  const { browser, logIn } = await createPendingGoogleLogin(app, person);
  const response = await logIn();
  expect([response.status, response.error.code]).toEqual([401, 'second_factor_needed']);
  expect(await countIdentities(input.email)).toBe(0);
  expect((await owner.call(accounts.me)).status).toBe(200);
  // The credential has been used, so only the MFA challenge remains.
  expect((await logIn()).status).toBe(410);
  const wrong = await browser.call(mfa.verifyMfaCode, { body: { code: '000000' } });
  expect([wrong.status, await countIdentities(input.email)]).toEqual([400, 0]);

  const code = generateTotpCode(secret, app.clock.now());
  expect((await browser.call(mfa.verifyMfaCode, { body: { code } })).status).toBe(200);
  expect(await countIdentities(input.email)).toBe(1);
  expect((await owner.call(accounts.me)).status).toBe(401);
  await app.mailbox.waitFor(
    (mail) => mail.to.includes(input.email) && mail.subject.startsWith('Google sign-in was'),
  );
});

test('linking Google with the password also requires the second factor', async () => {
  const person = newGoogleUser({ email: 'school@families.example' });
  const { input, secret } = await createTutorWithTotp(app, { email: person.email });
  const { browser, credential, logIn } = await createPendingGoogleLogin(app, person);
  expect((await logIn()).error.code).toBe('password_needed');
  const body = { credential, password: PASSWORD };
  const linked = await browser.call(googleSignIn.link, { body });
  expect([linked.status, linked.error.code]).toEqual([401, 'second_factor_needed']);
  expect(await countIdentities(input.email)).toBe(0);
  expect((await browser.call(accounts.me)).status).toBe(401);
  const code = generateTotpCode(secret, app.clock.now());
  expect((await browser.call(mfa.verifyMfaCode, { body: { code } })).status).toBe(200);
  expect(await countIdentities(input.email)).toBe(1);
});

describe('F31 reauthenticating with Google', () => {
  test('is possible if the account has no other way to reauthenticate, and only with the linked Google account', async () => {
    const { browser, person } = await loginWithGoogle(app);
    app.clock.advance({ minutes: 11 });
    expect((await browser.call(privacy.scheduleDeletion)).error.code).toBe('confirmation_needed');
    const reauthenticate = async (google: GoogleUser) => {
      await completeGoogleConsent(browser, google);
      const { credential } = await readPendingGoogleUser(browser);
      return browser.call(googleSignIn.reauthenticate, { body: { credential } });
    };
    const other = await reauthenticate(newGoogleUser());
    expect([other.status, other.error.message]).toEqual([
      400,
      "That isn't the Google account you log in with.",
    ]);
    expect((await browser.call(privacy.scheduleDeletion)).status).toBe(403);

    await completeGoogleConsent(browser, person);
    const { credential } = await readPendingGoogleUser(browser);
    const stranger = await createTutor(app);
    const body = { credential };
    expect((await stranger.browser.call(googleSignIn.reauthenticate, { body })).status).toBe(403);
    expect((await browser.call(googleSignIn.reauthenticate, { body })).status).toBe(200);
    expect((await browser.call(googleSignIn.reauthenticate, { body })).status).toBe(410);
    expect((await browser.call(privacy.scheduleDeletion)).status).toBe(200);
  });

  test('is not possible if the account has a password', async () => {
    const { browser, person } = await loginWithGoogle(app);
    await browser.call(security.changePassword, { body: { password: 'a first password' } });
    app.clock.advance({ minutes: 11 });
    await completeGoogleConsent(browser, person);
    const { credential } = await readPendingGoogleUser(browser);
    const rejected = await browser.call(googleSignIn.reauthenticate, { body: { credential } });
    expect(rejected.status).toBe(403);
    expect((await browser.call(security.checkRecentAuth)).status).toBe(403);
  });
});
