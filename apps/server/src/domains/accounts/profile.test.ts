import { accounts } from '@lessonbook/contract/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { createTutor, readMailedToken } from '../../test/tutor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '100' });
});
afterAll(() => app.close());

describe('the profile', () => {
  test('[API-43] PUT /api/me changes the name and the time zone at once', async () => {
    const { browser, input } = await createTutor(app);
    const change = { name: 'Ada F.', email: input.email, timeZone: 'America/New_York' };
    const answer = await browser.call(accounts.updateMe, { body: change });
    expect(answer.status).toBe(200);
    expect((await browser.call(accounts.me)).body).toMatchObject({ ...change, pendingEmail: null });
  });

  test('a changed e-mail counts only once its own link was followed', async () => {
    const { browser, input } = await createTutor(app);
    const email = `new-${input.email}`;
    const saved = await browser.call(accounts.updateMe, { body: { name: input.name, email } });
    expect(saved.body).toMatchObject({ email: input.email, pendingEmail: email });
    const token = await readMailedToken(app, email, 'verify-email');
    await app.browser().call(accounts.confirmEmail, { body: { token } });
    expect((await browser.call(accounts.me)).body).toMatchObject({
      email,
      pendingEmail: null,
      emailVerified: true,
    });
    const login = await app
      .browser()
      .call(accounts.login, { body: { username: email, password: input.password } });
    expect(login.status).toBe(200);
  });

  test('typing the old e-mail again withdraws the change, and its link no longer works', async () => {
    const { browser, input } = await createTutor(app);
    const email = `new-${input.email}`;
    await browser.call(accounts.updateMe, { body: { name: input.name, email } });
    const token = await readMailedToken(app, email, 'verify-email');
    await browser.call(accounts.updateMe, { body: { name: input.name, email: input.email } });
    expect((await app.browser().call(accounts.confirmEmail, { body: { token } })).status).toBe(410);
    expect((await browser.call(accounts.me)).body).toMatchObject({
      email: input.email,
      pendingEmail: null,
    });
  });

  test('changing the name leaves the first verification link alive', async () => {
    const { browser, input } = await createTutor(app);
    await browser.call(accounts.updateMe, { body: { name: 'Another Name', email: input.email } });
    const token = await readMailedToken(app, input.email, 'verify-email');
    expect((await app.browser().call(accounts.confirmEmail, { body: { token } })).status).toBe(200);
  });

  test("another tutor's e-mail is refused, and also when it was taken between the change and its link", async () => {
    const { input: other } = await createTutor(app);
    const { browser, input } = await createTutor(app);
    const taken = await browser.call(accounts.updateMe, {
      body: { name: input.name, email: other.email },
    });
    expect(taken.status).toBe(409);
    expect(taken.error.message).toBe('That email is already in use');

    const email = `late-${input.email}`;
    await browser.call(accounts.updateMe, { body: { name: input.name, email } });
    const token = await readMailedToken(app, email, 'verify-email');
    await createTutor(app, { email });
    expect((await app.browser().call(accounts.confirmEmail, { body: { token } })).status).toBe(409);
    expect((await browser.call(accounts.me)).body.email).toBe(input.email);
  });

  test.each([
    ['name', { name: 'A' }, 'Name must be at least 2 characters'],
    ['email', { email: 'nobody' }, 'Please enter a valid email address'],
    ['timeZone', { timeZone: '+01:00' }, 'Please choose a time zone from the list'],
  ])('[API-50] refuses a wrong %s with the words of the form', async (field, change, message) => {
    const { browser, input } = await createTutor(app);
    const answer = await browser.call(accounts.updateMe, {
      body: { name: input.name, email: input.email, ...change },
    });
    expect(answer.status).toBe(400);
    expect(answer.error.fields).toEqual({ [field]: message });
  });

  test('every change raises the revision, and reading does not', async () => {
    const { browser, input } = await createTutor(app);
    const { revision } = (await browser.call(accounts.me)).body;
    expect((await browser.call(accounts.me)).body.revision).toBe(revision);
    await browser.call(accounts.updateMe, { body: { name: 'Ada F.', email: input.email } });
    expect((await browser.call(accounts.me)).body.revision).toBeGreaterThan(revision);
  });
});

describe('the notification settings', () => {
  const off = { emailNotifications: false, lessonReminders: true, paymentNotifications: false };

  test('are all on by default and keep what was saved', async () => {
    const { browser } = await createTutor(app);
    expect((await browser.call(accounts.notificationSettings)).body).toEqual({
      emailNotifications: true,
      lessonReminders: true,
      paymentNotifications: true,
    });
    await browser.call(accounts.updateNotificationSettings, { body: off });
    expect((await browser.call(accounts.notificationSettings)).body).toEqual(off);
  });

  test('[AUTH-45] one tutor neither sees nor changes those of another, nor the profile', async () => {
    const { browser: mine } = await createTutor(app, { name: 'Canary One' });
    const { browser: theirs, input } = await createTutor(app, { name: 'Canary Two' });
    await theirs.call(accounts.updateNotificationSettings, { body: off });
    await theirs.call(accounts.updateMe, { body: { name: 'Changed Two', email: input.email } });
    expect((await mine.call(accounts.notificationSettings)).body.emailNotifications).toBe(true);
    expect((await mine.call(accounts.me)).body.name).toBe('Canary One');
  });
});
