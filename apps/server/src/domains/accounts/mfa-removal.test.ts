import { accounts, type SignupInput } from '@lessonbook/contract/accounts';
import { audit } from '@lessonbook/contract/audit';
import { accountRecovery } from '@lessonbook/contract/email-revert-and-mfa-removal';
import { mfa } from '@lessonbook/contract/mfa';
import { notifications } from '@lessonbook/contract/notifications';
import { security } from '@lessonbook/contract/security';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  createTutorWhoCanEmailFamilies,
  findTutorId,
  readTokenFromEmail,
} from '../../test/create-tutor.ts';
import {
  addPasskey,
  createTutorWithTotp,
  generateTotpCode,
  loginWithPassword,
  startMfaTestApp,
} from '../../test/mfa-test-app.ts';
import type { TestApp } from '../../test/test-app.ts';
import { abandonAccountEmail } from './service/email/send-account-emails.ts';
import { removeDueMfa } from './service/mfa/mfa-removal.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startMfaTestApp();
});
afterEach(() => app.restartClock());
afterAll(() => app.close());

const requestRemoval = (account: string) =>
  app.browser().call(accountRecovery.requestMfaRemoval, { body: { account } });
const start = (token: string) =>
  app.browser().call(accountRecovery.startMfaRemoval, { body: { token } });
const cancel = (token: string) =>
  app.browser().call(accountRecovery.cancelMfaRemoval, { body: { token } });
const waitForMail = (address: string, subject: RegExp) =>
  app.mailbox.waitFor((mail) => mail.to.includes(address) && subject.test(mail.subject));

/** Requests the removal and follows the link in the email. Waits until every notice is sent. */
async function startRemoval({ email, username }: SignupInput) {
  expect((await requestRemoval(username)).status).toBe(202);
  const token = await readTokenFromEmail(app, email, 'remove-two-step');
  const started = await start(token);
  expect(started.status).toBe(200);
  const unsent = `select 1 from email_tokens join login_directory using (tutor_id)
    where username = $1 and purpose = 'keep-two-step' and sent_at is null and used_at is null`;
  await expect.poll(async () => (await app.admin.query(unsent, [username])).rowCount).toBe(0);
  return { removalAt: started.body.removalAt, token };
}

const needsSecondFactor = async (input: SignupInput) =>
  (await loginWithPassword(app, input)).response.error.code === 'second_factor_needed';

