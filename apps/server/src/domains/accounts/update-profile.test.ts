import { accounts } from '@lessonbook/contract/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTutor, readTokenFromEmail } from '../../test/create-tutor.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '100' });
});
afterAll(() => app.close());

describe('the profile', () => {
  test('[API-43] PUT /api/me changes the name and the time zone immediately', async () => {
    const { browser, input } = await createTutor(app);
    const change = { name: 'Ada F.', email: input.email, timeZone: 'America/New_York' };
    const response = await browser.call(accounts.updateMe, { body: change });
    expect(response.status).toBe(200);
    expect((await browser.call(accounts.me)).body).toMatchObject({ ...change, pendingEmail: null });
  });

  test('a new email address takes effect only after its link has been followed', async () => {
    const { browser, input } = await createTutor(app);
    const email = `new-${input.email}`;
    const saved = await browser.call(accounts.updateMe, { body: { name: input.name, email } });
    expect(saved.body).toMatchObject({ email: input.email, pendingEmail: email });
    const token = await readTokenFromEmail(app, email, 'verify-email');
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

  test('saving the old email address again cancels the change and revokes its link', async () => {
    const { browser, input } = await createTutor(app);
    const email = `new-${input.email}`;
    await browser.call(accounts.updateMe, { body: { name: input.name, email } });
    const token = await readTokenFromEmail(app, email, 'verify-email');
    await browser.call(accounts.updateMe, { body: { name: input.name, email: input.email } });
    expect((await app.browser().call(accounts.confirmEmail, { body: { token } })).status).toBe(410);
    expect((await browser.call(accounts.me)).body).toMatchObject({
      email: input.email,
      pendingEmail: null,
    });
  });

  test('changing the name does not revoke the first verification link', async () => {
    const { browser, input } = await createTutor(app);
    await browser.call(accounts.updateMe, { body: { name: 'Another Name', email: input.email } });
    const token = await readTokenFromEmail(app, input.email, 'verify-email');
    expect((await app.browser().call(accounts.confirmEmail, { body: { token } })).status).toBe(200);
  });

  test('rejects another tutor’s email address, even if it was taken after the change was requested', async () => {
    const { input: other } = await createTutor(app);
    const { browser, input } = await createTutor(app);
    const taken = await browser.call(accounts.updateMe, {
      body: { name: input.name, email: other.email },
    });
    expect(taken.status).toBe(409);
    expect(taken.error.message).toBe('That email is already in use');

    const email = `late-${input.email}`;
    await browser.call(accounts.updateMe, { body: { name: input.name, email } });
    const token = await readTokenFromEmail(app, email, 'verify-email');
    await createTutor(app, { email });
    expect((await app.browser().call(accounts.confirmEmail, { body: { token } })).status).toBe(409);
    expect((await browser.call(accounts.me)).body.email).toBe(input.email);
  });

  test.each([
    ['name', { name: 'A' }, 'Name must be at least 2 characters'],
    ['email', { email: 'nobody' }, 'Please enter a valid email address'],
    ['timeZone', { timeZone: '+01:00' }, 'Please choose a time zone from the list'],
  ])(
    '[API-50] rejects an invalid %s with the same message as the form',
    async (field, change, message) => {
      const { browser, input } = await createTutor(app);
      const response = await browser.call(accounts.updateMe, {
        body: { name: input.name, email: input.email, ...change },
      });
      expect(response.status).toBe(400);
      expect(response.error.fields).toEqual({ [field]: message });
    },
  );

  test('every change increases the revision; reading does not', async () => {
    const { browser, input } = await createTutor(app);
    const { revision } = (await browser.call(accounts.me)).body;
    expect((await browser.call(accounts.me)).body.revision).toBe(revision);
    await browser.call(accounts.updateMe, { body: { name: 'Ada F.', email: input.email } });
    expect((await browser.call(accounts.me)).body.revision).toBeGreaterThan(revision);
  });
});

describe('the notification settings', () => {
  const changedSettings = {
    emailNotifications: false,
    lessonReminders: true,
    paymentNotifications: false,
  };

  test('are all on by default, and changes are saved', async () => {
    const { browser } = await createTutor(app);
    expect((await browser.call(accounts.notificationSettings)).body).toEqual({
      emailNotifications: true,
      lessonReminders: true,
      paymentNotifications: true,
    });
    await browser.call(accounts.updateNotificationSettings, { body: changedSettings });
    expect((await browser.call(accounts.notificationSettings)).body).toEqual(changedSettings);
  });

  test('[AUTH-45] are isolated between tutors, like the profile', async () => {
    const { browser: mine } = await createTutor(app, { name: 'Canary One' });
    const { browser: theirs, input } = await createTutor(app, { name: 'Canary Two' });
    await theirs.call(accounts.updateNotificationSettings, { body: changedSettings });
    await theirs.call(accounts.updateMe, { body: { name: 'Changed Two', email: input.email } });
    expect((await mine.call(accounts.notificationSettings)).body.emailNotifications).toBe(true);
    expect((await mine.call(accounts.me)).body.name).toBe('Canary One');
  });
});
