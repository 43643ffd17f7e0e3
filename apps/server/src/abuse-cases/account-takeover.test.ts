import { privacy } from '@lessonbook/contract/account-deletion-and-erasure';
import { accounts } from '@lessonbook/contract/accounts';
import { type AuditAction, audit } from '@lessonbook/contract/audit';
import { businessSettings } from '@lessonbook/contract/business-settings';
import { calendar } from '@lessonbook/contract/calendar';
import { cards } from '@lessonbook/contract/card-payments';
import { dataExport } from '@lessonbook/contract/data-export';
import { accountRecovery } from '@lessonbook/contract/email-revert-and-mfa-removal';
import { googleSignIn } from '@lessonbook/contract/google-sign-in';
import { mfa } from '@lessonbook/contract/mfa';
import { portalSettings } from '@lessonbook/contract/portal-management';
import { reminders } from '@lessonbook/contract/reminder-settings';
import { security } from '@lessonbook/contract/security';
import { type FakeGoogle, startGoogle } from '@lessonbook/fakes/google';
import { type FakeStripe, startStripe } from '@lessonbook/fakes/stripe';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ApiResponse } from '../test/browser-client.ts';
import { connectGoogleCalendar, googleEnvironment } from '../test/calendar-test-app.ts';
import { readTokenFromEmail, reauthenticate } from '../test/create-tutor.ts';
import { addPasskey } from '../test/mfa-test-app.ts';
import { PasskeyDevice } from '../test/passkey-device.ts';
import { findStripeAccountId, WEBHOOK_SECRETS, webhookEndpoints } from '../test/stripe-test-app.ts';
import {
  BANK_DETAILS,
  createStolenLogin,
  invalidPasskeyResponse,
  TERMS,
  THIEF_EMAIL,
  takeoverAttempts,
  withPaymentReminderText,
} from '../test/takeover-attempts.ts';
import { readAllRowsOfTutor } from '../test/tenant-isolation-test-support.ts';
import { startTestApp, type TestApp } from '../test/test-app.ts';
import { waitUntilQueueIdle } from '../test/wait-for-queue-and-control-retries.ts';

/*
 * A thief has the owner's browser, in which the owner logged in an hour ago. Without the password, an authenticator or a
 * passkey, the thief cannot divert money, take data or lock the owner out.
 */

const ORIGIN = 'http://localhost:1';

let app: TestApp;
let google: FakeGoogle;
let stripe: FakeStripe;
beforeAll(async () => {
  google = await startGoogle();
  stripe = await startStripe();
  app = await startTestApp({
    APP_URL: ORIGIN,
    RATE_LIMIT_FACTOR: '1000',
    ...googleEnvironment(google),
    STRIPE_SECRET_KEY: stripe.apiKey,
    STRIPE_URL: stripe.url,
    STRIPE_ACCOUNT_SECRET: WEBHOOK_SECRETS.account,
    STRIPE_PAYMENT_SECRET: WEBHOOK_SECRETS.connect,
  });
  await stripe.control.setWebhooks(webhookEndpoints(app.url));
});
beforeEach(() => app.restartClock());
afterAll(async () => {
  await app.close();
  await google.close();
  await stripe.close();
});

async function readRows(tutorId: string): Promise<Record<string, unknown[]>> {
  const client = await app.admin.connect();
  try {
    return await readAllRowsOfTutor(client, tutorId);
  } finally {
    client.release();
  }
}