describe('removing two-step login after losing every factor', () => {
  test('F35 it is removed three days after the request, and the password is still required', async () => {
    const { browser, input } = await createTutorWithTotp(app);
    await addPasskey(browser);
    const { removalAt } = await startRemoval(input);
    await waitForMail(input.email, /^Two-step login will be removed/);
    const seconds = (Date.parse(removalAt) - app.clock.now().getTime()) / 1000;
    expect(seconds).toBe(3 * 24 * 3600);
    expect((await browser.call(accounts.me)).body.mfaRemovalAt).toBe(removalAt);
    app.clock.advance({ hours: 71, minutes: 59 });
    await removeDueMfa(app.context);
    expect(await needsSecondFactor(input)).toBe(true);
    app.clock.advance({ minutes: 1 });
    await removeDueMfa(app.context);
    await removeDueMfa(app.context);
    await waitForMail(input.email, /^Two-step login was removed/);
    expect((await browser.call(accounts.me)).status).toBe(401);
    const wrong = await loginWithPassword(app, { ...input, password: 'not this one' });
    expect(wrong.response.status).toBe(401);
    const { browser: owner, response } = await loginWithPassword(app, input);
    expect(response.body).toMatchObject({ mfaRemovalAt: null, accessReviewDue: true });
    expect((await owner.call(security.security)).body).toMatchObject({
      passkeys: [],
      authenticatorOn: false,
      recoveryCodesLeft: 0,
    });
    const { entries } = (await owner.call(audit.listAuditEntries, { query: {} })).body;
    expect(entries.filter(({ action }) => action === 'mfa_removed')).toHaveLength(1);
  });

  test('F35 the link in any notice cancels it, including the notice sent to the previous email address', async () => {
    const { browser, input } = await createTutorWithTotp(app);
    const email = `thief-${input.email}`;
    await browser.call(accounts.updateMe, { body: { name: input.name, email } });
    const token = await readTokenFromEmail(app, email, 'verify-email');
    await browser.call(accounts.confirmEmail, { body: { token } });
    await startRemoval({ ...input, email });
    const ownerToken = await readTokenFromEmail(app, input.email, 'keep-two-step');
    const thiefToken = await readTokenFromEmail(app, email, 'keep-two-step');
    expect((await cancel(ownerToken)).status).toBe(200);
    expect((await cancel(thiefToken)).status).toBe(410);
    await waitForMail(email, /^Two-step login stays on/);
    await waitForMail(input.email, /^Two-step login stays on/);
    app.clock.advance({ days: 3 });
    await removeDueMfa(app.context);
    expect(await needsSecondFactor(input)).toBe(true);
  });

  test('F35 a complete login cancels it, but a password alone does not', async () => {
    const { input, secret } = await createTutorWithTotp(app);
    await startRemoval(input);
    const { browser } = await loginWithPassword(app, input);
    const keep = await readTokenFromEmail(app, input.email, 'keep-two-step');
    const code = generateTotpCode(secret, app.clock.now());
    const login = await browser.call(mfa.verifyMfaCode, { body: { code } });
    expect([login.status, login.body.mfaRemovalAt]).toEqual([200, null]);
    expect((await cancel(keep)).status).toBe(410);
    app.clock.advance({ days: 3 });
    await removeDueMfa(app.context);
    expect(await needsSecondFactor(input)).toBe(true);
  });

  test('F35 a logged-in browser can cancel it; another tutor cannot', async () => {
    const { browser, input } = await createTutorWithTotp(app);
    await startRemoval(input);
    const other = await createTutorWhoCanEmailFamilies(app);
    await other.browser.call(accountRecovery.cancelOwnMfaRemoval);
    expect((await browser.call(accounts.me)).body.mfaRemovalAt).not.toBeNull();
    await browser.call(accountRecovery.cancelOwnMfaRemoval);
    expect((await browser.call(accounts.me)).body.mfaRemovalAt).toBeNull();
  });

  test('F35 another request does not change the time, and a link works only once', async () => {
    const { input } = await createTutorWithTotp(app);
    const first = await startRemoval(input);
    expect((await start(first.token)).status).toBe(410);
    app.mailbox.clear();
    app.clock.advance({ hours: 2 });
    await requestRemoval(input.email);
    const second = await start(await readTokenFromEmail(app, input.email, 'remove-two-step'));
    expect(second.body).toEqual({ removalAt: first.removalAt });
  });

  test('F35 the response is the same for unknown accounts and for accounts without two-step login', async () => {
    const { input } = await createTutorWhoCanEmailFamilies(app);
    const mfaTutor = await createTutorWithTotp(app);
    const known = await requestRemoval(mfaTutor.input.email);
    await readTokenFromEmail(app, mfaTutor.input.email, 'remove-two-step');
    for (const account of [input.email, 'nobody@example.com', 'nobody']) {
      const response = await requestRemoval(account);
      expect([response.status, response.body]).toEqual([202, known.body]);
    }
    const { rows } = await app.admin.query<{ email: string }>(
      `select email from email_tokens where purpose = 'remove-two-step' and email = any($1)`,
      [[input.email, 'nobody@example.com', mfaTutor.input.email]],
    );
    expect(rows).toEqual([{ email: mfaTutor.input.email }]);
  });

  test('F35 it is cancelled if a notice could not be sent', async () => {
    const { browser, input } = await createTutorWithTotp(app);
    const tutorId = await findTutorId(app, input);
    const markNoticeUnsent = async () => {
      const { rows } = await app.admin.query<{ id: string }>(
        `update email_tokens set sent_at = null
         where tutor_id = $1 and purpose = 'keep-two-step' and used_at is null returning id`,
        [tutorId],
      );
      return rows[0]?.id ?? '';
    };
    await startRemoval(input);
    await abandonAccountEmail(app.context, { tutorId, tokenId: await markNoticeUnsent() });
    expect((await browser.call(accounts.me)).body.mfaRemovalAt).toBeNull();
    const listed = await browser.call(notifications.listNotifications, { query: {} });
    expect(listed.body.notifications[0]?.text).toMatch(/remove two-step login.*it stays on/);

    app.mailbox.clear();
    await startRemoval(input);
    await markNoticeUnsent();
    app.clock.advance({ days: 3 });
    await removeDueMfa(app.context);
    expect((await browser.call(accounts.me)).body.mfaRemovalAt).toBeNull();
    expect(await needsSecondFactor(input)).toBe(true);
  });
});
