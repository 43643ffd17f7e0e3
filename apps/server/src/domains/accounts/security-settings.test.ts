import { accounts } from '@lessonbook/contract/accounts';
import { security } from '@lessonbook/contract/security';
import { waitUntil } from '@lessonbook/test-env/wait-until';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import {
  createTutor,
  createTutorWhoCanEmailFamilies,
  findTutorId,
  newSignupInput,
  PASSWORD,
  readTokenFromEmail,
} from '../../test/create-tutor.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '100' });
});
afterAll(() => app.close());

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0';

async function logIn(
  username: string,
  { password = PASSWORD, agent = FIREFOX, browser = app.browser({ 'user-agent': agent }) } = {},
) {
  const response = await browser.call(accounts.login, { body: { username, password } });
  return { browser, response };
}

const WAITING = `select from pg_locks join pg_stat_activity using (pid)
  where not granted and datname = current_database()`;

const isLoggedIn = async (browser: Browser) => (await browser.call(accounts.me)).status === 200;

const waitForMail = (address: string, subject: RegExp) =>
  app.mailbox.waitFor((mail) => mail.to.includes(address) && subject.test(mail.subject));

const subjectsSentTo = (address: string) =>
  app.mailbox
    .emails()
    .filter((mail) => mail.to.includes(address))
    .map((mail) => mail.subject)
    .filter((subject) => !subject.startsWith('Confirm'));

describe('the list of logins', () => {
  test('shows each device with the times it was first and last seen, and marks the current one', async () => {
    const { browser, input } = await createTutor(app);
    app.clock.advance({ hours: 2 });
    const { browser: second } = await logIn(input.username);
    app.clock.advance({ hours: 2 });
    const { body } = await second.call(security.logins);
    expect(body).toMatchObject([
      {
        device: 'Firefox on Windows',
        isCurrent: true,
        firstSeenAt: '2026-11-16T14:00:00.000Z',
        lastSeenAt: '2026-11-16T16:00:00.000Z',
      },
      {
        device: 'Unknown browser',
        isCurrent: false,
        firstSeenAt: '2026-11-16T12:00:00.000Z',
        lastSeenAt: '2026-11-16T12:00:00.000Z',
      },
    ]);
    expect(JSON.stringify(body)).not.toContain(second.cookies.get('lessonbook'));
    await browser.call(accounts.logout);
    expect((await second.call(security.logins)).body).toHaveLength(1);
    await app.restartClock();
  });

  test('[V7.5.2] a tutor can end one login or all other logins, but never another tutor’s', async () => {
    const { browser: own, input } = await createTutor(app);
    const { browser: phone } = await logIn(input.username);
    const { browser: tablet } = await logIn(input.username);
    const { browser: stranger } = await createTutor(app);
    const rows = (await phone.call(security.logins)).body;
    const id = rows.find((row) => row.isCurrent)?.id ?? '';

    expect((await stranger.call(security.revokeLogin, { params: { id } })).status).toBe(404);
    expect(await isLoggedIn(phone)).toBe(true);
    expect((await own.call(security.revokeLogin, { params: { id } })).status).toBe(200);
    expect(await isLoggedIn(phone)).toBe(false);
    expect((await own.call(security.revokeLogin, { params: { id } })).status).toBe(404);
    expect((await own.call(security.revokeOtherLogins)).body).toEqual({ revoked: 1 });
    expect(await isLoggedIn(tablet)).toBe(false);
    expect(await isLoggedIn(own)).toBe(true);
    expect(await isLoggedIn(stranger)).toBe(true);
  });
});

describe('[V7.5.1, V7.5.2] sensitive changes', () => {
  const sensitiveChanges: [
    string,
    (browser: Browser) => Promise<{ status: number; error: { code: string } }>,
  ][] = [
    [
      'a new password',
      (browser) => browser.call(security.changePassword, { body: { password: 'another one' } }),
    ],
    [
      'ending another login',
      (browser) => browser.call(security.revokeLogin, { params: { id: 'x' } }),
    ],
    ['ending all other logins', (browser) => browser.call(security.revokeOtherLogins)],
    [
      'a new email address',
      (browser) =>
        browser.call(accounts.updateMe, { body: { name: 'Ada', email: newSignupInput().email } }),
    ],
  ];

  test.each(sensitiveChanges)(
    '%s requires the password again after ten minutes',
    async (_, change) => {
      const { browser } = await createTutor(app);
      app.clock.advance({ minutes: 10, seconds: 1 });
      const rejected = await change(browser);
      expect([rejected.status, rejected.error.code]).toEqual([403, 'confirmation_needed']);
      const wrong = await browser.call(security.reauthenticateWithPassword, {
        body: { password: 'wrong one' },
      });
      expect(wrong.status).toBe(400);
      expect(wrong.error.fields).toEqual({ password: "That isn't your password" });
      expect((await change(browser)).status).toBe(403);
      await browser.call(security.reauthenticateWithPassword, { body: { password: PASSWORD } });
      app.clock.advance({ minutes: 9 });
      expect((await change(browser)).status).not.toBe(403);
      await app.restartClock();
    },
  );

  test('reauthenticating fails if the login is deleted in the meantime', async () => {
    const { browser, input } = await createTutor(app);
    const fromTutorLogins = `from logins where tutor_id = '${await findTutorId(app, input)}'`;
    const blocker = new pg.Client(app.urls.maintenanceUrl);
    await blocker.connect();
    await blocker.query('begin');
    await blocker.query(`select ${fromTutorLogins} for update`);
    const body = { password: PASSWORD };
    const response = browser.call(security.reauthenticateWithPassword, { body });
    await waitUntil(
      async () => (await app.admin.query(WAITING)).rowCount === 1,
      () => 'the request is not waiting for the lock on the login',
    );
    await blocker.query(`delete ${fromTutorLogins}`);
    await blocker.query('commit');
    await blocker.end();
    expect((await response).status).toBe(401);
  });

  test('reauthenticating one login does not affect others', async () => {
    const { browser, input } = await createTutor(app);
    app.clock.advance({ minutes: 11 });
    const { browser: newBrowser } = await logIn(input.username);
    await newBrowser.call(security.reauthenticateWithPassword, { body: { password: PASSWORD } });
    expect((await browser.call(security.revokeOtherLogins)).status).toBe(403);
    await app.restartClock();
  });

  test('limits wrong passwords during reauthentication', async () => {
    const strict = await startTestApp();
    const { browser } = await createTutor(strict);
    const guess = () =>
      browser.call(security.reauthenticateWithPassword, { body: { password: 'wrong one' } });
    const statuses = [];
    for (let n = 0; n < 8; n++) statuses.push((await guess()).status);
    expect(statuses).toEqual([400, 400, 400, 400, 400, 400, 429, 429]);
    await strict.close();
  });
});