test('F30 F31 [V7.5.1] an old login in a stolen browser cannot divert money, take data or lock the owner out', async () => {
  const stolen = await createStolenLogin(app);
  const { thief, owner, input, tutorId } = stolen;
  await waitUntilQueueIdle(app.admin);
  const before = await readRows(tutorId);
  const mailCount = app.mailbox.emails().length;

  const attempts = takeoverAttempts(stolen);
  expect(attempts.length).toBeGreaterThanOrEqual(20);
  for (const { aim, send } of attempts) {
    const { status, error } = await send(thief);
    expect([aim, status, error.code]).toEqual([aim, 403, 'confirmation_needed']);
  }
  // The thief has tried every endpoint that requires recent authentication.
  const attempted = new Set(attempts.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`));
  const guarded = app.http.endpoints.filter(({ requires }) => requires === 'recent-auth');
  expect([...attempted].toSorted()).toEqual(
    guarded.map(({ method, path }) => `${method} ${path}`).toSorted(),
  );
  const head = await thief.send('HEAD', `/api/exports/${stolen.exportId}.zip`);
  expect(head.status).toBe(403);

  // Guessing fails for every method of reauthentication.
  const guesses = [
    await thief.call(security.reauthenticateWithPassword, { body: { password: 'password1' } }),
    await thief.call(mfa.reauthenticateWithCode, { body: { code: '000000' } }),
    await thief.call(mfa.reauthenticateWithPasskey, { body: { response: invalidPasskeyResponse } }),
    await thief.call(googleSignIn.reauthenticate, { body: { credential: 'none' } }),
  ];
  expect(guesses.map(({ status }) => status).filter((status) => status < 400)).toEqual([]);
  expect((await thief.call(security.checkRecentAuth)).status).toBe(403);

  expect(await readRows(tutorId)).toEqual(before);
  expect(app.mailbox.emails().length).toBe(mailCount);
  expect((await owner.call(accounts.me)).body.email).toBe(input.email);
});

test('F30 F31 changes made by a thief who knows the password are recorded in the activity, and the owner is emailed about each', async () => {
  const stolen = await createStolenLogin(app);
  const { thief, input } = stolen;
  app.mailbox.clear();

  async function expectNotice(
    subject: RegExp,
    action: AuditAction,
    act: () => Promise<unknown>,
  ): Promise<void> {
    await act();
    await app.mailbox.waitFor(
      (mail) => mail.to.includes(input.email) && subject.test(mail.subject),
    );
    const { entries } = (await thief.call(audit.listAuditEntries, { query: {} })).body;
    expect(entries.map((entry) => entry.action)).toContain(action);
  }
  const ok = async (response: Promise<ApiResponse<unknown>>) => {
    const { status, error } = await response;
    if (status >= 300) throw new Error(`${status}: ${error.message}`);
  };

  await reauthenticate(thief);
  await expectNotice(/bank details/, 'bank_details_changed', () =>
    ok(thief.call(businessSettings.saveBusinessSettings, { body: { ...TERMS, ...BANK_DETAILS } })),
  );
  await expectNotice(/family portal is open/, 'portal_opened', () =>
    ok(thief.call(portalSettings.openPortal)),
  );
  await expectNotice(/business details/, 'business_details_changed', () =>
    ok(
      thief.call(businessSettings.saveBusinessSettings, {
        body: { ...TERMS, ...BANK_DETAILS, invoiceNote: 'Pay quickly' },
      }),
    ),
  );
  await expectNotice(/message templates/, 'message_texts_changed', () =>
    ok(
      thief.call(reminders.saveReminderSettings, {
        body: withPaymentReminderText(stolen, 'Pay quickly'),
      }),
    ),
  );
  await expectNotice(/^Card payments connected/, 'cards_connected', async () => {
    await ok(thief.call(cards.createCardAccount));
    await stripe.control.completeOnboarding(await findStripeAccountId(app, thief));
    await thief.call(cards.cardStatus);
  });
  await expectNotice(/^Google Calendar connected/, 'calendar_connected', () =>
    connectGoogleCalendar(google, thief, { user: THIEF_EMAIL }),
  );
  await expectNotice(/calendar address was shown/, 'feed_shown', () =>
    ok(thief.call(calendar.showFeed)),
  );
  await expectNotice(/calendar address was replaced/, 'feed_replaced', () =>
    ok(thief.call(calendar.replaceFeed)),
  );
  await expectNotice(/data downloaded/, 'export_downloaded', () =>
    ok(thief.call(dataExport.downloadExport, { params: { id: stolen.exportId } })),
  );
  await expectNotice(/data requested/, 'export_requested', () =>
    ok(thief.call(dataExport.requestExport)),
  );
  await expectNotice(/erased/, 'person_erased', () =>
    ok(
      thief.call(privacy.erasePerson, {
        body: { kind: 'student', id: stolen.student.id, name: 'Maya Hale' },
      }),
    ),
  );
  await expectNotice(/browser was logged out/, 'logins_ended', () =>
    ok(thief.call(security.revokeLogin, { params: { id: stolen.ownerLoginId } })),
  );
  await expectNotice(/^New recovery codes/, 'recovery_codes_regenerated', () =>
    ok(thief.call(mfa.regenerateRecoveryCodes)),
  );
  await expectNotice(/^Passkey removed/, 'passkey_removed', () =>
    ok(thief.call(mfa.removePasskey, { params: { id: stolen.passkeyId } })),
  );
  await expectNotice(/^Passkey added/, 'passkey_added', () => addPasskey(thief));
  await expectNotice(/^Authenticator app turned off/, 'second_factor_disabled', () =>
    ok(thief.call(mfa.turnOffAuthenticator)),
  );
  await expectNotice(/password was changed/, 'password_changed', () =>
    ok(thief.call(security.changePassword, { body: { password: 'now it is mine' } })),
  );
  await expectNotice(/will be deleted/, 'deletion_requested', () =>
    ok(thief.call(privacy.scheduleDeletion)),
  );
});

test('the owner regains access to the account with a password reset link', async () => {
  const stolen = await createStolenLogin(app);
  const { thief, input } = stolen;
  const device = new PasskeyDevice(ORIGIN);
  await reauthenticate(thief);
  await thief.call(businessSettings.saveBusinessSettings, { body: { ...TERMS, ...BANK_DETAILS } });
  await addPasskey(thief, 'Mine', device);
  await thief.call(security.revokeOtherLogins);
  await thief.call(security.changePassword, { body: { password: 'now it is mine' } });
  await thief.call(accounts.updateMe, { body: { name: input.name, email: THIEF_EMAIL } });
  const thiefToken = await readTokenFromEmail(app, THIEF_EMAIL, 'verify-email');

  const owner = app.browser();
  await owner.call(accounts.forgotPassword, { body: { account: input.email } });
  const token = await readTokenFromEmail(app, input.email, 'reset-password');
  const password = 'the owner is back';
  await owner.call(accounts.resetPassword, { body: { token, password } });
  expect((await thief.call(accounts.me)).status).toBe(401);
  const confirmed = await thief.call(accounts.confirmEmail, { body: { token: thiefToken } });
  expect(confirmed.status).toBe(410);
  const { options } = (await thief.call(mfa.passkeyLoginOptions)).body;
  const response = device.sign(options);
  expect((await thief.call(mfa.logInWithPasskey, { body: { response } })).status).toBe(400);

  const { username, email } = input;
  expect((await owner.call(accounts.login, { body: { username, password } })).status).toBe(200);
  expect((await owner.call(accounts.me)).body).toMatchObject({ email, pendingEmail: null });
  const settings = (await owner.call(businessSettings.businessSettings)).body;
  expect(settings).toMatchObject({
    ...BANK_DETAILS,
    bankDetailsChangedAt: app.clock.now().toISOString(),
  });
  const { bankDetailsChangedAt: _, ...rest } = settings;
  const corrected = await owner.call(businessSettings.saveBusinessSettings, {
    body: { ...rest, accountName: 'Ada Fenwick', sortCode: '00-00-00', accountNumber: '00000000' },
  });
  expect(corrected.status).toBe(200);
  expect((await owner.call(security.revokeOtherLogins)).status).toBe(200);
  app.clock.advance({ days: 1, seconds: 1 });
  const later = (await owner.call(businessSettings.businessSettings)).body;
  expect(later).toMatchObject({ accountName: 'Ada Fenwick', bankDetailsChangedAt: null });
});

test('F34 the owner regains access to the account through the previous address after the thief has confirmed a different one', async () => {
  const { thief, input } = await createStolenLogin(app);
  const thiefEmail = `confirmed.${THIEF_EMAIL}`;
  await reauthenticate(thief);
  await thief.call(accounts.updateMe, { body: { name: input.name, email: thiefEmail } });
  const verify = await readTokenFromEmail(app, thiefEmail, 'verify-email');
  expect((await thief.call(accounts.confirmEmail, { body: { token: verify } })).status).toBe(200);
  await thief.call(security.changePassword, { body: { password: 'now it is mine' } });
  const token = await readTokenFromEmail(app, input.email, 'revert-email');

  const owner = app.browser();
  const reverted = await owner.call(accountRecovery.revertEmail, { body: { token } });
  expect((await thief.call(accounts.me)).status).toBe(401);
  const password = 'the owner is back';
  await owner.call(accounts.resetPassword, {
    body: { token: reverted.body.resetToken, password },
  });
  const { username, email } = input;
  expect((await owner.call(accounts.login, { body: { username, password } })).body.email).toBe(
    email,
  );
});
