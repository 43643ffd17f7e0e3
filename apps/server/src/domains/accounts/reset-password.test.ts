import { accounts } from '@lessonbook/contract/accounts';
import { calendar } from '@lessonbook/contract/calendar';
import { accountRecovery } from '@lessonbook/contract/email-revert-and-mfa-removal';
import { security } from '@lessonbook/contract/security';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTutor, readTokenFromEmail } from '../../test/create-tutor.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '100' });
});
afterAll(() => app.close());

const NEW_PASSWORD = 'a brand new one';

async function requestReset(account: string, email: string): Promise<string> {
  await app.browser().call(accounts.forgotPassword, { body: { account } });
  return readTokenFromEmail(app, email, 'reset-password');
}

describe('resetting the password', () => {
  test('[V6.4.3] replaces the password and ends every login', async () => {
    const { browser, input } = await createTutor(app);
    const token = await requestReset(input.username, input.email);
    const response = await app
      .browser()
      .call(accounts.resetPassword, { body: { token, password: NEW_PASSWORD } });
    expect(response.status).toBe(200);
    expect((await browser.call(accounts.me)).status).toBe(401);
    const logIn = (password: string) =>
      app.browser().call(accounts.login, { body: { username: input.username, password } });
    expect((await logIn(input.password)).status).toBe(401);
    expect((await logIn(NEW_PASSWORD)).status).toBe(200);
  });

  test('[T17] returns the same response for known and unknown accounts, and sends an email only to known ones', async () => {
    const { input } = await createTutor(app);
    const known = await app
      .browser()
      .call(accounts.forgotPassword, { body: { account: input.email } });
    const before = app.mailbox.emails().length;
    const unknown = await app
      .browser()
      .call(accounts.forgotPassword, { body: { account: 'stranger@example.com' } });
    expect(known.status).toBe(202);
    expect(unknown.status).toBe(202);
    expect(unknown.body).toEqual(known.body);
    expect(app.mailbox.emails().filter((mail) => mail.to.includes('stranger@example.com'))).toEqual(
      [],
    );
    expect(before).toBeGreaterThan(0);
  });

  test('[T16] only one of eight concurrent uses of a link succeeds', async () => {
    const { input } = await createTutor(app);
    const token = await requestReset(input.email, input.email);
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        app
          .browser()
          .call(accounts.resetPassword, { body: { token, password: `${NEW_PASSWORD} ${n}` } }),
      ),
    );
    expect(responses.filter((response) => response.status === 200)).toHaveLength(1);
  });

  test('[V6.6.2] a newer link revokes the older one, and a link expires after an hour', async () => {
    const { input } = await createTutor(app);
    const older = await requestReset(input.email, input.email);
    app.mailbox.clear();
    const newer = await requestReset(input.email, input.email);
    expect(
      (
        await app
          .browser()
          .call(accounts.resetPassword, { body: { token: older, password: NEW_PASSWORD } })
      ).status,
    ).toBe(410);
    app.clock.advance({ hours: 1, seconds: 1 });
    expect(
      (
        await app
          .browser()
          .call(accounts.resetPassword, { body: { token: newer, password: NEW_PASSWORD } })
      ).status,
    ).toBe(410);
    await app.restartClock();
  });

  test('[T17] changing the email address revokes the link', async () => {
    const { browser, input } = await createTutor(app);
    const email = `moved-${input.email}`;
    const reset = await requestReset(input.email, input.email);
    await browser.call(accounts.updateMe, { body: { name: input.name, email } });
    const verify = await readTokenFromEmail(app, email, 'verify-email');
    await app.browser().call(accounts.confirmEmail, { body: { token: verify } });
    expect(
      (
        await app
          .browser()
          .call(accounts.resetPassword, { body: { token: reset, password: NEW_PASSWORD } })
      ).status,
    ).toBe(410);
  });

  test('[T03] verifies the email address and logs out anyone who signed up with it before its owner', async () => {
    const { browser: squatter, input } = await createTutor(app);
    const token = await requestReset(input.email, input.email);
    await app.browser().call(accounts.resetPassword, { body: { token, password: NEW_PASSWORD } });
    expect((await squatter.call(accounts.me)).status).toBe(401);
    const owner = await app
      .browser()
      .call(accounts.login, { body: { username: input.email, password: NEW_PASSWORD } });
    expect(owner.body.emailVerified).toBe(true);
  });

  test('cancels an email change requested by an attacker', async () => {
    const { browser: attacker, input } = await createTutor(app);
    const attackerEmail = `attacker-${input.email}`;
    await attacker.call(accounts.updateMe, { body: { name: input.name, email: attackerEmail } });
    const verify = await readTokenFromEmail(app, attackerEmail, 'verify-email');
    const token = await requestReset(input.email, input.email);
    await app.browser().call(accounts.resetPassword, { body: { token, password: NEW_PASSWORD } });
    const late = await app.browser().call(accounts.confirmEmail, { body: { token: verify } });
    expect(late.status).toBe(410);
    const owner = await app
      .browser()
      .call(accounts.login, { body: { username: input.username, password: NEW_PASSWORD } });
    expect(owner.body).toMatchObject({ email: input.email, pendingEmail: null });
  });

  test('a reset request does not increase the revision', async () => {
    const { browser, input } = await createTutor(app);
    const { revision } = (await browser.call(accounts.me)).body;
    await requestReset(input.email, input.email);
    expect((await browser.call(accounts.me)).body.revision).toBe(revision);
  });

  test('[API-50] rejects a short password and an empty or unknown token', async () => {
    const short = await app
      .browser()
      .call(accounts.resetPassword, { body: { token: 'x', password: 'short' } });
    expect(short.error.message).toBe('Password must be at least 8 characters');
    expect(
      (
        await app
          .browser()
          .call(accounts.resetPassword, { body: { token: '', password: NEW_PASSWORD } })
      ).status,
    ).toBe(400);
    expect(
      (
        await app
          .browser()
          .call(accounts.resetPassword, { body: { token: 'unknown', password: NEW_PASSWORD } })
      ).status,
    ).toBe(410);
  });

  test('F32 asks the tutor to review what still has access, until the tutor has done so', async () => {
    const { browser, input } = await createTutor(app);
    await browser.call(calendar.showFeed);
    const before = await browser.call(accounts.me);
    expect(before.body.accessReviewDue).toBe(false);
    const token = await requestReset(input.email, input.email);
    const owner = app.browser();
    await owner.call(accounts.resetPassword, { body: { token, password: NEW_PASSWORD } });
    const login = { username: input.username, password: NEW_PASSWORD };
    expect((await owner.call(accounts.login, { body: login })).body.accessReviewDue).toBe(true);
    expect((await owner.call(security.security)).body).toMatchObject({
      calendarFeedCreatedAt: app.clock.now().toISOString(),
      calendarConnectedAt: null,
      googleLinkedAt: null,
    });
    const other = await createTutor(app);
    await other.browser.call(accountRecovery.completeAccessReview);
    expect((await owner.call(accounts.me)).body.accessReviewDue).toBe(true);
    await owner.call(accountRecovery.completeAccessReview);
    expect((await owner.call(accounts.me)).body.accessReviewDue).toBe(false);
    expect((await other.browser.call(security.security)).body.calendarFeedCreatedAt).toBeNull();
  });
});
