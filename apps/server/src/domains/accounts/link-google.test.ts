import { accounts } from '@lessonbook/contract/accounts';
import { accountRecovery } from '@lessonbook/contract/email-revert-and-mfa-removal';
import { googleSignIn } from '@lessonbook/contract/google-sign-in';
import { security } from '@lessonbook/contract/security';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import {
  createTutor,
  createTutorWhoCanEmailFamilies,
  PASSWORD,
  readTokenFromEmail,
} from '../../test/create-tutor.ts';
import {
  createPendingGoogleLogin,
  type GoogleLoginTestApp,
  type GoogleUser,
  loginWithGoogle,
  newGoogleUser,
  startGoogleLoginTestApp,
} from '../../test/google-login-test-app.ts';

let app: GoogleLoginTestApp;
beforeAll(async () => {
  app = await startGoogleLoginTestApp({ DEMO_ACCOUNT: 'yes' });
});
afterAll(() => app.close());

const link = (browser: Browser, credential: string, password = PASSWORD) =>
  browser.call(googleSignIn.link, { body: { credential, password } });

/** Returns a browser with a credential for an account that can be linked only with its password. */
async function startLinking(person: GoogleUser) {
  const { browser, credential, logIn } = await createPendingGoogleLogin(app, person);
  const response = await logIn();
  expect([response.status, response.error.code]).toEqual([409, 'password_needed']);
  expect((await browser.call(accounts.me)).status).toBe(401);
  return { browser, credential };
}

async function countIdentities(email: string): Promise<number> {
  const { rows } = await app.admin.query<{ count: string }>(
    'select count(*) from identities join login_directory using (tutor_id) where email = $1',
    [email],
  );
  return Number(rows[0]?.count);
}

const waitForLinkedMail = (email: string) =>
  app.mailbox.waitFor(
    (mail) => mail.to.includes(email) && mail.subject.startsWith('Google sign-in was added'),
  );

describe('automatic linking', () => {
  test.each([
    ['a Gmail address', (name: string) => ({ email: `${name}@gmail.com` })],
    [
      'a verified address that Google hosts for a school',
      (name: string) => ({ email: `${name}@school.example`, hd: 'school.example' }),
    ],
  ])(
    'links %s if we have verified it too, notifies the owner and ends other logins',
    async (label, userFor) => {
      const person = newGoogleUser(userFor(`linked${label.length}`));
      const owner = await createTutorWhoCanEmailFamilies(app, {
        email: person.email,
        name: 'Ada First',
      });
      const { browser, response } = await loginWithGoogle(app, person);
      expect(response.status).toBe(200);
      expect(response.body.name).toBe('Ada First');
      expect((await browser.call(accounts.me)).status).toBe(200);
      expect((await owner.browser.call(accounts.me)).status).toBe(401);
      const mail = await waitForLinkedMail(person.email);
      expect(mail.text).toContain('/forgot-password');
      expect(mail.text).not.toContain('Ada');
      // The tutor can now log in with either the password or Google.
      const login = { username: owner.input.username, password: PASSWORD };
      expect((await app.browser().call(accounts.login, { body: login })).status).toBe(200);
      expect((await loginWithGoogle(app, person)).response.body.id).toBe(response.body.id);
    },
  );

  test('the owner is notified once, even if the job runs again', async () => {
    const person = newGoogleUser();
    await createTutorWhoCanEmailFamilies(app, { email: person.email });
    await loginWithGoogle(app, person);
    await waitForLinkedMail(person.email);
    const { rows } = await app.admin.query<{ id: string; owner_notified_at: Date | null }>(
      'select id, owner_notified_at from identities join login_directory using (tutor_id) where email = $1',
      [person.email],
    );
    await expect
      .poll(async () => {
        const notified = await app.admin.query(
          'select 1 from identities where id = $1 and owner_notified_at is not null',
          [rows[0]?.id],
        );
        return notified.rowCount;
      })
      .toBe(1);
    const { sendGoogleLinkedEmail } = await import('./service/email/send-account-emails.ts');
    await sendGoogleLinkedEmail(app.context, rows[0]?.id ?? '');
    const emails = app.mailbox
      .emails()
      .filter((mail) => mail.to.includes(person.email) && mail.subject.startsWith('Google'));
    expect(emails).toHaveLength(1);
  });

  test('ignores the case of the email address', async () => {
    const person = newGoogleUser({ email: 'Case.Of.Letters@Gmail.com' });
    const owner = await createTutorWhoCanEmailFamilies(app, { email: 'case.of.letters@gmail.com' });
    expect((await loginWithGoogle(app, person)).response.body.username).toBe(owner.input.username);
  });

  test('when two Google accounts with the same email address log in concurrently, one is linked and the other needs the password', async () => {
    const email = 'two.at.once@gmail.com';
    await createTutorWhoCanEmailFamilies(app, { email });
    const pendingLogins = await Promise.all(
      ['901', '902'].map((sub) => createPendingGoogleLogin(app, newGoogleUser({ email, sub }))),
    );
    const responses = await Promise.all(pendingLogins.map(({ logIn }) => logIn()));
    expect(responses.map((response) => response.status).toSorted((a, b) => a - b)).toEqual([
      200, 409,
    ]);
    expect(await countIdentities(email)).toBe(1);
  });
});

