import { accounts, type SignupInput } from '@lessonbook/contract/accounts';
import { accountRecovery } from '@lessonbook/contract/email-revert-and-mfa-removal';
import { mfa } from '@lessonbook/contract/mfa';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import {
  createTutor,
  createTutorWhoCanEmailFamilies,
  newSignupInput,
  readTokenFromEmail,
} from '../../test/create-tutor.ts';
import {
  addPasskey,
  generateTotpCode,
  loginWithPassword,
  startMfaTestApp,
} from '../../test/mfa-test-app.ts';
import type { TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startMfaTestApp();
});
afterEach(() => app.restartClock());
afterAll(() => app.close());

const NEW_PASSWORD = 'a brand new one';

const requestChange = (browser: Browser, { name }: SignupInput, email: string) =>
  browser.call(accounts.updateMe, { body: { name, email } });

async function changeEmail(browser: Browser, input: SignupInput, email: string): Promise<void> {
  expect((await requestChange(browser, input, email)).status).toBe(200);
  const token = await readTokenFromEmail(app, email, 'verify-email');
  expect((await app.browser().call(accounts.confirmEmail, { body: { token } })).status).toBe(200);
}

/** A tutor whose address someone else has changed to `thief@…`. */
async function createStolenAccount() {
  const { browser: thief, input } = await createTutorWhoCanEmailFamilies(app);
  const thiefEmail = `thief-${input.email}`;
  await changeEmail(thief, input, thiefEmail);
  const token = await readTokenFromEmail(app, input.email, 'revert-email');
  return { thief, input, thiefEmail, token };
}

const revert = (token: string) =>
  app.browser().call(accountRecovery.revertEmail, { body: { token } });
const listEmailsTo = (address: string, subject: RegExp) =>
  app.mailbox.emails().filter((mail) => mail.to.includes(address) && subject.test(mail.subject));
const waitForMail = (address: string, subject: RegExp) =>
  app.mailbox.waitFor((mail) => mail.to.includes(address) && subject.test(mail.subject));

describe('restoring the earlier email address', () => {
  test('F34 restores it, ends every login, removes the second factors that were added and lets the owner set a new password', async () => {
    const { thief, input, thiefEmail, token } = await createStolenAccount();
    await addPasskey(thief);
    const { secret } = (await thief.call(mfa.startAuthenticatorSetup)).body;
    const code = generateTotpCode(secret, app.clock.now());
    await thief.call(mfa.turnOnAuthenticator, { body: { code } });
    app.clock.advance({ days: 6 });

    const restored = await revert(token);
    expect([restored.status, restored.body.email]).toEqual([200, input.email]);
    expect((await thief.call(accounts.me)).status).toBe(401);
    // The thief knows the password, so it no longer works.
    expect((await loginWithPassword(app, input)).response.status).toBe(401);
    const notice = await waitForMail(thiefEmail, /changed back/);
    expect(notice.text).not.toContain(input.email);

    const owner = app.browser();
    const body = { token: restored.body.resetToken, password: NEW_PASSWORD };
    expect((await owner.call(accounts.resetPassword, { body })).status).toBe(200);
    const login = await owner.call(accounts.login, {
      body: { username: input.email, password: NEW_PASSWORD },
    });
    expect(login.status).toBe(200);
    expect(login.body).toMatchObject({
      email: input.email,
      emailVerified: true,
      accessReviewDue: true,
    });
  });

  test('F34 after a second change, the first address can still be restored and the second gets no link', async () => {
    const { thief, input, thiefEmail, token } = await createStolenAccount();
    app.clock.advance({ minutes: 5 });
    await changeEmail(thief, input, `second-${thiefEmail}`);
    const again = await waitForMail(input.email, /changed again/);
    expect(again.text).toContain('seven days from the first change');
    expect(again.text).not.toContain('/forgot-password');
    const replaced = await app.mailbox.waitFor(
      (mail) => mail.to.includes(thiefEmail) && /no longer send/.test(mail.text ?? ''),
    );
    expect(replaced.text).not.toMatch(/revert-email|forgot-password/);
    expect((await revert(token)).status).toBe(200);
    expect(listEmailsTo(thiefEmail, /./).some(({ text }) => text?.includes('/revert-email/'))).toBe(
      false,
    );
  });

  test('F34 an address that has been restored gets a new link when it is changed again', async () => {
    const { thief, input, token } = await createStolenAccount();
    app.mailbox.clear();
    await changeEmail(thief, input, input.email);
    expect((await revert(token)).status).toBe(410);
    app.mailbox.clear();
    await changeEmail(thief, input, `third-${input.email}`);
    const next = await readTokenFromEmail(app, input.email, 'revert-email');
    expect((await revert(next)).status).toBe(200);
  });

  test('F34 only one of eight concurrent uses of a link succeeds, and a link expires after seven days', async () => {
    const first = await createStolenAccount();
    const responses = await Promise.all(Array.from({ length: 8 }, () => revert(first.token)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    const second = await createStolenAccount();
    app.clock.advance({ days: 7, seconds: 1 });
    expect((await revert(second.token)).status).toBe(410);
  });

  test('F34 no one else can take the address while it can be restored', async () => {
    const { input, token } = await createStolenAccount();
    const signup = await app
      .browser()
      .call(accounts.signup, { body: newSignupInput({ email: input.email.toUpperCase() }) });
    expect([signup.status, signup.error.fields]).toEqual([
      409,
      { email: 'That email is already in use' },
    ]);
    const other = await createTutor(app);
    expect((await requestChange(other.browser, other.input, input.email)).status).toBe(409);
    expect((await revert(token)).status).toBe(200);
    expect((await loginWithPassword(app, other.input)).response.status).toBe(200);
  });

  test('F34 a change from an address that was never confirmed sends no link', async () => {
    const { browser, input } = await createTutor(app);
    const email = `corrected-${input.email}`;
    await changeEmail(browser, input, email);
    await browser.call(accounts.forgotPassword, { body: { account: email } });
    await readTokenFromEmail(app, email, 'reset-password');
    expect(
      listEmailsTo(input.email, /./).some(({ text }) => text?.includes('/revert-email/')),
    ).toBe(false);
  });
});
