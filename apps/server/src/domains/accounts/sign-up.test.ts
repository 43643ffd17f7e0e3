import { accounts } from '@lessonbook/contract/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { createTutor, newSignupInput, readMailedToken } from '../../test/tutor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '100' });
});
afterAll(() => app.close());

describe('signing up', () => {
  test('[API-10] makes the account and answers the user without any password data', async () => {
    const input = newSignupInput({ timeZone: 'Europe/Lisbon' });
    const answer = await app.browser().call(accounts.signup, { body: input });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      name: input.name,
      email: input.email,
      username: input.username,
      timeZone: 'Europe/Lisbon',
    });
    expect(JSON.stringify(answer.body)).not.toMatch(/password|hash|argon/i);
  });

  test('[ENT-01] the user has name, email, time zone, whether the address is verified, and the end of the trial', async () => {
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
    const left = async () => (await browser.call(accounts.me)).body.trialDaysLeft;
    expect(await left()).toBe(14);
    app.clock.forward({ days: 13 });
    expect(await left()).toBe(1);
    app.clock.forward({ days: 1 });
    expect(await left()).toBe(0);
    await app.restartClock();
  });

  test('a zone that the server does not know becomes the default one', async () => {
    const answer = await app
      .browser()
      .call(accounts.signup, { body: newSignupInput({ timeZone: 'Mars/Olympus' }) });
    expect(answer.body.timeZone).toBe('Europe/London');
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
  ])('[API-50] refuses a wrong %s with the words of the form', async (field, change, message) => {
    const answer = await app.browser().call(accounts.signup, { body: newSignupInput(change) });
    expect(answer.status).toBe(400);
    expect(answer.error).toEqual({ code: 'invalid', message, fields: { [field]: message } });
  });

  test('a taken username is refused by name, whatever its letter case', async () => {
    const { input } = await createTutor(app);
    const answer = await app
      .browser()
      .call(accounts.signup, { body: newSignupInput({ username: input.username.toUpperCase() }) });
    expect(answer.status).toBe(409);
    expect(answer.error.fields).toEqual({ username: 'That username is already taken' });
  });

  test('[T02] a taken e-mail is refused and the account that has it stays as it was', async () => {
    const { browser, input } = await createTutor(app);
    const thief = newSignupInput({ email: input.email.toUpperCase(), name: 'Somebody Else' });
    const answer = await app.browser().call(accounts.signup, { body: thief });
    expect(answer.status).toBe(409);
    expect(answer.error.fields).toEqual({ email: 'That email is already in use' });
    expect((await browser.call(accounts.me)).body.name).toBe(input.name);
  });

  test('eight sign-ups with one username at the same moment make one account', async () => {
    const username = newSignupInput().username;
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        app.browser().call(accounts.signup, { body: newSignupInput({ username }) }),
      ),
    );
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([
      201,
      ...Array<number>(7).fill(409),
    ]);
  });
});

describe('the verification mail', () => {
  test('[T17] reaches the mailbox in text and HTML, without the name that the visitor chose', async () => {
    const input = newSignupInput({ name: 'Win a prize at evil.example' });
    await app.browser().call(accounts.signup, { body: input });
    const mail = await app.mailbox.waitFor((one) => one.to.includes(input.email));
    expect(mail.subject).toBe('Confirm your email for Lessonbook');
    for (const part of [mail.text, mail.html]) {
      expect(part).toContain('/verify-email/');
      expect(part).not.toContain('evil');
    }
  });

  test('[V6.4.1] its link verifies the address once', async () => {
    const { browser, input } = await createTutor(app);
    const token = await readMailedToken(app, input.email, 'verify-email');
    const first = await app.browser().call(accounts.confirmEmail, { body: { token } });
    expect(first.body).toEqual({ email: input.email });
    expect((await browser.call(accounts.me)).body.emailVerified).toBe(true);
    const second = await app.browser().call(accounts.confirmEmail, { body: { token } });
    expect(second.status).toBe(410);
  });

  test('[T16] of eight visitors who follow the link at the same moment one succeeds', async () => {
    const { input } = await createTutor(app);
    const token = await readMailedToken(app, input.email, 'verify-email');
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        app.browser().call(accounts.confirmEmail, { body: { token } }),
      ),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 410)).toHaveLength(7);
  });

  test('[V6.4.1] runs out after three days', async () => {
    const { input } = await createTutor(app);
    const token = await readMailedToken(app, input.email, 'verify-email');
    app.clock.forward({ days: 3, seconds: 1 });
    const answer = await app.browser().call(accounts.confirmEmail, { body: { token } });
    await app.restartClock();
    expect(answer.status).toBe(410);
  });

  test('can be sent again, and the older link ends', async () => {
    const { browser, input } = await createTutor(app);
    const older = await readMailedToken(app, input.email, 'verify-email');
    app.mailbox.clear();
    expect((await browser.call(accounts.resendVerification)).status).toBe(202);
    const newer = await readMailedToken(app, input.email, 'verify-email');
    expect(
      (await app.browser().call(accounts.confirmEmail, { body: { token: older } })).status,
    ).toBe(410);
    expect(
      (await app.browser().call(accounts.confirmEmail, { body: { token: newer } })).status,
    ).toBe(200);
  });

  test('[T04] a token of one kind is not accepted as another', async () => {
    const { input } = await createTutor(app);
    const token = await readMailedToken(app, input.email, 'verify-email');
    const answer = await app
      .browser()
      .call(accounts.resetPassword, { body: { token, password: 'another one' } });
    expect(answer.status).toBe(410);
  });
});