describe('linking with the password', () => {
  test.each([
    ['Google does not host the mailbox', { email: 'p1@families.example' }],
    [
      'Google has not verified it',
      { email: 'p2@school.example', hd: 'school.example', verified: false },
    ],
    ['there is no hosted domain', { email: 'p3@school.example', verified: true }],
    ['its domain only starts with gmail.com', { email: 'p4@gmail.com.evil.example' }],
    ['its domain only ends with gmail.com', { email: 'p5@notgmail.com' }],
  ])('is required if %s', async (_, user) => {
    const person = newGoogleUser(user);
    const owner = await createTutorWhoCanEmailFamilies(app, { email: person.email });
    const { browser, credential } = await startLinking(person);
    expect(await countIdentities(person.email)).toBe(0);
    expect((await owner.browser.call(accounts.me)).status).toBe(200);
    const wrong = await link(browser, credential, 'not the password');
    expect([wrong.status, wrong.error.message]).toEqual([
      401,
      "That isn't the password for this account",
    ]);
    const linked = await link(browser, credential);
    expect(linked.body.username).toBe(owner.input.username);
    expect((await browser.call(accounts.me)).status).toBe(200);
    expect((await owner.browser.call(accounts.me)).status).toBe(401);
    await waitForLinkedMail(person.email);
  });

  test('[T03] an unverified account created with another person’s email address is not linked, and a password reset logs its creator out', async () => {
    const person = newGoogleUser({ email: 'victim@gmail.com' });
    const attacker = await createTutor(app, { email: person.email });
    const { browser, credential } = await startLinking(person);
    expect((await link(browser, credential, 'a guess')).status).toBe(401);
    expect(await countIdentities(person.email)).toBe(0);
    // The owner of the mailbox takes over the account with a password reset; Google is then linked automatically.
    await browser.call(accounts.forgotPassword, { body: { account: person.email } });
    const token = await readTokenFromEmail(app, person.email, 'reset-password');
    await browser.call(accounts.resetPassword, { body: { token, password: 'mine from now' } });
    expect((await attacker.browser.call(accounts.me)).status).toBe(401);
    expect((await loginWithGoogle(app, person)).response.status).toBe(200);
  });

  test('links an unverified account, and verifies it if Google hosts the mailbox', async () => {
    const gmail = newGoogleUser();
    await createTutor(app, { email: gmail.email });
    const hosted = await startLinking(gmail);
    expect((await link(hosted.browser, hosted.credential)).body.emailVerified).toBe(true);
    const other = newGoogleUser({ email: 'unconfirmed@families.example' });
    await createTutor(app, { email: other.email });
    const external = await startLinking(other);
    expect((await link(external.browser, external.credential)).body.emailVerified).toBe(false);
  });

  test('F32 a Google account that signed up with another person’s email address loses access when the owner resets the password', async () => {
    const squatter = newGoogleUser({
      email: 'squatted@families.example',
      sub: '5001',
      verified: false,
    });
    const first = await loginWithGoogle(app, squatter);
    expect(first.response.body.emailVerified).toBe(false);
    await app.browser().call(accounts.forgotPassword, { body: { account: squatter.email } });
    const token = await readTokenFromEmail(app, squatter.email, 'reset-password');
    await app
      .browser()
      .call(accounts.resetPassword, { body: { token, password: 'mine from now' } });
    expect((await first.browser.call(accounts.me)).status).toBe(401);
    expect((await loginWithGoogle(app, squatter)).response.error.code).toBe('password_needed');
  });

  test('an account without a password cannot be linked, whatever password is sent', async () => {
    await loginWithGoogle(app, newGoogleUser({ email: 'no.password@gmail.com', sub: '6001' }));
    const { browser, credential } = await startLinking(
      newGoogleUser({ email: 'no.password@gmail.com', sub: '6002' }),
    );
    expect((await link(browser, credential, '')).status).toBe(400);
    expect((await link(browser, credential, 'null')).status).toBe(401);
  });

  test('the demo account is never linked', async () => {
    const { createDemoTutor } = await import('./service/create-and-replace-demo-account.ts');
    await createDemoTutor(app.context);
    const person = newGoogleUser({ email: 'demo@lessonbook.example', hd: 'lessonbook.example' });
    const { browser, credential, logIn } = await createPendingGoogleLogin(app, person);
    const response = await logIn();
    expect([response.status, response.error.message]).toEqual([
      409,
      'That email is already in use',
    ]);
    expect((await link(browser, credential, 'demo1234')).status).toBe(410);
    expect(await countIdentities(person.email)).toBe(0);
  });

  test('a credential for linking cannot be used to log in, and a credential for logging in cannot be used to link', async () => {
    const person = newGoogleUser({ email: 'kinds@families.example' });
    await createTutorWhoCanEmailFamilies(app, { email: person.email });
    const pendingLogin = await createPendingGoogleLogin(app, person);
    expect((await link(pendingLogin.browser, pendingLogin.credential)).status).toBe(410);
    expect((await pendingLogin.logIn()).error.code).toBe('password_needed');
    expect((await pendingLogin.logIn()).status).toBe(410);
    expect((await link(pendingLogin.browser, pendingLogin.credential)).status).toBe(200);
    expect((await link(pendingLogin.browser, pendingLogin.credential)).status).toBe(410);
  });

  test('another browser cannot use the credential, even with the correct password', async () => {
    const person = newGoogleUser({ email: 'elsewhere@families.example' });
    await createTutorWhoCanEmailFamilies(app, { email: person.email });
    const { credential } = await startLinking(person);
    expect((await link(app.browser(), credential)).status).toBe(410);
    const other = await createPendingGoogleLogin(app);
    expect((await link(other.browser, credential)).status).toBe(410);
  });

  test('the credential expires after ten minutes', async () => {
    const person = newGoogleUser({ email: 'slow@families.example' });
    await createTutorWhoCanEmailFamilies(app, { email: person.email });
    const slow = await startLinking(person);
    app.clock.advance({ minutes: 10 });
    const late = await link(slow.browser, slow.credential);
    await app.restartClock();
    expect(late.status).toBe(410);
  });

  test('only one of eight concurrent attempts with the correct password succeeds', async () => {
    const person = newGoogleUser({ email: 'eight@families.example' });
    await createTutorWhoCanEmailFamilies(app, { email: person.email });
    const { browser, credential } = await startLinking(person);
    const responses = await Promise.all(Array.from({ length: 8 }, () => link(browser, credential)));
    expect(responses.filter((response) => response.status === 200)).toHaveLength(1);
    expect(await countIdentities(person.email)).toBe(1);
  });
});

