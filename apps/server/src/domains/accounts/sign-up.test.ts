import { accounts } from '@lessonbook/contract/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTutor, newSignupInput, readTokenFromEmail } from '../../test/create-tutor.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '100' });
});
afterAll(() => app.close());

describe('signing up', () => {
  test('[API-10] creates the account and returns the user without password data', async () => {
    const input = newSignupInput({ timeZone: 'Europe/Lisbon' });
    const response = await app.browser().call(accounts.signup, { body: input });
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({
      name: input.name,
      email: input.email,
      username: input.username,
      timeZone: 'Europe/Lisbon',
    });
    expect(JSON.stringify(response.body)).not.toMatch(/password|hash|argon/i);
  });

  test('[ENT-01] the user has a name, email address, time zone, verification status and trial end date', async () => {
    const { browser, input } = await createTutor(app);
    const { body } = await browser.call(accounts.me);
    expect(body).toMatchObject({
      name: input.name,
      email: input.email,
      timeZone: 'Europe/London',
      emailVerified: false,
      trialEndsAt: '2026-11-30T12:00:00.000Z',
    });
  });

  test('[CONST-13] the free trial is 14 days, counted from sign-up: 14 left on day 1, 1 on day 14, 0 on day 15', async () => {
    const { browser } = await createTutor(app);
    const daysLeft = async () => (await browser.call(accounts.me)).body.trialDaysLeft;
    expect(await daysLeft()).toBe(14);
    app.clock.advance({ days: 13 });
    expect(await daysLeft()).toBe(1);
    app.clock.advance({ days: 1 });
    expect(await daysLeft()).toBe(0);
    await app.restartClock();
  });

  test('an unknown time zone is replaced with the default', async () => {
    const response = await app
      .browser()
      .call(accounts.signup, { body: newSignupInput({ timeZone: 'Mars/Olympus' }) });
    expect(response.body.timeZone).toBe('Europe/London');
  });

  test.each([
    ['name', { name: 'A' }, 'Name must be at least 2 characters'],
    ['email', { email: 'nobody' }, 'Please enter a valid email'],
    ['username', { username: 'ab' }, 'Username must be at least 3 characters'],
    [
      'username',
      { username: 'a da' },
      'Username can only contain letters, numbers, dots, underscores, and hyphens',
    ],
    ['password', { password: '1234567' }, 'Password must be at least 8 characters'],
  ])(
    '[API-50] rejects an invalid %s with the same message as the form',
    async (field, change, message) => {
      const response = await app.browser().call(accounts.signup, { body: newSignupInput(change) });
      expect(response.status).toBe(400);
      expect(response.error).toEqual({ code: 'invalid', message, fields: { [field]: message } });
    },
  );

  test('rejects a taken username regardless of case', async () => {
    const { input } = await createTutor(app);
    const response = await app
      .browser()
      .call(accounts.signup, { body: newSignupInput({ username: input.username.toUpperCase() }) });
    expect(response.status).toBe(409);
    expect(response.error.fields).toEqual({ username: 'That username is already taken' });
  });

  test('[T02] rejects a taken email address and does not change the existing account', async () => {
    const { browser, input } = await createTutor(app);
    const attacker = newSignupInput({ email: input.email.toUpperCase(), name: 'Somebody Else' });
    const response = await app.browser().call(accounts.signup, { body: attacker });
    expect(response.status).toBe(409);
    expect(response.error.fields).toEqual({ email: 'That email is already in use' });
    expect((await browser.call(accounts.me)).body.name).toBe(input.name);
  });

  test('eight concurrent sign-ups with the same username create one account', async () => {
    const username = newSignupInput().username;
    const responses = await Promise.all(
      Array.from({ length: 8 }, () =>
        app.browser().call(accounts.signup, { body: newSignupInput({ username }) }),
      ),
    );
    expect(responses.map((response) => response.status).toSorted((a, b) => a - b)).toEqual([
      201,
      ...Array<number>(7).fill(409),
    ]);
  });
});

describe('the verification email', () => {
  test('[T17] is sent as plain text and HTML, without the name entered at sign-up', async () => {
    const input = newSignupInput({ name: 'Win a prize at evil.example' });
    await app.browser().call(accounts.signup, { body: input });
    const mail = await app.mailbox.waitFor(({ to }) => to.includes(input.email));
    expect(mail.subject).toBe('Confirm your email for Lessonbook');
    for (const part of [mail.text, mail.html]) {
      expect(part).toContain('/verify-email/');
      expect(part).not.toContain('evil');
    }
  });

  test('[V6.4.1] its link verifies the email address and works only once', async () => {
    const { browser, input } = await createTutor(app);
    const token = await readTokenFromEmail(app, input.email, 'verify-email');
    const first = await app.browser().call(accounts.confirmEmail, { body: { token } });
    expect(first.body).toEqual({ email: input.email });
    expect((await browser.call(accounts.me)).body.emailVerified).toBe(true);
    const second = await app.browser().call(accounts.confirmEmail, { body: { token } });
    expect(second.status).toBe(410);
  });

  test('[T16] only one of eight concurrent uses of the link succeeds', async () => {
    const { input } = await createTutor(app);
    const token = await readTokenFromEmail(app, input.email, 'verify-email');
    const responses = await Promise.all(
      Array.from({ length: 8 }, () =>
        app.browser().call(accounts.confirmEmail, { body: { token } }),
      ),
    );
    expect(responses.filter((response) => response.status === 200)).toHaveLength(1);
    expect(responses.filter((response) => response.status === 410)).toHaveLength(7);
  });

  test('[V6.4.1] expires after three days', async () => {
    const { input } = await createTutor(app);
    const token = await readTokenFromEmail(app, input.email, 'verify-email');
    app.clock.advance({ days: 3, seconds: 1 });
    const response = await app.browser().call(accounts.confirmEmail, { body: { token } });
    await app.restartClock();
    expect(response.status).toBe(410);
  });

  test('can be sent again, which revokes the previous link', async () => {
    const { browser, input } = await createTutor(app);
    const older = await readTokenFromEmail(app, input.email, 'verify-email');
    app.mailbox.clear();
    expect((await browser.call(accounts.resendVerification)).status).toBe(202);
    const newer = await readTokenFromEmail(app, input.email, 'verify-email');
    expect(
      (await app.browser().call(accounts.confirmEmail, { body: { token: older } })).status,
    ).toBe(410);
    expect(
      (await app.browser().call(accounts.confirmEmail, { body: { token: newer } })).status,
    ).toBe(200);
  });

  test('[T04] its token cannot be used to reset the password', async () => {
    const { input } = await createTutor(app);
    const token = await readTokenFromEmail(app, input.email, 'verify-email');
    const response = await app
      .browser()
      .call(accounts.resetPassword, { body: { token, password: 'another one' } });
    expect(response.status).toBe(410);
  });
});
