import { accounts } from '@lessonbook/contract/accounts';
import { security } from '@lessonbook/contract/security';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import {
  createTutor,
  createVerifiedTutor,
  newSignupInput,
  PASSWORD,
  readMailedToken,
} from '../../test/tutor.ts';

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
  const answer = await browser.call(accounts.login, { body: { username, password } });
  return { browser, answer };
}

const isInside = async (browser: Browser) => (await browser.call(accounts.me)).status === 200;

const mailTo = (address: string, subject: RegExp) =>
  app.mailbox.waitFor((mail) => mail.to.includes(address) && subject.test(mail.subject));

const subjectsTo = (address: string) =>
  app.mailbox
    .mails()
    .filter((mail) => mail.to.includes(address))
    .map((mail) => mail.subject)
    .filter((subject) => !subject.startsWith('Confirm'));

describe('the list of logins', () => {
  test('names each device in words, when it was first and last seen, and this one', async () => {
    const { browser, input } = await createTutor(app);
    app.clock.forward({ hours: 2 });
    const { browser: second } = await logIn(input.username);
    app.clock.forward({ hours: 2 });
    const { body } = await second.call(security.logins);
    expect(body).toMatchObject([
      {
        device: 'Firefox on Windows',
        isCurrent: true,
        firstSeenAt: '2026-11-16T14:00:00.000Z',
        lastSeenAt: '2026-11-16T16:00:00.000Z',
      },
      {
        device: 'Another program',
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

  test('[V7.5.2] one is ended, or all others; never one of another tutor', async () => {
    const { browser: own, input } = await createTutor(app);
    const { browser: phone } = await logIn(input.username);
    const { browser: tablet } = await logIn(input.username);
    const { browser: stranger } = await createTutor(app);
    const rows = (await phone.call(security.logins)).body;
    const id = rows.find((row) => row.isCurrent)?.id ?? '';

    expect((await stranger.call(security.revokeLogin, { params: { id } })).status).toBe(404);
    expect(await isInside(phone)).toBe(true);
    expect((await own.call(security.revokeLogin, { params: { id } })).status).toBe(200);
    expect(await isInside(phone)).toBe(false);
    expect((await own.call(security.revokeLogin, { params: { id } })).status).toBe(404);
    expect((await own.call(security.revokeOtherLogins)).body).toEqual({ ended: 1 });
    expect(await isInside(tablet)).toBe(false);
    expect(await isInside(own)).toBe(true);
    expect(await isInside(stranger)).toBe(true);
  });
});

describe('[V7.5.1, V7.5.2] what is delicate', () => {
  const delicate: [
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
    ['ending all others', (browser) => browser.call(security.revokeOtherLogins)],
    [
      'another e-mail',
      (browser) =>
        browser.call(accounts.updateMe, { body: { name: 'Ada', email: newSignupInput().email } }),
    ],
  ];

  test.each(delicate)('%s asks for the password again after ten minutes', async (_, act) => {
    const { browser } = await createTutor(app);
    app.clock.forward({ minutes: 10, seconds: 1 });
    const refused = await act(browser);
    expect([refused.status, refused.error.code]).toEqual([403, 'confirmation_needed']);
    const wrong = await browser.call(security.reauthenticateWithPassword, {
      body: { password: 'wrong one' },
    });
    expect(wrong.status).toBe(400);
    expect(wrong.error.fields).toEqual({ password: 'That is not your password' });
    expect((await act(browser)).status).toBe(403);
    await browser.call(security.reauthenticateWithPassword, { body: { password: PASSWORD } });
    app.clock.forward({ minutes: 9 });
    expect((await act(browser)).status).not.toBe(403);
    await app.restartClock();
  });

  test('a name is not delicate', async () => {
    const { browser, input } = await createTutor(app);
    app.clock.forward({ hours: 1 });
    const body = { name: 'Ada King', email: input.email };
    expect((await browser.call(accounts.updateMe, { body })).status).toBe(200);
    await app.restartClock();
  });

  test('confirming one login confirms no other', async () => {
    const { browser, input } = await createTutor(app);
    app.clock.forward({ minutes: 11 });
    const { browser: fresh } = await logIn(input.username);
    await fresh.call(security.reauthenticateWithPassword, { body: { password: PASSWORD } });
    expect((await browser.call(security.revokeOtherLogins)).status).toBe(403);
    await app.restartClock();
  });

  test('whoever found an open browser may not try passwords for ever', async () => {
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
  test('[V6.2.2, V7.4.3, T17] works from now on, ends every other login and every link to choose one, and is told by mail', async () => {
    const { browser, input } = await createVerifiedTutor(app);
    const { browser: other } = await logIn(input.username);
    await app.browser().call(accounts.forgotPassword, { body: { account: input.email } });
    const token = await readMailedToken(app, input.email, 'reset-password');

    const password = 'a new chalk board';
    const changed = await browser.call(security.changePassword, { body: { password } });
    expect(changed.status).toBe(200);
    expect(await isInside(browser)).toBe(true);
    expect(await isInside(other)).toBe(false);
    const late = await app
      .browser()
      .call(accounts.resetPassword, { body: { token, password: 'taken over' } });
    expect(late.status).toBe(410);
    expect((await logIn(input.username)).answer.status).toBe(401);
    expect((await logIn(input.username, { password })).answer.status).toBe(200);
    const mail = await mailTo(input.email, /password was changed/);
    expect(mail.text).toContain('16 November 2026 at 12:00');
    expect(mail.text).toContain('/forgot-password');
    // No word of the tutor's own in it, which could be somebody else's words to a stranger.
    expect(mail.text).not.toContain(input.name);
  });

  test('makes a stranger of every browser but this one', async () => {
    const { browser, input } = await createVerifiedTutor(app);
    const { browser: thief } = await logIn(input.username);
    await mailTo(input.email, /^New login/);
    app.clock.forward({ seconds: 1 });
    const password = 'a new chalk board';
    await browser.call(security.changePassword, { body: { password } });
    app.clock.forward({ seconds: 1 });
    const before = subjectsTo(input.email).length;
    await logIn(input.username, { password, browser });
    await logIn(input.username, { password, browser: thief });
    await app.mailbox.waitFor(
      () =>
        subjectsTo(input.email).filter((subject) => subject.startsWith('New login')).length === 2,
    );
    expect(subjectsTo(input.email).length - before).toBeLessThanOrEqual(2);
    await app.restartClock();
  });

  test('a login with the old one at the very moment of the change does not outlive it', async () => {
    const { browser, input } = await createTutor(app);
    const late = Array.from({ length: 6 }, () => logIn(input.username));
    const [changed, ...others] = await Promise.all([
      browser.call(security.changePassword, { body: { password: 'a new chalk board' } }),
      ...late,
    ]);
    expect(changed.status).toBe(200);
    for (const other of others) expect(await isInside(other.browser)).toBe(false);
  });
});

describe('mails about the account', () => {
  test('a login with a browser that was not seen before is told; the first, and known ones, are not', async () => {
    const { browser, input } = await createVerifiedTutor(app);
    await logIn(input.username, { browser });
    expect(subjectsTo(input.email)).toEqual([]);
    await logIn(input.username, { agent: `${FIREFOX} <script>alert("call 0900")</script>` });
    const mail = await mailTo(input.email, /^New login to Lessonbook$/);
    expect(mail.text).toContain('Firefox on Windows');
    expect(mail.text + mail.html).not.toContain('0900');
    await logIn(input.username, { browser });
    expect(subjectsTo(input.email)).toEqual(['New login to Lessonbook']);
    // Gone once sent: nothing is kept about where somebody logged in.
    await expect
      .poll(async () => (await app.admin.query('select 1 from security_email_outbox')).rowCount)
      .toBe(0);
  });

  test('nothing is sent to an address that nobody has proven: it may be a stranger’s', async () => {
    const { input } = await createTutor(app);
    await logIn(input.username);
    await logIn(input.username);
    const { rowCount } = await app.admin.query(
      'select 1 from security_email_outbox where email = $1',
      [input.email],
    );
    expect(rowCount).toBe(0);
    expect(subjectsTo(input.email)).toEqual([]);
  });

  test('another e-mail is told at the old address and at the new one, once it counts', async () => {
    const { browser, input } = await createVerifiedTutor(app);
    const email = newSignupInput().email;
    await browser.call(accounts.updateMe, { body: { name: input.name, email } });
    expect(subjectsTo(input.email)).toEqual([]);
    const token = await readMailedToken(app, email, 'verify-email');
    await app.browser().call(accounts.confirmEmail, { body: { token } });
    await mailTo(input.email, /email was changed/);
    await mailTo(email, /email was changed/);
  });
});