describe('disconnecting', () => {
  test('F35 the connection is listed and can be removed; the password still works', async () => {
    const person = newGoogleUser();
    const owner = await createTutorWhoCanEmailFamilies(app, { email: person.email });
    const { browser } = await loginWithGoogle(app, person);
    expect((await browser.call(security.security)).body.googleLinkedAt).toBe(
      app.clock.now().toISOString(),
    );
    app.clock.advance({ minutes: 11 });
    expect((await browser.call(accountRecovery.unlinkGoogle)).error.code).toBe(
      'confirmation_needed',
    );
    await browser.call(security.reauthenticateWithPassword, { body: { password: PASSWORD } });
    expect((await browser.call(accountRecovery.unlinkGoogle)).status).toBe(200);
    expect((await browser.call(accountRecovery.unlinkGoogle)).status).toBe(404);
    await app.restartClock();
    expect((await browser.call(security.security)).body.googleLinkedAt).toBeNull();
    expect(await countIdentities(person.email)).toBe(0);
    await app.mailbox.waitFor(
      (mail) =>
        mail.to.includes(person.email) && mail.subject.startsWith('Google sign-in was removed'),
    );
    const body = { username: owner.input.username, password: PASSWORD };
    expect((await app.browser().call(accounts.login, { body })).status).toBe(200);
  });

  test('F35 the only way to log in cannot be removed', async () => {
    const person = newGoogleUser();
    const { browser } = await loginWithGoogle(app, person);
    const only = await browser.call(accountRecovery.unlinkGoogle);
    expect([only.status, only.error.message]).toEqual([
      409,
      'Google is your only way to log in. Choose a password first, then disconnect Google.',
    ]);
    expect(await countIdentities(person.email)).toBe(1);
    await browser.call(security.changePassword, { body: { password: PASSWORD } });
    expect((await browser.call(accountRecovery.unlinkGoogle)).status).toBe(200);
  });
});