describe('a new password', () => {
  test('[V6.2.2, V7.4.3, T17] ends every other login, revokes every reset link and notifies the owner by email', async () => {
    const { browser, input } = await createTutorWhoCanEmailFamilies(app);
    const { browser: other } = await logIn(input.username);
    await app.browser().call(accounts.forgotPassword, { body: { account: input.email } });
    const token = await readTokenFromEmail(app, input.email, 'reset-password');

    const password = 'a new chalk board';
    const changed = await browser.call(security.changePassword, { body: { password } });
    expect(changed.status).toBe(200);
    expect(await isLoggedIn(browser)).toBe(true);
    expect(await isLoggedIn(other)).toBe(false);
    const late = await app
      .browser()
      .call(accounts.resetPassword, { body: { token, password: 'taken over' } });
    expect(late.status).toBe(410);
    expect((await logIn(input.username)).response.status).toBe(401);
    expect((await logIn(input.username, { password })).response.status).toBe(200);
    const mail = await waitForMail(input.email, /password was changed/);
    expect(mail.text).toContain('16 November 2026 at 12 noon');
    expect(mail.text).toContain('/forgot-password');
    // The email contains no user-supplied text, because it could be sent to a stranger.
    expect(mail.text).not.toContain(input.name);
  });

  test('stops trusting every browser except the current one', async () => {
    const { browser, input } = await createTutorWhoCanEmailFamilies(app);
    const { browser: otherBrowser } = await logIn(input.username);
    await waitForMail(input.email, /^New login/);
    app.clock.advance({ seconds: 1 });
    const password = 'a new chalk board';
    await browser.call(security.changePassword, { body: { password } });
    app.clock.advance({ seconds: 1 });
    const before = subjectsSentTo(input.email).length;
    await logIn(input.username, { password, browser });
    await logIn(input.username, { password, browser: otherBrowser });
    await app.mailbox.waitFor(
      () =>
        subjectsSentTo(input.email).filter((subject) => subject.startsWith('New login')).length ===
        2,
    );
    expect(subjectsSentTo(input.email).length - before).toBeLessThanOrEqual(2);
    await app.restartClock();
  });

  test('ends concurrent logins that used the old password', async () => {
    const { browser, input } = await createTutor(app);
    const concurrentLogins = Array.from({ length: 6 }, () => logIn(input.username));
    const [changed, ...others] = await Promise.all([
      browser.call(security.changePassword, { body: { password: 'a new chalk board' } }),
      ...concurrentLogins,
    ]);
    expect(changed.status).toBe(200);
    for (const other of others) expect(await isLoggedIn(other.browser)).toBe(false);
  });
});

describe('security emails', () => {
  test('are sent for a login from a new browser, but not for the first login or a trusted browser', async () => {
    const { browser, input } = await createTutorWhoCanEmailFamilies(app);
    await logIn(input.username, { browser });
    expect(subjectsSentTo(input.email)).toEqual([]);
    await logIn(input.username, { agent: `${FIREFOX} <script>alert("call 0900")</script>` });
    const mail = await waitForMail(input.email, /^New login to Lessonbook$/);
    expect(mail.text).toContain('Firefox on Windows');
    expect(mail.text + mail.html).not.toContain('0900');
    await logIn(input.username, { browser });
    expect(subjectsSentTo(input.email)).toEqual(['New login to Lessonbook']);
    // The row is deleted once the email has been sent, so that the device name is not kept.
    await expect
      .poll(async () => (await app.admin.query('select 1 from security_email_outbox')).rowCount)
      .toBe(0);
  });

  test('are not sent to an unverified address, which may be a stranger’s', async () => {
    const { input } = await createTutor(app);
    await logIn(input.username);
    await logIn(input.username);
    const { rowCount } = await app.admin.query(
      'select 1 from security_email_outbox where email = $1',
      [input.email],
    );
    expect(rowCount).toBe(0);
    expect(subjectsSentTo(input.email)).toEqual([]);
  });

  test('are sent to both the old and the new address once an email change has been verified', async () => {
    const { browser, input } = await createTutorWhoCanEmailFamilies(app);
    const email = newSignupInput().email;
    await browser.call(accounts.updateMe, { body: { name: input.name, email } });
    expect(subjectsSentTo(input.email)).toEqual([]);
    const token = await readTokenFromEmail(app, email, 'verify-email');
    await app.browser().call(accounts.confirmEmail, { body: { token } });
    await waitForMail(input.email, /email was changed/);
    await waitForMail(email, /email was changed/);
  });
});
